package main

import (
	"os"
	"runtime"
	"runtime/debug"
)

// collectLate has garbage collected when there are 32 MiB, and from then on as Go
// does, unless the environment says when. Most answers from a case take less.
func collectLate() {
	if os.Getenv("GOGC") != "" {
		return
	}
	debug.SetGCPercent(800) // of 4 MiB, as long as nothing was collected
	first := new(*int)
	runtime.AddCleanup(first, func(usual int) { debug.SetGCPercent(usual) }, 100)
}
