//go:build !amd64 || purego

package jsonskip

// withEach runs fn with the only implementation.
func withEach(fn func(name string)) { fn("go") }
