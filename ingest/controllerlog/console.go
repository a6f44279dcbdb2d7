package controllerlog

import (
	"bytes"
	"slices"
	"strings"

	"github.com/knforensics/knforensics/ingest/jsonscan"
	"github.com/knforensics/knforensics/ingest/lazyregexp"
	"github.com/knforensics/knforensics/ingest/table"
)

// consoleStart takes off how zap's console encoding begins: a time and a level,
// which may be coloured, each followed by a tab (go.uber.org/zap
// zapcore/console_encoder.go). The logger, the caller, the message and the
// fields, as one object in JSON, come after them as far as there are any.
func consoleStart(text []byte) (at, level, rest []byte, ok bool) {
	if len(text) == 0 || text[0] < '0' || text[0] > '9' {
		return nil, nil, nil, false
	}
	at, rest, _ = bytes.Cut(text, []byte{'\t'})
	level, rest, ok = bytes.Cut(rest, []byte{'\t'})
	level = uncoloured(level)
	return at, level, rest, ok && isLevel(level) && isTime(at)
}

func isLevel(word []byte) bool {
	return slices.ContainsFunc([]string{"INFO", "DEBUG", "ERROR", "WARN", "FATAL", "PANIC", "DPANIC"}, func(level string) bool {
		return strings.EqualFold(level, string(word))
	})
}

// uncoloured takes the escape sequences that set a colour and end it off a cell.
func uncoloured(cell []byte) []byte {
	if sequence, ok := bytes.CutPrefix(cell, []byte("\x1b[")); ok {
		if n := digits(sequence); n > 0 && n < len(sequence) && sequence[n] == 'm' {
			cell = sequence[n+1:]
		}
	}
	return bytes.TrimSuffix(cell, []byte("\x1b[0m"))
}

// isTime reports whether a cell is a time as zap's encoders write it: of ISO
// 8601 with a zone, or a number.
func isTime(cell []byte) bool {
	rest, date := shaped(cell, "0000-00-00T00:00:00")
	if !date {
		rest = cell[digits(cell):]
	}
	if fraction, ok := bytes.CutPrefix(rest, []byte{'.'}); ok {
		n := digits(fraction)
		if n == 0 {
			return false
		}
		rest = fraction[n:]
	}
	if date {
		return isZone(rest)
	}
	exponent, ok := bytes.CutPrefix(rest, []byte("e+"))
	return len(rest) == 0 || ok && len(exponent) > 0 && digits(exponent) == len(exponent)
}

func isZone(text []byte) bool {
	if len(text) < 5 || text[0] != '+' && text[0] != '-' {
		return string(text) == "Z"
	}
	for _, shape := range []string{"00:00", "0000"} {
		if rest, ok := shaped(text[1:], shape); ok {
			return len(rest) == 0
		}
	}
	return false
}

// isCaller reports whether a cell names a line of a source file.
func isCaller(cell []byte) bool {
	const suffix = ".go:"
	end := bytes.LastIndex(cell, []byte(suffix))
	if end <= 0 || bytes.ContainsAny(cell[:end], " \n\f\r") {
		return false
	}
	line := cell[end+len(suffix):]
	return len(line) > 0 && digits(line) == len(line)
}

// IsConsole reports whether a text starts as an entry of zap's console encoding.
func IsConsole(text []byte) bool {
	_, _, _, ok := consoleStart(text)
	return ok
}

// Console fills row from an entry of zap's console encoding, with the lines of
// a stack trace below it or without. row.Location is left alone.
func (d *Decoder) Console(entry []byte, row *table.ControllerLog) error {
	at, severity, rest, ok := consoleStart(entry)
	if !ok {
		return errNotLog
	}
	*row = table.ControllerLog{Location: row.Location, Format: table.LogZap}
	text, fields := cutFields(rest)
	d.scan.Reset(fields)
	if d.scan.BeginObject() {
		d.members(row)
	}
	row.Time, row.Level = stamp(string(at)), level(string(severity))
	cells := bytes.SplitN(text, []byte{'\t'}, 3)
	for i, cell := range cells[:min(2, len(cells))] {
		if isCaller(cell) {
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
var frame = lazyregexp.New(`^(?:\t|[\w./*()\[\]~%-]+\.[\w.*()\[\]-]+$)`)

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
	return frame().Match(line) || last[len(last)-1] != '}' && !frame().Match(last)
}

// opens reports whether a text starts with a brace on a line of its own.
func opens(text []byte) bool {
	first, _, _ := bytes.Cut(text[:min(len(text), 3)], []byte{'\n'})
	return string(bytes.TrimSuffix(first, []byte{'\r'})) == "{"
}

// HasEntries reports whether a line begins an entry that can have more lines.
func HasEntries(line []byte) bool { return opens(line) || IsConsole(line) }
