package redact

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/knforensics/knforensics/ingest"
	"github.com/knforensics/knforensics/ingest/controllerlog"
	"github.com/knforensics/knforensics/ingest/document"
	"github.com/knforensics/knforensics/ingest/wrapper"
)

// headSize is how much of a stream decides about its form.
const headSize = 64 << 10

// Unshared is the error of a stream that cannot be shared, since it is not known how
// its records are laid out.
type Unshared struct{ Reason string }

func (e *Unshared) Error() string { return e.Reason }

// Copy writes what a stream holds as it may be shared.
func (r *Redactor) Copy(w io.Writer, stream *bufio.Reader) error {
	head, err := stream.Peek(headSize)
	if err != nil && err != io.EOF && len(head) == 0 {
		return &Unshared{err.Error()}
	}
	form, reason := ingest.Recognise(head, err == io.EOF)
	out := bufio.NewWriter(w)
	switch form {
	case ingest.Lines:
		err = r.lines(out, stream)
	case ingest.Parts:
		err = r.parts(out, stream)
	case ingest.Values:
		err = r.values(out, stream)
	case ingest.Documents:
		err = r.documents(out, stream)
	case ingest.Table:
		err = r.table(out, stream)
	case ingest.Rows:
		err = r.rows(out, stream)
	default:
		return &Unshared{reason}
	}
	return errors.Join(err, out.Flush(), r.failed())
}

func (r *Redactor) failed() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.collision
}

// lines redacts lines, each with those below that belong to it. They stay on the
// lines where they were.
func (r *Redactor) lines(out *bufio.Writer, stream io.Reader) error {
	return r.eachRecord(out, document.NewEntries(stream, controllerlog.Continues), func(text []byte) []string {
		return []string{r.Line(string(text))}
	})
}

// parts redacts the lines of a container log. A record in several parts becomes one
// line, as the runtime would have written it without a limit.
func (r *Redactor) parts(out *bufio.Writer, stream io.Reader) error {
	var opener wrapper.Opener
	return r.eachRecord(out, document.NewJoined(stream, wrapper.Part), func(text []byte) (lines []string) {
		first, _, several := bytes.Cut(text, []byte{'\n'})
		if !several {
			return []string{r.Line(string(text))}
		}
		name, records := opener.Open(text)
		for _, record := range records {
			lines = append(lines, r.whole(name, string(first), string(record.Data)))
		}
		return lines
	})
}

// whole returns a record that was in several parts as one, of which the first is
// given.
func (r *Redactor) whole(wrapper, first, record string) string {
	if wrapper == "cri" {
		const fields = 4 // time, stream, tag and text
		prefix := strings.SplitN(first, " ", fields)
		return strings.Join(prefix[:min(2, len(prefix))], " ") + " F " + r.Line(record)
	}
	var entry map[string]string
	_ = json.Unmarshal([]byte(first), &entry) // where that fails, a line is left that says less
	line, _ := json.Marshal(map[string]string{"log": r.Line(record) + "\n", "stream": r.Line(entry["stream"]), "time": r.Line(entry["time"])})
	return string(line)
}

// unreadable is what stands for a record that cannot be read: it cannot be read
// either.
const unreadable = "{"

// eachRecord writes the lines that become of each record, on the line of that.
func (r *Redactor) eachRecord(out *bufio.Writer, records document.Reader, redacted func([]byte) []string) error {
	at := int64(1)
	var cut error
	for {
		b, err := records.Next()
		if err == io.EOF {
			return cut
		}
		if err != nil {
			return err
		}
		for i := range b.Records {
			lines := []string{unreadable}
			if b.Records[i].Err == nil {
				lines = redacted(b.Records[i].JSON)
			}
			for ; at < b.Records[i].Line; at++ {
				_ = out.WriteByte('\n') // out keeps its first error
			}
			for _, line := range lines {
				_, _ = out.WriteString(line + "\n")
				at += 1 + int64(strings.Count(line, "\n"))
			}
		}
		if b.Err != nil {
			_, _ = out.WriteString(unreadable + "\n")
			at++
			if !errors.Is(b.Err, document.ErrTooLong) {
				cut = &Cut{b.Err}
			}
		}
	}
}

// Cut is the error of a stream that was not read to its end. What is before that was
// written.
type Cut struct{ error }

func (e *Cut) Unwrap() error { return e.error }

// rows redacts the cells of a CSV file.
func (r *Redactor) rows(out *bufio.Writer, stream io.Reader) error {
	in, w := csv.NewReader(stream), csv.NewWriter(out)
	in.FieldsPerRecord = -1
	var header []string
	for {
		cells, err := in.Read()
		if err == io.EOF {
			w.Flush()
			return w.Error()
		}
		if err != nil {
			w.Flush()
			return errors.Join(w.Error(), &Cut{fmt.Errorf("read CSV: %w", err)})
		}
		if header == nil {
			header = slices.Clone(cells)
			for i, name := range header {
				cells[i] = r.field(name)
			}
		} else {
			for i, text := range cells {
				cells[i] = r.cell(header, i, text)
			}
		}
		if err := w.Write(cells); err != nil {
			return err
		}
	}
}

func (r *Redactor) cell(header []string, i int, text string) string {
	if i < len(header) && wordFields[header[i]] && !strings.ContainsAny(text, " {") {
		return r.field(text)
	}
	return r.Line(text)
}
