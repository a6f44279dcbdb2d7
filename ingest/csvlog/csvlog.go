// Package csvlog reads logs that were exported as CSV (RFC 4180): a header, and
// rows that hold a whole record in one cell, as the exports of CloudWatch
// Insights, Splunk, Grafana and Azure Log Analytics do, or an audit event of
// AKSAudit by its columns.
package csvlog

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/knforensics/knforensics/ingest/controllerlog"
)

// messages are the columns that hold the line of a log, the most telling first:
// CloudWatch Insights, Azure AzureDiagnostics, Splunk, Grafana, Google's Logs
// Explorer, and what others call it.
var messages = []string{"@message", "properties_log_s", "log_s", "_raw", "Line", "line", "textPayload", "message", "Message", "log", "body"}

// wrappers names what put the records of some columns into rows.
var wrappers = map[string]string{"@message": "cloudwatch", "properties_log_s": "eventhub", "log_s": "eventhub", "Line": "loki", "textPayload": "gcp-logentry"}

// aksColumns are those of AKSAudit and AKSAuditAdmin that an event cannot do
// without.
var aksColumns = []string{"AuditId", "ObjectRef", "Verb"}

// Header is the first row.
type Header []string

// ReadHeader reads the names of columns from a line.
func ReadHeader(line []byte) (Header, bool) {
	names, err := Cells(line)
	if err != nil {
		return nil, false
	}
	for _, name := range names {
		if !isColumnName(name) {
			return nil, false
		}
	}
	return names, true
}

// isColumnName reports whether a text looks like the name of a column: letters,
// digits and what joins them, 128 bytes at most.
func isColumnName(name string) bool {
	const most = 128
	for i, c := range []byte(name) {
		word := c == '_' || c == '@' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'
		if !word && (i == 0 || strings.IndexByte(" .:/[]()-", c) < 0) {
			return false
		}
	}
	return name != "" && len(name) <= most
}

// HasRecord reports whether one of the cells in a text looks like a record: like
// an object in JSON, whose quotes are doubled, or like a line that starts as those
// of klog or of zap's console encoding.
func HasRecord(text []byte) bool {
	for first := true; len(text) > 0; {
		cell, quoted := bytes.CutPrefix(text, []byte{'"'})
		if quoted && startsObject(cell) || (quoted || !first) && startsLine(cell) {
			return true
		}
		i := bytes.IndexAny(text, ",\n")
		if i < 0 {
			return false
		}
		first, text = text[i] == '\n', text[i+1:] // a line of its own is no cell
	}
	return false
}

func startsObject(cell []byte) bool {
	inner, ok := bytes.CutPrefix(bytes.TrimLeft(cell, blanks), []byte{'{'})
	return ok && bytes.HasPrefix(bytes.TrimLeft(inner, blanks), []byte(`""`))
}

const blanks = " \t\r\n"

func startsLine(cell []byte) bool {
	return controllerlog.IsKlog(cell) || len(cell) > 0 && cell[0] >= '0' && cell[0] <= '9' && controllerlog.IsConsole(cell)
}

// Starts reports whether a text starts as such an export does: the first line
// names columns, and one of them, or a cell below, is known to hold records.
func Starts(first, rest []byte) bool {
	h, ok := ReadHeader(first)
	if !ok || len(h) == 1 && !slices.Contains(messages, h[0]) { // one name may be any word
		return false
	}
	return h.IsAKS() || slices.Contains(h, "@message") || HasRecord(rest)
}

// Cells returns the cells of a row.
func Cells(row []byte) ([]string, error) {
	r := csv.NewReader(bytes.NewReader(row))
	r.FieldsPerRecord = -1
	cells, err := r.Read()
	var broken *csv.ParseError
	if errors.As(err, &broken) { // its line and column are within the row
		return nil, fmt.Errorf("invalid CSV: %w", broken.Err)
	}
	return cells, err
}

// Wrapper names what the columns tell the records were wrapped by; empty if
// they do not.
func (h Header) Wrapper() string {
	if h.IsAKS() {
		return "eventhub"
	}
	for _, name := range h {
		if w := wrappers[name]; w != "" {
			return w
		}
	}
	return ""
}

// IsAKS reports whether each row is an audit event, taken apart into columns.
func (h Header) IsAKS() bool {
	return !slices.ContainsFunc(aksColumns, func(name string) bool { return !slices.Contains(h, name) })
}

// Message returns the cell that holds the line of a log.
func (h Header) Message(cells []string) (text string, ok bool) {
	for _, name := range messages {
		if i := slices.Index(h, name); i >= 0 && i < len(cells) {
			return cells[i], true
		}
	}
	return "", false
}

// Object returns a row as a JSON object of strings.
func (h Header) Object(cells []string) []byte {
	members := map[string]string{}
	for i, name := range h {
		if i < len(cells) && strings.TrimSpace(cells[i]) != "" {
			members[name] = cells[i]
		}
	}
	out, err := json.Marshal(members)
	if err != nil { // json.Marshal does not fail on strings
		return nil
	}
	return out
}
