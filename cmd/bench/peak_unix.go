//go:build unix

package main

import (
	"os"
	"runtime"
	"syscall"
)

// peak returns how much memory of a process was resident at most, in MiB.
func peak(state *os.ProcessState) float64 {
	used, ok := state.SysUsage().(*syscall.Rusage)
	switch {
	case !ok:
		return 0
	case runtime.GOOS == "darwin":
		return float64(used.Maxrss) / (1 << 20) // getrusage(2) there: in bytes
	}
	return float64(used.Maxrss) / (1 << 10)
}
