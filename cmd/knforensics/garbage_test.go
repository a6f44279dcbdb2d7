package main

import (
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

func TestCollectLate(t *testing.T) {
	percent := func() int {
		p := debug.SetGCPercent(100)
		debug.SetGCPercent(p)
		return p
	}
	t.Setenv("GOGC", "50")
	before := percent()
	if collectLate(); percent() != before {
		t.Errorf("%d %% in place of what the environment says", percent())
	}
	t.Setenv("GOGC", "")
	if collectLate(); percent() != 800 {
		t.Errorf("%d %% before anything is collected", percent())
	}
	for deadline := time.Now().Add(10 * time.Second); percent() != 100; runtime.GC() {
		if time.Now().After(deadline) {
			t.Fatalf("%d %% after garbage was collected", percent())
		}
	}
}
