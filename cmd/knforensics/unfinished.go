package main

import (
	"context"
	"sync"
)

// unfinished is the folder that a command makes, to be removed if the command is
// left where it stands.
type unfinished struct {
	mu      sync.Mutex
	discard func() // nil as long as there is none
	left    bool   // none is begun any more
}

// begin starts a folder.
func begin[Folder interface{ Discard() }](u *unfinished, create func() (Folder, error)) (f Folder, err error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.left {
		return f, context.Canceled
	}
	if f, err = create(); err == nil {
		u.discard = f.Discard
	}
	return f, err
}

// abandon removes the folder, unless it is finished.
func (u *unfinished) abandon() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.left = true
	if u.discard != nil {
		u.discard()
	}
}
