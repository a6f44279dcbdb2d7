//go:build !amd64 || purego

package jsonskip

func blocks(s *state, data []byte) int { return blocksGo(s, data) }
