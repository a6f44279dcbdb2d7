package staging_test

import (
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/knforensics/knforensics/ingest/staging"
)

// put starts a folder with one file.
func put(t *testing.T, dir, text string) *staging.Folder {
	t.Helper()
	f, err := staging.New(dir)
	if err != nil {
		t.Fatal(err)
	}
	file, err := f.Create("a/b")
	if err != nil {
		t.Fatal(err)
	}
	if _, err = file.WriteString(text); errors.Join(err, file.Close()) != nil {
		t.Fatal(err)
	}
	return f
}

// holds fails if there is anything in a folder but a whole one.
func holds(t *testing.T, dir, want string) {
	t.Helper()
	got, _ := os.ReadFile(filepath.Join(dir, "a", "b"))
	if string(got) != want {
		t.Errorf("it has %q, want %q", got, want)
	}
	entries, err := os.ReadDir(filepath.Dir(dir))
	if n := min(1, len(want)); err != nil || len(entries) != n {
		t.Errorf("beside it: %v %v", entries, err)
	}
}

func anything(string) error { return nil }

func TestPlace(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "made")
	if err := put(t, dir, "one").Place(anything); err != nil {
		t.Fatal(err)
	}
	holds(t, dir, "one")
	if err := os.Chmod(dir, 0o700); err != nil { //nolint:gosec // a folder
		t.Fatal(err)
	}
	if err := put(t, dir, "two").Place(anything); err != nil {
		t.Fatal(err)
	}
	holds(t, dir, "two")
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the mode of what was there is %v, %v", info.Mode(), err)
	}
	refused := errors.New("not what was expected")
	f := put(t, dir, "three")
	if err := f.Place(func(string) error { return refused }); !errors.Is(err, refused) {
		t.Error(err)
	}
	f.Discard()
	holds(t, dir, "two")
}

func TestDiscard(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "made")
	f := put(t, dir, "one")
	f.Discard()
	holds(t, dir, "")
	if _, err := f.Create("c"); err == nil {
		t.Error("a file was made in what was discarded")
	}
	if err := f.Place(anything); err == nil {
		t.Error("what was discarded took its place")
	}
	holds(t, dir, "")
}

// TestDiscardMeanwhile discards a folder that is being written.
func TestDiscardMeanwhile(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "made")
	for range 50 {
		f, err := staging.New(dir)
		if err != nil {
			t.Fatal(err)
		}
		var writer sync.WaitGroup
		begun := make(chan bool)
		writer.Go(func() {
			close(begun)
			for _, name := range []string{"a/b", "c/d", "e/f/g", "h"} {
				if file, err := f.Create(name); err == nil {
					_ = file.Close()
				}
			}
			_ = f.Place(anything)
		})
		<-begun
		f.Discard()
		writer.Wait()
		if entries, err := os.ReadDir(filepath.Dir(dir)); err != nil || len(entries) > 1 || len(entries) == 1 && entries[0].Name() != "made" {
			t.Fatalf("left %v, %v", entries, err)
		}
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
	}
}
