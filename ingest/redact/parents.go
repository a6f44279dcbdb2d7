package redact

import (
	"crypto/md5"
	"encoding/hex"
	"regexp"
	"strings"

	"github.com/knforensics/knforensics/ingest/naming"
)

// Parents are the long names in a text, for names that are made of them: with a hash
// in their middle, or cut off. Nothing else tells what such a name is made of.
type Parents struct {
	byHash map[string]string
	byHead map[string]string // by as much as the API server leaves of it
}

// longName matches names that a child's can be made of with a hash, or by cutting.
var longName = regexp.MustCompile(`[a-z0-9][-a-z0-9]{38,251}[a-z0-9]`)

// NewParents returns a Parents without names.
func NewParents() *Parents { return &Parents{map[string]string{}, map[string]string{}} }

// Add takes note of the long names in a text.
func (p *Parents) Add(text []byte) {
	for _, name := range longName.FindAll(text, -1) {
		sum := md5.Sum(name)
		hash := hex.EncodeToString(sum[:])
		if _, seen := p.byHash[hash]; seen {
			continue
		}
		p.byHash[hash] = string(name)
		if len(name) >= naming.LongestPrefix && !isCut(string(name)) {
			p.addHead(string(name))
		}
	}
}

// addHead takes note of a name that others can be the start of. Of several, the
// shortest counts, whatever came first.
func (p *Parents) addHead(name string) {
	head := name[:naming.LongestPrefix]
	if old := p.byHead[head]; old == "" || len(name) < len(old) || len(name) == len(old) && name < old {
		p.byHead[head] = name
	}
}

// of returns what a name with a hash in it is made of.
func (p *Parents) of(name string) (parent, suffix string, ok bool) {
	if p == nil || len(name) != naming.Longest {
		return "", "", false
	}
	for i := strings.IndexByte(name, '-'); i >= 0; {
		if head := naming.Head(name[i:]); head >= 0 && head < i {
			parent = p.byHash[name[head:i]]
			if parent != "" && strings.HasPrefix(parent, name[:head]) {
				return parent, name[i:], true
			}
		}
		next := strings.IndexByte(name[i+1:], '-')
		if next < 0 {
			break
		}
		i += 1 + next
	}
	return "", "", false
}

// cut returns the name that a generated one starts with the start of.
func (p *Parents) cut(name string) (base string, ok bool) {
	if p == nil || !isCut(name) {
		return "", false
	}
	base, ok = p.byHead[name[:naming.LongestPrefix]]
	return base, ok
}

// isCut reports whether a name can be a generated one of which the start was cut.
func isCut(name string) bool {
	return len(name) == naming.Longest && naming.MadeUp(name[naming.LongestPrefix:], 5, 5)
}
