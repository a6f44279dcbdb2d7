// Package lazyregexp has regular expressions that are compiled when they are used
// first, so that those of what a run has nothing to do with cost nothing at its
// start.
package lazyregexp

import (
	"regexp"
	"sync"
)

// New returns a function that returns an expression. It panics if that is none.
func New(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}
