package unnamed

import (
	"os"
	"testing"
)

func TestFile(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	t.Setenv("TMP", dir)
	f, err := Create()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteAt([]byte("rows"), 100); err != nil {
		t.Fatal(err)
	}
	got := make([]byte, 4)
	if _, err := f.ReadAt(got, 100); err != nil || string(got) != "rows" {
		t.Errorf("%q, %v", got, err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
}
