//go:build !linux

package source

import "testing"

// unprivileged runs fn; on these systems nobody tests as root.
func unprivileged(_ *testing.T, fn func()) { fn() }
