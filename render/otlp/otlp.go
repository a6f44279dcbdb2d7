// Package otlp writes stories as OpenTelemetry traces and logs, in both encodings of
// OTLP: JSON lines, as the specification of files asks for
// (https://opentelemetry.io/docs/specs/otel/protocol/file-exporter/), and protobuf,
// as collectors take it over HTTP.
//
// A trace is what happened because of one generation of an object: its root span is
// the object, below it are the reconciles that the logs tell of, and below those the
// requests that they made. Requests of others are below the object. What exists for a
// Revision is in the trace of the Revision. Findings are events of the span of their
// object; all rows are logs, which name the span of the request or reconcile that they
// tell of.
//
// Trace and span IDs are made of uids, generations and audit IDs, so that they are the
// same whenever and wherever the same records are read.
package otlp

import (
	"bufio"
	"errors"
	"io"

	"google.golang.org/protobuf/proto"

	"github.com/knforensics/knforensics/render"
)

// Files are the names of the files, in the order in which NewWriter takes them.
var Files = []string{"traces.jsonl", "logs.jsonl", "traces.pb", "logs.pb"}

// Writer writes traces and logs of one family after the other. Of the files in
// protobuf, each is one message: messages of one type that follow one another are one
// in which their lists are joined.
type Writer struct {
	version string
	files   []*bufio.Writer
	once    render.Once
}

// NewWriter returns a Writer to Files, for a version of this program.
func NewWriter(version string, files []io.Writer) *Writer {
	w := &Writer{version: version, once: render.Once{}}
	for _, f := range files {
		w.files = append(w.files, bufio.NewWriter(f))
	}
	return w
}

// Add writes the traces and logs of a story.
func (w *Writer) Add(s *render.Story) error {
	b := newSpans(s)
	b.attempts()
	b.writes()
	b.findings()
	traces := b.traces(w.version)
	logs := logsOf(s, b.contexts, w.once, w.version)
	err := errors.Join(binary(w.files[2], traces), binary(w.files[3], logs))
	if err != nil {
		return err
	}
	readable(traces, logs)
	return errors.Join(line(w.files[0], traces), line(w.files[1], logs))
}

// Close writes what is buffered.
func (w *Writer) Close() (err error) {
	for _, f := range w.files {
		err = errors.Join(err, f.Flush())
	}
	return err
}

// Left returns nothing: OTLP has room for rows without a time.
func (w *Writer) Left() []render.Left { return nil }

func binary(w io.Writer, m proto.Message) error {
	data, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
	if err != nil {
		return err
	}
	_, err = w.Write(data)
	return err
}
