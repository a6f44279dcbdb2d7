// Package redact writes logs anew without what tells whose they are: names,
// addresses and other values are replaced by pseudonyms, secrets are left out.
//
// It does not look for what to hide, but for what may stay: times, numbers, and
// the words of Kubernetes and Knative (words.txt, names.txt). Anything else is
// replaced, wherever it stands and whether it was understood or not. A word gets
// the same pseudonym everywhere, so that what is put together of several stays
// put together: rt, rt-00002 and rt-00002-deployment-6f7b9c4d5-x2k9p have one
// pseudonym as their beginning (name.go).
//
// Lines stay lines, and JSON keeps its layout: a record of a log is on the line
// where its original is. YAML is written anew, and has other lines.
package redact

import (
	"sync"
)

// Redactor replaces what may not be shared. It is safe for concurrent use.
type Redactor struct {
	key     Key
	parents *Parents // of names that are too long to tell them; may be nil

	memo memo

	mu         sync.Mutex
	pseudonyms map[string]string // of words, in small letters
	words      map[string]string // those that have the pseudonyms
	hidden     map[string]bool   // addresses and the like that were replaced
	collision  error
}

// New returns a Redactor that makes pseudonyms with a key. Of parents it learns
// which objects the names are of that have a hash in them; it may be nil.
func New(key Key, parents *Parents) *Redactor {
	return &Redactor{key: key, parents: parents, pseudonyms: map[string]string{}, words: map[string]string{}, hidden: map[string]bool{}}
}
