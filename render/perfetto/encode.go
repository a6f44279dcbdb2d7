package perfetto

import (
	"time"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/knforensics/knforensics/render"
)

// message is the encoded fields of a protobuf message. The numbers of fields are
// those of google/perfetto protos/perfetto/trace; the tests read what is written with
// the definitions there.
type message []byte

func (m message) number(field protowire.Number, v uint64) message {
	return protowire.AppendVarint(protowire.AppendTag(m, field, protowire.VarintType), v)
}

func (m message) fixed(field protowire.Number, v uint64) message {
	return protowire.AppendFixed64(protowire.AppendTag(m, field, protowire.Fixed64Type), v)
}

// text adds text of the cluster, made safe: the UI shows it as it is, and strings of
// protobuf are UTF-8.
func (m message) text(field protowire.Number, s string) message {
	return protowire.AppendString(protowire.AppendTag(m, field, protowire.BytesType), render.Safe(s))
}

func (m message) message(field protowire.Number, part message) message {
	return protowire.AppendBytes(protowire.AppendTag(m, field, protowire.BytesType), part)
}

// packet is a TracePacket of the one sequence that there is. The first of a sequence
// says that no state came before (SEQ_INCREMENTAL_STATE_CLEARED).
func packet(first bool) message {
	const sequence, cleared = 1, 1
	m := message(nil).number(10, sequence)
	if first {
		m = m.number(13, cleared)
	}
	return m
}

// clocks is a ClockSnapshot that has the clock of the trace (BOOTTIME) show the time
// of day (REALTIME), so that the UI can show that.
func clocks(at time.Time) message {
	const realtime, boottime = 1, 6
	var m message
	for _, clock := range []uint64{realtime, boottime} {
		m = m.message(1, message(nil).number(1, clock).number(2, nanos(at)))
	}
	return m
}

// nanos is a timestamp of a packet. Writer.timed has seen to it that there is one.
func nanos(t time.Time) uint64 { return uint64(t.UnixNano()) } //nolint:gosec // not before 1970

// track is a TrackDescriptor.
type track struct {
	id, parent uint64
	name       string
	rank       int // among its siblings
	counter    bool
	unit       string
}

func (t track) encode() message {
	const explicit, never = 3, 2 // child_ordering, sibling_merge_behavior
	m := message(nil).number(1, t.id)
	if t.parent != 0 {
		m = m.number(5, t.parent)
	}
	m = m.text(2, t.name)
	if t.counter {
		m = m.message(8, message(nil).text(6, t.unit))
	}
	return m.number(11, explicit).number(12, uint64(t.rank)).number(15, never) //nolint:gosec // from 0
}

// eventType is TrackEvent.Type.
type eventType uint64

const (
	begin   eventType = 1
	end     eventType = 2
	instant eventType = 3
	counter eventType = 4
)

// event is a TrackEvent.
type event struct {
	typ            eventType
	track          uint64
	name, category string
	args           args
	flows          []uint64
	value          int // of a counter
}

func (e event) encode() message {
	m := message(nil).number(9, uint64(e.typ)).number(11, e.track)
	if e.name != "" {
		m = m.text(23, e.name)
	}
	if e.category != "" {
		m = m.text(22, e.category)
	}
	if e.typ == counter {
		m = m.number(30, uint64(e.value)) //nolint:gosec // as int64 is encoded
	}
	for _, a := range e.args {
		m = m.message(4, a)
	}
	for _, id := range e.flows {
		m = m.fixed(47, id)
	}
	return m
}

// args are DebugAnnotations. What is empty or unknown has none.
type args []message

func (a *args) text(name, value string) {
	if value != "" {
		*a = append(*a, message(nil).text(10, name).text(6, value))
	}
}

func (a *args) number(name string, value int64) {
	if value != 0 {
		*a = append(*a, message(nil).text(10, name).number(4, uint64(value))) //nolint:gosec // as int64 is encoded
	}
}

func (a *args) count(name string, n *int) {
	if n != nil {
		*a = append(*a, message(nil).text(10, name).number(4, uint64(*n))) //nolint:gosec // as int64 is encoded
	}
}

func (a *args) list(name string, values []string) {
	if len(values) == 0 {
		return
	}
	m := message(nil).text(10, name)
	for _, v := range values {
		m = m.message(12, message(nil).text(6, v))
	}
	*a = append(*a, m)
}
