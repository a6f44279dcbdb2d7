// Package naming tells how Kubernetes and Knative make the names of objects of the
// names of others: by what is put behind, and what is cut off where that gets long.
package naming

import (
	"crypto/md5"
	"encoding/hex"
	"strings"
)

// Longest is how long a name that Knative makes can be: that of a DNS label.
const Longest = 63

// LongestPrefix is what the API server leaves of a generateName before it adds
// five characters (k8s.io/apiserver pkg/storage/names/generate.go).
const LongestPrefix = 58

// Alphabet are the characters that Kubernetes makes up names of
// (k8s.io/apimachinery pkg/util/rand).
const Alphabet = "bcdfghjklmnpqrstvwxz2456789"

// Child names a child of an object as Knative does: parent and suffix, or
// a hash where that would be longer than 63 characters (knative/pkg
// kmeta/names.go, ChildName).
func Child(parent, suffix string) string {
	if len(parent)+len(suffix) <= Longest {
		return parent + suffix
	}
	head := Head(suffix)
	if head < 0 {
		return parent // no suffix that Knative uses is so long
	}
	sum := md5.Sum([]byte(parent))
	return parent[:head] + hex.EncodeToString(sum[:]) + suffix
}

// Head returns how many characters of its parent's name a name starts with that has
// a hash and a suffix after it; negative if there is no room for any.
func Head(suffix string) int { return Longest - hex.EncodedLen(md5.Size) - len(suffix) }

// MadeUp reports whether a part of a name has from least to most characters, all of
// those that Kubernetes makes up names of: five for generateName, and the hash of a
// template in eight to ten.
func MadeUp(part string, least, most int) bool {
	return len(part) >= least && len(part) <= most && strings.Trim(part, Alphabet) == ""
}

// Generation reports whether a text starts with the number of a Revision, which has
// five digits or more, and ends or goes on with a hyphen there.
func Generation(text string) bool {
	digits := 0
	for digits < len(text) && '0' <= text[digits] && text[digits] <= '9' {
		digits++
	}
	return digits >= 5 && (digits == len(text) || text[digits] == '-')
}
