package wrapper

import (
	"bytes"

	"github.com/knforensics/knforensics/ingest/jsonscan"
)

// startLength is how much of a record tells that another one of the same log
// starts, as in {"kind":"Event" or {"severity":.
const startLength = 12

// whole joins the parts of a record. Where the last part of one was lost, the
// next record stands behind it: the whole is broken then, and a part starts as
// the first one does.
func whole(parts [][]byte) (records []Inner) {
	joined := bytes.Join(parts, nil)
	start := joined[:min(startLength, len(parts[0]))]
	if len(parts) == 1 || len(start) < startLength || start[0] != '{' || isValue(joined) {
		return []Inner{{Data: joined}}
	}
	from := 0
	for i, part := range parts {
		if i > 0 && bytes.HasPrefix(part, start) {
			records = append(records, Inner{Data: bytes.Join(parts[from:i], nil)})
			from = i
		}
	}
	return append(records, Inner{Data: bytes.Join(parts[from:], nil)})
}

func isValue(text []byte) bool {
	var s jsonscan.Scanner
	s.Reset(text)
	s.Skip()
	return s.End()
}

// dockerSize is where Docker cuts a line: its parts are entries of their own,
// of which only the last one ends in a line end (moby daemon/logger/copier.go).
const dockerSize = 16 << 10

// dockerPart tells the stream of an entry and whether the next one goes on.
func dockerPart(line []byte) (stream string, more bool) {
	name, text := dockerEntry(line)
	return name, len(text) >= dockerSize && text[len(text)-1] != '\n'
}

// dockerEntry reads a line of the json-file driver; the stream is empty if it
// is none.
func dockerEntry(line []byte) (stream string, text []byte) {
	if !bytes.Contains(line, []byte(`"log"`)) || !bytes.Contains(line, []byte(`"stream"`)) {
		return "", nil
	}
	var o Opener
	if !o.read(line) || !o.has("log", "stream", "time") {
		return "", nil
	}
	name, _ := o.text("stream")
	return string(name), stringOf(o.members["log"])
}

// IsParts reports whether a record is several entries of Docker's.
func IsParts(record []byte) bool {
	first, _, several := bytes.Cut(record, []byte{'\n'})
	if !several || record[0] != '{' {
		return false
	}
	stream, _ := dockerPart(first)
	return stream != ""
}

// dockerParts returns the parts that entries of Docker's hold of one record,
// those of the first one's stream; nil if it is no such record.
func dockerParts(record []byte) (parts [][]byte) {
	if !IsParts(record) {
		return nil
	}
	first := ""
	for line := range bytes.Lines(record) {
		stream, text := dockerEntry(bytes.TrimSpace(line))
		if first == "" {
			first = stream
		}
		if stream == first {
			parts = append(parts, bytes.Clone(bytes.TrimRight(text, "\r\n")))
		}
	}
	return parts
}
