//go:build amd64 && !purego

package jsonskip

// withEach runs fn with each implementation that this machine can run.
func withEach(fn func(name string)) {
	if useAVX2 {
		fn("avx2")
		useAVX2 = false
		defer func() { useAVX2 = true }()
	}
	fn("go")
}
