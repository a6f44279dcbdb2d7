//go:build amd64 && !purego

package jsonskip

import "golang.org/x/sys/cpu"

var useAVX2 = cpu.X86.HasAVX2 && cpu.X86.HasPCLMULQDQ && cpu.X86.HasPOPCNT && cpu.X86.HasBMI1

func blocks(s *state, data []byte) int {
	if useAVX2 {
		return blocksAVX2(s, data)
	}
	return blocksGo(s, data)
}

// blocksAVX2 does what blocksGo does.
//
//go:noescape
func blocksAVX2(s *state, data []byte) int
