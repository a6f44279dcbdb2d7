package redact

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// ErrCollision says that two words have one pseudonym.
var ErrCollision = errors.New("two words have the same pseudonym with this key: take another key")

// What pseudonyms are made of: five syllables of a consonant and a vowel. None is
// made up as Kubernetes makes up parts of names, which has no vowels.
const (
	consonants = "bcdfghjklmnpqrstvwxz"
	vowels     = "aeiou"
	syllables  = 5
)

// pseudonym returns what stands for a word. It starts with a capital where the
// word does; case is no difference else.
func (r *Redactor) pseudonym(word string) string {
	small := strings.ToLower(word)
	r.mu.Lock()
	defer r.mu.Unlock()
	p, ok := r.pseudonyms[small]
	if !ok {
		small = strings.Clone(small)
		p = r.key.pronounceable(small)
		if other, taken := r.words[p]; taken && other != small {
			r.collision = ErrCollision
		}
		r.pseudonyms[small], r.words[p] = p, small
	}
	if first, _ := utf8.DecodeRuneInString(word); unicode.IsUpper(first) {
		return strings.ToUpper(p[:1]) + p[1:]
	}
	return p
}

func (k Key) pronounceable(word string) string {
	n := binary.BigEndian.Uint64(k.sum("word", word))
	var b [2 * syllables]byte
	for i := 0; i < len(b); i += 2 {
		b[i] = consonants[n%uint64(len(consonants))]
		n /= uint64(len(consonants))
		b[i+1] = vowels[n%uint64(len(vowels))]
		n /= uint64(len(vowels))
	}
	return string(b[:])
}

// opaque returns what stands for a value as a whole, whatever is in it. Equal
// values have equal ones.
func (r *Redactor) opaque(value string) string {
	if value == "" {
		return ""
	}
	return r.pseudonym(value)
}

// scramble replaces each character of a text that is of an alphabet by another of
// it, and no two texts by the same one: it is a Feistel network, of which each round
// can be undone.
func (r *Redactor) scramble(text, alphabet string) string {
	const rounds = 6
	b := []byte(text)
	one, other := b[:len(b)/2], b[len(b)/2:]
	for round := range rounds {
		r.key.shift(round, alphabet, one, other)
		one, other = other, one
	}
	return string(b)
}

// shift moves each character of a text along the alphabet, as far as another text
// decides.
func (k Key) shift(round int, alphabet string, text, by []byte) {
	var far []byte
	for i, c := range text {
		at := strings.IndexByte(alphabet, c)
		if at < 0 {
			continue
		}
		if i%sha256.Size == 0 || far == nil {
			far = k.sum(fmt.Sprint("scramble ", alphabet, len(text), round, i/sha256.Size), string(by))
		}
		text[i] = alphabet[(at+int(far[i%sha256.Size]))%len(alphabet)]
	}
}

// hide takes note of what was replaced and is no word.
func (r *Redactor) hide(text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.hidden[text] {
		r.hidden[strings.Clone(text)] = true
	}
}
