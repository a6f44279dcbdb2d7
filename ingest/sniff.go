package ingest

import (
	"bytes"
	"io"
	"regexp"
	"slices"

	"github.com/knforensics/knforensics/ingest/audit"
	"github.com/knforensics/knforensics/ingest/controllerlog"
	"github.com/knforensics/knforensics/ingest/csvlog"
	"github.com/knforensics/knforensics/ingest/document"
	"github.com/knforensics/knforensics/ingest/jsonscan"
	"github.com/knforensics/knforensics/ingest/kubetable"
	"github.com/knforensics/knforensics/ingest/source"
	"github.com/knforensics/knforensics/ingest/wrapper"
)

// layout is how the records of a stream are laid out, as told from its start.
type layout struct {
	form   Form
	reader func(io.Reader) document.Reader // nil if the stream is not read
	text   bool                            // lines that are not JSON are log lines
	sifted bool                            // each line is a record of its own, and none of a log
	reason string                          // why the stream is not read
}

// Form is how the records of a stream are laid out in its text.
type Form int

// The forms that are known.
const (
	Unknown   Form = iota
	Lines          // lines, of logs or of JSON
	Parts          // lines of a container log, where a record can be in several
	Values         // values in JSON that do not keep to lines
	Documents      // documents in YAML
	Table          // rows below the header of what kubectl get prints
	Rows           // rows of a CSV file
)

var readers = map[Form]func(io.Reader) document.Reader{
	Lines:     func(r io.Reader) document.Reader { return document.NewLines(r) },
	Parts:     func(r io.Reader) document.Reader { return document.NewJoined(r, wrapper.Part) },
	Values:    func(r io.Reader) document.Reader { return document.NewJSON(r) },
	Documents: func(r io.Reader) document.Reader { return document.NewYAML(r) },
	Table:     func(r io.Reader) document.Reader { return kubetable.NewReader(r) },
	Rows:      func(r io.Reader) document.Reader { return csvlog.NewReader(r) },
}

func entries(r io.Reader) document.Reader {
	return document.NewEntries(r, controllerlog.Continues)
}

// Recognise tells the form of a stream by its first bytes; whole says that they are
// all of it. Where it is Unknown, the reason tells why.
func Recognise(head []byte, whole bool) (form Form, reason string) {
	how := recognise(head, whole)
	return how.form, how.reason
}

// yamlStart matches the first line of a YAML document that may hold Kubernetes
// objects.
var yamlStart = regexp.MustCompile(`^(---(\s.*)?|%YAML.*|(- )?(apiVersion|kind|items|metadata|spec|status|data):.*)$`)

// recognise looks at the first bytes of a stream; whole says that they are all
// of it. It decides about the layout only: what a record is, each record says
// for itself.
func recognise(head []byte, whole bool) layout {
	if len(bytes.TrimSpace(head)) == 0 && whole {
		return layout{reason: "empty"}
	}
	how := layoutOf(head, whole)
	lines := how.form == Lines
	how.sifted = lines && !how.text
	if lines && hasContainerLine(head) {
		how.form, how.sifted = Parts, false
	}
	if how.reader = readers[how.form]; how.form == Lines && how.text && hasEntries(head) {
		how.reader = entries
	}
	return how
}

// hasContainerLine reports whether one of the lines is of a container log,
// where records can be cut into several lines.
func hasContainerLine(head []byte) bool {
	for line := range bytes.Lines(head) {
		if stream, _ := wrapper.Part(line); stream != "" {
			return true
		}
	}
	return false
}

func layoutOf(head []byte, whole bool) layout {
	first, rest := firstLine(head)
	text := hasLogLine(head, whole)
	switch {
	case len(first) == 0:
	case bytes.IndexByte(first, 0) >= 0: // further on, zeros can be where a machine went down
	case csvlog.Starts(first, rest):
		return layout{form: Rows}
	case first[0] == '{' && len(rest) == 0 && unbroken(first) != nil: // may be too long for one line
		return layout{form: Values}
	case first[0] == '{' && (valid(first) || text || len(rest) == 0 && !whole || startsLines(rest, whole) || cutLines(first, rest)):
		return layout{form: Lines, text: text}
	case text:
		return layout{form: Lines, text: true}
	case kubetable.Starts(first):
		return layout{form: Table}
	case audit.IsLegacy(first), wrapper.StartsPair(first), wrappedLine(first):
		return layout{form: Lines}
	case first[0] == '{', first[0] == '[' && startsArray(first, rest):
		return layout{form: Values}
	case isDescription(first, rest):
		return layout{reason: "what kubectl describe prints is for people: give the same objects from kubectl get -o yaml, and their Events from kubectl get events -o yaml"}
	case yamlStart.Match(first):
		return layout{form: Documents}
	case startsLines(rest, whole): // a line of something else before JSON lines
		return layout{form: Lines}
	}
	if source.IsArchive(head) {
		return layout{reason: "an archive within three others: unpack it first"}
	}
	if bytes.HasPrefix(head, []byte("ARROW1")) || bytes.HasPrefix(head, []byte("PAR1")) {
		return layout{reason: "a table, as of a case or an export: name the folder of a whole case, or the logs"}
	}
	if bytes.IndexByte(head, 0) >= 0 {
		return layout{reason: "binary data of no known format"}
	}
	return layout{reason: "no known format"}
}

// firstLine returns the first line that is neither blank nor a comment, and
// what follows it.
func firstLine(head []byte) (line, rest []byte) {
	rest = head
	for len(rest) > 0 {
		line, rest, _ = bytes.Cut(rest, []byte{'\n'})
		if line = bytes.TrimSpace(line); len(line) > 0 && line[0] != '#' {
			return line, rest
		}
	}
	return nil, nil
}

// hasLogLine reports whether one of the lines is of a log: what zap writes, or
// klog. A line that is indented is a quotation in something else.
func hasLogLine(head []byte, whole bool) bool {
	var l logSense
	for len(head) > 0 {
		line, rest, ended := bytes.Cut(head, []byte{'\n'})
		if (ended || whole) && l.isLog(line) || ended && controllerlog.HasEntries(line) && l.isLog(value(head)) {
			return true
		}
		head = rest
	}
	return false
}

// logSense tells lines of a log, in wrappers or without.
type logSense struct {
	zap    controllerlog.Decoder
	row    logRow
	opener wrapper.Opener
}

func (l *logSense) isLog(line []byte) bool {
	return l.isBare(line) || slices.ContainsFunc(l.opener.Leaves(line), func(leaf wrapper.Leaf) bool { return l.isBare(leaf.Data) })
}

func (l *logSense) isBare(line []byte) bool {
	switch {
	case len(line) == 0:
		return false
	case line[0] == '{':
		return l.zap.Zap(line, &l.row) == nil && !wrapper.Suspect(l.row.Message)
	}
	return controllerlog.IsKlog(line) || controllerlog.IsConsole(line)
}

// value returns the JSON value that a text starts with, nil if there is none.
func value(text []byte) []byte {
	var s jsonscan.Scanner
	s.Reset(text)
	s.Skip()
	if s.Err() != nil {
		return nil
	}
	return text[:s.Pos()]
}

// hasEntries reports whether one of the lines begins an entry of a log that can
// have more lines.
func hasEntries(head []byte) bool {
	for line := range bytes.Lines(head) {
		if controllerlog.HasEntries(bytes.TrimRight(line, "\r\n")) {
			return true
		}
	}
	return false
}

// wrappedLine reports whether a line is a record behind the prefix of a
// container runtime or the like.
func wrappedLine(line []byte) bool {
	var opener wrapper.Opener
	return line[0] != '{' && opener.Leaves(line) != nil
}

func valid(text []byte) bool { return jsonscan.Check(text) == nil }

// isDescription reports whether a text is what "kubectl describe" prints: it
// starts with a name, which is followed by other names and values in a column
// (k8s.io/kubectl pkg/describe/describe.go).
func isDescription(first, rest []byte) bool {
	return describedName.Match(first) && described.Match(rest)
}

var (
	describedName = regexp.MustCompile(`^Name: {2,}\S`)
	described     = regexp.MustCompile(`(?m)^(Namespace|Labels|Annotations|API Version|Roles|Priority|CreationTimestamp): {2,}\S`)
)

// startsLines reports whether a text starts with an object on a line of its
// own, or with lines that were cut before one.
func startsLines(text []byte, whole bool) bool {
	first, rest := firstLine(text)
	cut := len(rest) == 0 && !whole
	for len(first) > 1 && first[0] == '{' {
		if cut || valid(first) {
			return true
		}
		if first[1] != '"' {
			return false
		}
		first, rest = firstLine(rest)
	}
	return false
}

// cutLines reports whether lines are of a log although each was cut: they start
// alike, and do not end as those of a list do.
func cutLines(first, rest []byte) bool {
	const start = 16 // {"kind":"Event", and no EventList
	second, _ := firstLine(rest)
	return len(first) > start && bytes.HasPrefix(second, first[:start]) && first[1] == '"' && bytes.IndexByte([]byte(",[{"), first[len(first)-1]) < 0
}

// startsArray reports whether a text that starts with a bracket is an array of
// objects or of fluentd's events, and no log line that starts with a word in brackets.
func startsArray(first, rest []byte) bool {
	inner := bytes.TrimSpace(first[1:])
	if len(inner) == 0 {
		inner = bytes.TrimSpace(rest)
	}
	return len(inner) == 0 || inner[0] == '{' || inner[0] == ']' || wrapper.StartsPair(inner)
}
