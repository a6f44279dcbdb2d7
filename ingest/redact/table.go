package redact

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/knforensics/knforensics/ingest/document"
	"github.com/knforensics/knforensics/ingest/kubetable"
)

// table redacts the cells of tables as kubectl prints them, and puts them below the
// names of their columns again.
func (r *Redactor) table(out *bufio.Writer, stream io.Reader) error {
	lines := document.NewLines(stream)
	aligned := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	var columns kubetable.Table
	var known bool
	for {
		b, err := lines.Next()
		if err == io.EOF {
			return aligned.Flush()
		}
		if err != nil {
			return err
		}
		for line := range bytes.Lines(b.Data) {
			line = bytes.TrimRight(line, "\r\n")
			header, isHeader := kubetable.Header(line)
			switch {
			case isHeader:
				columns, known = header, true
				_, _ = fmt.Fprintln(aligned, strings.Join(r.headings(columns), "\t"))
			case kubetable.Blank(line):
				known = false
				_ = aligned.Flush() // what fails here fails at the end
				_, _ = fmt.Fprintln(out)
			case known:
				_, _ = fmt.Fprintln(aligned, strings.Join(r.row(columns, line), "\t"))
			default:
				_, _ = fmt.Fprintln(aligned, r.Line(string(line)))
			}
		}
		if b.Err != nil {
			return &Cut{b.Err}
		}
	}
}

// headings returns the names of columns.
func (r *Redactor) headings(columns kubetable.Table) (names []string) {
	for _, name := range columns.Names() {
		words := strings.Split(name, " ")
		for i, word := range words {
			words[i] = r.field(word)
		}
		names = append(names, strings.Join(words, " "))
	}
	return names
}

func (r *Redactor) row(columns kubetable.Table, line []byte) []string {
	values := columns.Row(line)
	names := columns.Names()
	cells := make([]string, len(names))
	for i, name := range names {
		cells[i] = strings.ReplaceAll(r.Line(values[name]), "\t", " ")
	}
	return cells
}
