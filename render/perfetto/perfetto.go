// Package perfetto writes stories as a trace of TrackEvents, which ui.perfetto.dev
// and trace_processor open (https://perfetto.dev/docs/reference/synthetic-track-event).
//
// Tracks are nested as the family is: the Service, below it Configuration and Route,
// below those the Revisions and so on. The track of an object has what was done to it
// as instants; below are one track for each of its conditions, with the spans of that
// as slices, and for a Revision counters of ready replicas, target and traffic. Where
// a condition is not known a slice says so, and where a number is no longer an instant.
// Findings have a track of their own, from which flows lead to their evidence.
//
// Times are nanoseconds since 1970, on a clock that shows the time of day.
package perfetto

import (
	"bufio"
	"io"
	"time"

	"github.com/knforensics/knforensics/render"
)

// Writer writes a trace, packet by packet.
type Writer struct {
	out    *bufio.Writer
	tracks uint64 // how many there are: the last id
	flows  uint64
	left   render.Left
	began  bool
	err    error // the first of writing
}

// NewWriter returns a Writer to w.
func NewWriter(w io.Writer) *Writer {
	return &Writer{out: bufio.NewWriter(w), left: render.Left{Why: render.Untimed}}
}

// Add writes the tracks of a story's family.
func (w *Writer) Add(s *render.Story) error {
	f := newFamily(w, s)
	for rank, n := range s.Family.Tree() {
		f.object(n, f.root, firstObject+rank)
	}
	f.gaps()
	f.findings()
	return w.err
}

// Close writes what is buffered.
func (w *Writer) Close() error { return w.out.Flush() }

// Left returns what was left out since nothing tells when it was.
func (w *Writer) Left() []render.Left { return []render.Left{w.left} }

// track makes a track and returns its id.
func (w *Writer) track(t track) uint64 {
	w.tracks++
	t.id = w.tracks
	w.write(packet(false).message(60, t.encode()))
	return t.id
}

// event writes an event at a moment that is timed.
func (w *Writer) event(at time.Time, e event) {
	w.write(packet(false).number(8, render.Nanos(at)).message(11, e.encode()))
}

// start writes what a trace begins with, once. The clocks show the same at any moment.
func (w *Writer) start(at time.Time) {
	if w.began {
		return
	}
	w.began = true
	w.write(packet(true).message(6, clocks(at)))
}

func (w *Writer) write(m message) {
	if w.err != nil {
		return
	}
	const packets = 1 // Trace.packet
	_, w.err = w.out.Write(message(nil).message(packets, m))
}

// nextFlow returns the id of a new flow.
func (w *Writer) nextFlow() uint64 {
	w.flows++
	return w.flows
}
