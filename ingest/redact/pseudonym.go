package redact

import (
	"encoding/binary"
	"errors"
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
// it, and no two texts by the same one.
func (r *Redactor) scramble(text, alphabet string) string {
	b := []byte(text)
	r.key.shift("forward", alphabet, b, 0, 1)
	r.key.shift("backward", alphabet, b, len(b)-1, -1)
	return string(b)
}

// shift moves each character along the alphabet, by a distance that those before
// it decide, and so can be undone one by one.
func (k Key) shift(use, alphabet string, b []byte, from, step int) {
	seen := make([]byte, 0, len(b))
	for i := from; i >= 0 && i < len(b); i += step {
		at := strings.IndexByte(alphabet, b[i])
		if at < 0 {
			continue
		}
		by := binary.BigEndian.Uint32(k.sum(use+alphabet, string(seen)))
		if step < 0 {
			seen = append(seen, b[i])
		}
		b[i] = alphabet[(uint64(at)+uint64(by))%uint64(len(alphabet))]
		if step > 0 {
			seen = append(seen, b[i])
		}
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
