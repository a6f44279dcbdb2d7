package byfamily

import (
	"fmt"
	"runtime/debug"
)

// crash is a panic of a goroutine, which another one is to have.
type crash struct {
	value any
	stack []byte // of the goroutine
}

func (c *crash) Error() string { return fmt.Sprintf("%v\n%s", c.value, c.stack) }

// guarded calls fn. What it panics with, rethrow does.
func (r *Rows) guarded(fn func()) {
	defer func() {
		if value := recover(); value != nil {
			r.crash.CompareAndSwap(nil, &crash{value, debug.Stack()})
		}
	}()
	fn()
}

func (r *Rows) rethrow() {
	if c := r.crash.Load(); c != nil {
		panic(c)
	}
}
