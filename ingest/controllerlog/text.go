package controllerlog

import (
	"bytes"
	"strings"

	"github.com/knforensics/knforensics/ingest/table"
)

// Text fills row from a line that is not JSON: a klog line, or plain text,
// which is kept as the message. Neither has a time that can be placed: klog
// writes no year and no zone, and other lines are in local time if in any.
func Text(line []byte, row *table.ControllerLog) {
	text := string(line)
	*row = table.ControllerLog{Location: row.Location, Format: table.LogPlain, Message: text}
	rest, ok := klogHeader(line)
	if !ok {
		return
	}
	row.Format = table.LogKlog
	row.Level = klogLevel[line[0]]
	if caller, message, ok := strings.Cut(text[len(line)-len(rest):], "] "); ok {
		row.Caller, row.Message = caller, message
	}
}

var klogLevel = [256]string{'I': "INFO", 'W': "WARN", 'E': "ERROR", 'F': "FATAL"}

// IsKlog reports whether a line starts with a klog header.
func IsKlog(line []byte) bool {
	_, ok := klogHeader(line)
	return ok
}

// klogHeader cuts "Lmmdd hh:mm:ss.uuuuuu threadid " off a line
// (k8s.io/klog internal/buffer/buffer.go, FormatHeader).
func klogHeader(line []byte) (rest []byte, ok bool) {
	if len(line) == 0 || klogLevel[line[0]] == "" {
		return nil, false
	}
	if rest, ok = shaped(line[1:], "0000 00:00:00.000000 "); !ok {
		return nil, false
	}
	rest = bytes.TrimLeft(rest, " ")
	if n := digits(rest); n > 0 && n < len(rest) && rest[n] == ' ' {
		return rest[n+1:], true
	}
	return nil, false
}

// shaped cuts a text of a shape off another: digits where it has zeros, and else
// what it has.
func shaped(text []byte, shape string) (rest []byte, ok bool) {
	if len(text) < len(shape) {
		return nil, false
	}
	for i := range len(shape) {
		if digit := text[i]-'0' <= 9; text[i] != shape[i] && !(digit && shape[i] == '0') {
			return nil, false
		}
	}
	return text[len(shape):], true
}

// digits counts the digits that a text starts with.
func digits(text []byte) (n int) {
	for n < len(text) && text[n]-'0' <= 9 {
		n++
	}
	return n
}
