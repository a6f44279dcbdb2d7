package source

import (
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
)

// nobody is a user that owns nothing.
const nobody = 65534

// unprivileged runs fn as a user whom the permissions of files concern: root,
// as which tests run in containers, may read everything. Only this thread's view
// of files changes (setfsuid(2)).
func unprivileged(t *testing.T, fn func()) {
	if os.Geteuid() != 0 {
		fn()
		return
	}
	if err := os.Chmod(filepath.Dir(t.TempDir()), 0o755); err != nil { // so that the file itself is refused
		t.Fatal(err)
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := syscall.Setfsuid(nobody); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := syscall.Setfsuid(0); err != nil {
			t.Fatal(err)
		}
	}()
	fn()
}
