package redact

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"strings"
)

// Key is what pseudonyms are made with. Who has it can tell whether a pseudonym
// is that of a name; nobody else can.
type Key []byte

const keySize = 32

// LoadKey reads the key in a file, in hex. Where there is no such file, it is
// made, and only its owner may read it.
func LoadKey(path string) (Key, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return makeKey(path)
	}
	if err != nil {
		return nil, fmt.Errorf("read the key: %w", err)
	}
	key, err := hex.DecodeString(strings.TrimSpace(string(text)))
	if err != nil || len(key) != keySize {
		return nil, fmt.Errorf("%s is no key: it has to have %d characters, all 0 to 9 or a to f", path, hex.EncodedLen(keySize))
	}
	return key, nil
}

// Exposed reports whether others than its owner may read the key in a file.
func Exposed(path string) bool {
	const others = 0o077
	info, err := os.Stat(path)
	return err == nil && runtime.GOOS != "windows" && info.Mode().Perm()&others != 0
}

// NewKey returns a key that nobody has.
func NewKey() Key {
	key := make(Key, keySize)
	_, _ = rand.Read(key) // it never fails: crypto/rand
	return key
}

func makeKey(path string) (Key, error) {
	key := NewKey()
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, fmt.Errorf("make a key: %w", err)
	}
	_, err = fmt.Fprintf(f, "%x\n", []byte(key))
	if err := errors.Join(err, f.Close()); err != nil {
		return nil, fmt.Errorf("write the key: %w", err)
	}
	return key, nil
}

// sum returns the HMAC-SHA-256 of a text that is used for something.
func (k Key) sum(use, text string) []byte {
	h := hmac.New(sha256.New, k)
	_, _ = h.Write([]byte(use + "\x00" + text))
	return h.Sum(nil)
}
