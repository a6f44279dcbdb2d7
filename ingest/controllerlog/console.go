package controllerlog

import (
	"bytes"
	"regexp"

	"github.com/knforensics/knforensics/ingest/jsonscan"
	"github.com/knforensics/knforensics/ingest/table"
)

// consoleStart is how zap's console encoding begins: a time and a level, which
// may be coloured, each followed by a tab (go.uber.org/zap
// zapcore/console_encoder.go). The logger, the caller, the message and the
// fields, as one object in JSON, come after them as far as there are any.
var consoleStart = regexp.MustCompile(`^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)|\d+(?:\.\d+)?(?:e\+\d+)?)\t(?:\x1b\[\d+m)?((?i:DEBUG|INFO|WARN|ERROR|DPANIC|PANIC|FATAL))(?:\x1b\[0m)?\t`)

var callerCell = regexp.MustCompile(`^\S+\.go:\d+$`)

// IsConsole reports whether a text starts as an entry of zap's console encoding.
func IsConsole(text []byte) bool { return consoleStart.Match(text) }

// Console fills row from an entry of zap's console encoding, with the lines of
// a stack trace below it or without. row.Location is left alone.
func (d *Decoder) Console(entry []byte, row *table.ControllerLog) error {
	at := consoleStart.FindSubmatchIndex(entry)
	if at == nil {
		return errNotLog
	}
	*row = table.ControllerLog{Location: row.Location, Format: table.LogZap}
	text, fields := cutFields(entry[at[1]:])
	d.scan.Reset(fields)
	if d.scan.BeginObject() {
		d.members(row)
	}
	row.Time, row.Level = stamp(string(entry[at[2]:at[3]])), level(string(entry[at[4]:at[5]]))
	cells := bytes.SplitN(text, []byte{'\t'}, 3)
	for i, cell := range cells[:min(2, len(cells))] {
		if callerCell.Match(cell) {
			row.Caller = string(cell)
			row.Logger = string(bytes.Join(cells[:i], nil))
			row.Message = string(bytes.Join(cells[i+1:], []byte{'\t'}))
			return nil
		}
	}
	if len(cells) > 1 && bytes.IndexByte(cells[0], ' ') < 0 {
		row.Logger, text = string(cells[0]), text[len(cells[0])+1:]
	}
	row.Message = string(text)
	return nil
}

// cutFields cuts the object with the fields off, which ends the first line that
// has one. A message can have several lines; without fields it is taken to have
// one.
func cutFields(entry []byte) (text, fields []byte) {
	for start := 0; start < len(entry); {
		line, _, _ := bytes.Cut(entry[start:], []byte{'\n'})
		tab := bytes.LastIndex(line, []byte("\t{"))
		if tab >= 0 && isObject(line[tab+1:]) {
			return entry[:start+tab], line[tab+1:]
		}
		start += len(line) + 1
	}
	text, _, _ = bytes.Cut(entry, []byte{'\n'})
	return text, nil
}

func isObject(text []byte) bool {
	var s jsonscan.Scanner
	s.Reset(text)
	s.Skip()
	return s.End()
}

// frame matches a line of a stack trace: a function, or the place in it.
var frame = regexp.MustCompile(`^(?:\t|[\w./*()\[\]~%-]+\.[\w.*()\[\]-]+$)`)

// Continues reports whether a line of a log belongs to the entry before it: as
// the rest of an object that is laid out for people, as the rest of a message
// without fields yet, or as a stack trace.
func Continues(entry, line []byte) bool {
	last := entry[bytes.LastIndexByte(entry, '\n')+1:]
	switch {
	case opens(entry):
		return last[0] != '}' && (line[0] == ' ' || line[0] == '\t' || line[0] == '}')
	case !IsConsole(entry), IsConsole(line), IsKlog(line), line[0] == '{':
		return false
	}
	return frame.Match(line) || last[len(last)-1] != '}' && !frame.Match(last)
}

// opens reports whether a text starts with a brace on a line of its own.
func opens(text []byte) bool {
	first, _, _ := bytes.Cut(text[:min(len(text), 3)], []byte{'\n'})
	return string(bytes.TrimSuffix(first, []byte{'\r'})) == "{"
}

// HasEntries reports whether a line begins an entry that can have more lines.
func HasEntries(line []byte) bool { return opens(line) || IsConsole(line) }
