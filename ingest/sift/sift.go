// Package sift finds the lines of an audit log that speak of some names, before
// any is parsed, and takes of all others only what coverage and the order of time
// need.
//
// A block of lines is gone through once for three things (package linemarks): the
// ends of the lines, the names, and the member stageTimestamp, which stands near
// the end of each event. A line with a name is whole: it goes on to who parses it.
// Of any other line a Glance takes level, stage, URI and verb, which stand at its
// start in the order in which kube-apiserver writes them, and the time, whose place
// is known. That is a few comparisons, whatever is in between; what is a line of
// another shape is whole too, so that nothing is decided about what was not
// understood.
package sift

import (
	"bytes"
	"fmt"
	"time"
	"unsafe"

	"github.com/knforensics/knforensics/ingest/audit"
	"github.com/knforensics/knforensics/ingest/linemarks"
	"github.com/knforensics/knforensics/ingest/table"
	"github.com/knforensics/knforensics/ingest/timestamp"
)

// Search says which lines are whole.
type Search struct {
	// Names are texts without characters that JSON escapes, as names of objects
	// are: a line that has one of them is whole. There may be none.
	Names []string
	// Whole reports whether a line without a name is whole all the same, and
	// whether it is if it has one of the Signs, which are texts like Names.
	Whole func(g *Glance) (whole, ifSigned bool)
	Signs []string
	// Alone tells that the log is all that is read: there is no log of a process, of
	// which a Glance would have to tell the Pod, and no other that gives a line again.
	Alone bool
}

// Glance is what a look at a line tells. Texts refer to the line; escapes in the
// URI are not resolved.
type Glance struct {
	Level, AuditID, Stage string
	URI, Verb             string
	Reference             audit.Reference // as the URI tells
	Pod                   string          // that the client's token was made for, unless the log is alone
	Time                  time.Time
	Truncated             bool // bodies were removed by the API server
}

// Sieve does a Search. It can be used by many goroutines.
type Sieve struct {
	Search
	finder, signs *linemarks.Finder
}

// New prepares a Search. The sample is the start of the log.
func New(search Search, sample []byte) (*Sieve, error) {
	finder, err := linemarks.New(sample, append([]string{stageMember}, search.Names...)...)
	if err != nil {
		return nil, fmt.Errorf("search for %q: %w", search.Names, err)
	}
	signs, err := linemarks.New(sample, search.Signs...)
	if err != nil {
		return nil, fmt.Errorf("search for %q: %w", search.Signs, err)
	}
	return &Sieve{search, finder, signs}, nil
}

// isWhole reports whether a line without a name is whole.
func (s *Sieve) isWhole(line []byte, g *Glance) bool {
	whole, ifSigned := s.Whole(g)
	if whole || !ifSigned {
		return whole
	}
	var marks [64]linemarks.Mark
	n, _ := s.signs.Marks(marks[:], line, 0)
	return n > 0
}

const stageMember = `"stageTimestamp":"`

// marksAtOnce is how many marks are looked at before the next are looked for.
const marksAtOnce = 1024

// Lines goes through the lines of a block, with number that of the first. It calls
// whole with where a line starts and ends, the latter without its newline, and
// passed with what the others tell. The Glance is reused. It returns how many lines
// there are.
func (s *Sieve) Lines(data []byte, number int64, whole func(from, to int, number int64), passed func(*Glance)) int64 {
	first := number
	var marks [marksAtOnce]linemarks.Mark
	var g Glance
	start, stage, named := 0, -1, false
	end := func(to int) {
		if line := data[start:to]; !named && stage >= 0 && g.read(line, stage-start, &s.Search) && !s.isWhole(line, &g) {
			passed(&g)
		} else {
			whole(start, to, number)
		}
		start, stage, named = to+1, -1, false
		number++
	}
	for from := 0; from < len(data); {
		var n int
		n, from = s.finder.Marks(marks[:], data, from)
		for _, m := range marks[:n] {
			switch at := m.Offset(); {
			case !m.Name():
				end(at)
			case data[at] == '"':
				named = named || stage >= 0 // two events in one line, or what only looks like one
				stage = at
			default:
				named = true
			}
		}
	}
	if start < len(data) {
		end(len(data))
	}
	return number - first
}

// read looks at a line whose member stageTimestamp is, perhaps, at stage. It
// reports false if it is not written as kube-apiserver writes events.
func (g *Glance) read(line []byte, stage int, s *Search) bool {
	if !g.head(line, !s.Alone) || !g.tail(line[stage+len(stageMember):]) {
		return false
	}
	g.Reference = audit.ReferenceOf(g.URI)
	return g.known()
}

// known reports whether level and stage are some that there are
// (k8s.io/apiserver pkg/apis/audit/types.go).
func (g *Glance) known() bool {
	switch g.Level {
	case "Metadata", "RequestResponse", "Request", "None":
	default:
		return false
	}
	switch g.Stage {
	case "ResponseComplete", "RequestReceived", "ResponseStarted", "Panic":
		return true
	}
	return false
}

// share makes a string of bytes without a copy.
func share(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// The members at the start of a line, in their order.
var (
	begin  = []byte(`{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"`)
	auditI = []byte(`,"auditID":"`)
	stageM = []byte(`,"stage":"`)
	uri    = []byte(`,"requestURI":"`)
	verb   = []byte(`,"verb":"`)
)

func (g *Glance) head(line []byte, pods bool) bool {
	rest, ok := bytes.CutPrefix(line, begin)
	if !ok {
		return false
	}
	if rest, ok = g.usual(rest); !ok {
		if ok = value(&rest, &g.Level) && member(&rest, auditI, &g.AuditID) && member(&rest, stageM, &g.Stage) && member(&rest, uri, &g.URI); !ok {
			return false
		}
	}
	if !member(&rest, verb, &g.Verb) {
		return false
	}
	if g.Pod = ""; pods {
		g.Pod, ok = podOf(rest)
	}
	return ok
}

// usual reads up to the URI where an audit ID of 36 characters stands between
// members that most events have alike. If it reports false, rest is as it was.
func (g *Glance) usual(line []byte) (rest []byte, ok bool) {
	const id = 36
	for i, level := range usualLevels {
		after, ok := bytes.CutPrefix(line, level)
		if !ok {
			continue
		}
		if len(after) < id || !bytes.HasPrefix(after[id:], usualStage) || bytes.IndexByte(after[:id], '"') >= 0 {
			return line, false
		}
		g.Level, g.AuditID, g.Stage = levels[i], share(after[:id]), "ResponseComplete"
		after = after[id+len(usualStage):]
		if value(&after, &g.URI) {
			return after, true
		}
	}
	return line, false
}

var (
	levels      = []string{"Metadata", "RequestResponse", "Request"}
	usualStage  = []byte(`","stage":"ResponseComplete","requestURI":"`)
	usualLevels = [][]byte{[]byte(`Metadata","auditID":"`), []byte(`RequestResponse","auditID":"`), []byte(`Request","auditID":"`)}
)

// member reads the value of a member that is next.
func member(rest *[]byte, name []byte, to *string) bool {
	after, ok := bytes.CutPrefix(*rest, name)
	*rest = after
	return ok && value(rest, to)
}

// value reads up to the quote that ends a string. It has no escapes but those of
// characters that HTML needs, such as & in a URI.
func value(rest *[]byte, to *string) bool {
	end := bytes.IndexByte(*rest, '"')
	if end <= 0 || (*rest)[end-1] == '\\' {
		return false
	}
	*to, *rest = share((*rest)[:end]), (*rest)[end+1:]
	return true
}

// tail reads the time, and what follows it: nothing or annotations.
func (g *Glance) tail(rest []byte) (ok bool) {
	end := bytes.IndexByte(rest, '"')
	if end < 0 {
		return false
	}
	if g.Time, ok = timestamp.Parse(rest[:end]); !ok || !table.Fits(g.Time) {
		return false
	}
	rest = rest[end+1:]
	if len(rest) == 1 {
		g.Truncated = false
		return rest[0] == '}'
	}
	g.Truncated = bytes.Contains(rest, truncated[rareByte:]) && bytes.Contains(rest, truncated)
	return bytes.HasPrefix(rest, annotations) && bytes.HasSuffix(rest, ends)
}

var (
	annotations = []byte(`,"annotations":{`)
	ends        = []byte(`"}}`)
	truncated   = []byte(`"audit.k8s.io/truncated":"true"`)
	rareByte    = bytes.IndexByte(truncated, '/') // a search is faster from there
	podName     = []byte(`"authentication.kubernetes.io/pod-name":["`)
	userAgent   = []byte(`,"userAgent":"`)
)

// podOf looks for the name of the Pod before the user agent, which follows the
// user.
func podOf(rest []byte) (pod string, ok bool) {
	const far = 4 << 10
	user := rest[:min(len(rest), far)]
	if end := bytes.Index(user, userAgent); end >= 0 {
		user = user[:end]
	} else if len(rest) > far {
		return "", false
	}
	at := bytes.Index(user, podName)
	if at < 0 {
		return "", bytes.IndexByte(user, '\\') < 0
	}
	user = user[at+len(podName):]
	end := bytes.IndexByte(user, '"')
	if end < 0 || end+1 >= len(user) || user[end+1] != ']' {
		return "", false
	}
	return share(user[:end]), true
}
