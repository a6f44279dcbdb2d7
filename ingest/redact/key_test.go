package redact

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

func TestLoadKey(t *testing.T) {
	path := filepath.Join(t.TempDir(), "key")
	made, err := LoadKey(path)
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("its mode is %v, %v", info.Mode(), err)
	}
	if again, err := LoadKey(path); err != nil || !bytes.Equal(made, again) {
		t.Errorf("it was read as another key, %v", err)
	}
	for _, text := range []string{"", "xyz", "00ff"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := LoadKey(path); err == nil {
			t.Errorf("%q is taken for a key", text)
		}
	}
}
