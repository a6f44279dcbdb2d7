package table

import (
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"strings"
	"sync"
	"time"
	"unsafe"
)

// Names are what the files and clusters of encoded rows are called. Several Encoders
// can share them. They are read once all rows are encoded.
type Names struct {
	mu    sync.Mutex
	list  []string
	codes map[string]uint64
}

// Encoder makes bytes of rows, so that they can be put aside.
type Encoder struct {
	names *Names
	last  [2]coded // the file and the cluster of the record before
}

type coded struct {
	name string
	code uint64
	set  bool
}

// NewEncoder returns an Encoder that adds to names.
func NewEncoder(names *Names) *Encoder { return &Encoder{names: names} }

// code returns the number of a name, which is mostly that of the record before.
func (e *Encoder) code(name string, last *coded) uint64 {
	if !last.set || name != last.name {
		*last = e.names.add(name)
	}
	return last.code
}

func (n *Names) add(name string) coded {
	n.mu.Lock()
	defer n.mu.Unlock()
	code, ok := n.codes[name]
	if !ok {
		if n.codes == nil {
			n.codes = map[string]uint64{}
		}
		code = uint64(len(n.list))
		n.list = append(n.list, strings.Clone(name))
		n.codes[n.list[code]] = code
	}
	return coded{n.list[code], code, true}
}

// Append appends the rows of a record, but that of the table records. They have one
// location.
func (e *Encoder) Append(to []byte, r *Rows) []byte {
	at := r.location()
	to = binary.AppendUvarint(to, e.code(at.File, &e.last[0]))
	to = binary.AppendUvarint(to, e.code(at.Cluster, &e.last[1]))
	for _, n := range [...]int64{at.Line, at.Lines, at.Offset, at.Length, at.Part} {
		to = binary.AppendVarint(to, n)
	}
	within := len(r.Audit) > 0
	to = putRows(to, auditEvents, r.Audit, false)
	to = putRows(to, controllerLogs, r.Logs, false)
	to = putRows(to, kubeEvents, r.Events, within)
	return putRows(to, objects, r.Objects, within)
}

func (r *Rows) location() *Location {
	switch {
	case len(r.Audit) > 0:
		return &r.Audit[0].Location
	case len(r.Logs) > 0:
		return &r.Logs[0].Location
	case len(r.Events) > 0:
		return &r.Events[0].Location
	case len(r.Objects) > 0:
		return &r.Objects[0].Location
	}
	return &Location{}
}

func putRows[Row any](to []byte, t *table[Row], rows []Row, within bool) []byte {
	to = binary.AppendUvarint(to, uint64(len(rows)))
	for i := range rows {
		for c := range t.own {
			if !within || !t.own[c].joined {
				to = t.own[c].put(to, &rows[i])
			}
		}
	}
	return to
}

// Decoder makes a batch of encoded rows. Its zero value is ready for use.
type Decoder struct{ batch Batch }

// Batch returns the rows that were added. It must not be released: its memory is used
// again after Reset.
func (d *Decoder) Batch() *Batch { return &d.batch }

// Reset takes all rows out of the batch.
func (d *Decoder) Reset() {
	b := &d.batch
	b.audit, b.logs, b.events, b.objects = b.audit[:0], b.logs[:0], b.events[:0], b.objects[:0]
}

var errEncoded = errors.New("encoded rows are damaged")

// Add adds the rows of a record. Their strings refer to data, which must stay as it is
// until they are done with.
func (d *Decoder) Add(data []byte, names *Names) error {
	from, b := &encoded{data: data}, &d.batch
	file, cluster := from.name(names), from.name(names)
	at := Location{File: file, Cluster: cluster, Line: from.number(), Lines: from.number(), Offset: from.number(), Length: from.number(), Part: from.number()}
	auditID := ""
	before := len(b.audit)
	b.audit = getRows(from, auditEvents, b.audit, false, func(r *AuditEvent) { r.Location, auditID = at, r.AuditID })
	within := len(b.audit) > before
	b.logs = getRows(from, controllerLogs, b.logs, false, func(r *ControllerLog) { r.Location = at })
	b.events = getRows(from, kubeEvents, b.events, within, func(r *KubeEvent) {
		if r.Location = at; within {
			r.AuditID = auditID
		}
	})
	b.objects = getRows(from, objects, b.objects, within, func(r *Object) {
		if r.Location = at; within {
			r.AuditID = auditID
		}
	})
	if from.damaged || from.at < len(data) {
		return errEncoded
	}
	return nil
}

// getRows appends rows as putRows has appended them. Where there was a row before
// Reset, its lists are overwritten.
func getRows[Row any](from *encoded, t *table[Row], rows []Row, within bool, complete func(*Row)) []Row {
	for n := from.count(); n > 0 && !from.damaged; n-- {
		rows = slices.Grow(rows, 1)[:len(rows)+1]
		row := &rows[len(rows)-1]
		for c := range t.own {
			if !within || !t.own[c].joined {
				t.own[c].get(from, row)
			}
		}
		complete(row)
	}
	return rows
}

// textsIn returns the members of structs that have nothing but strings: all elements of
// the lists in rows are such.
func textsIn[Elem any](elems []Elem) []string {
	var elem Elem
	return unsafe.Slice((*string)(unsafe.Pointer(unsafe.SliceData(elems))), len(elems)*int(unsafe.Sizeof(elem)/unsafe.Sizeof("")))
}

// encoded is a place in encoded rows.
type encoded struct {
	data    []byte
	at      int
	damaged bool
}

func (e *encoded) fail() {
	e.at, e.damaged = len(e.data), true
}

func (e *encoded) unsigned() uint64 {
	if e.at < len(e.data) && e.data[e.at] < 0x80 {
		e.at++
		return uint64(e.data[e.at-1])
	}
	v, n := binary.Uvarint(e.data[e.at:])
	if n <= 0 {
		e.fail()
		return 0
	}
	e.at += n
	return v
}

func (e *encoded) number() int64 {
	v, n := binary.Varint(e.data[e.at:])
	if n <= 0 {
		e.fail()
		return 0
	}
	e.at += n
	return v
}

// count returns the number of rows or elements that follow. Each has a byte at least.
func (e *encoded) count() int {
	n := e.unsigned()
	if n > uint64(len(e.data)-e.at) {
		e.fail()
		return 0
	}
	return int(n) //nolint:gosec // no more than there are bytes
}

func (e *encoded) name(names *Names) string {
	code := e.unsigned()
	if code >= uint64(len(names.list)) {
		e.fail()
		return ""
	}
	return names.list[code]
}

func (e *encoded) take(n uint64) []byte {
	if n > uint64(len(e.data)-e.at) {
		e.fail()
		return nil
	}
	e.at += int(n) //nolint:gosec // no more than there are bytes
	return e.data[e.at-int(n) : e.at]
}

func appendText(to []byte, s string) []byte {
	if len(s) < 0x80 {
		return append(append(to, byte(len(s))), s...)
	}
	return append(binary.AppendUvarint(to, uint64(len(s))), s...)
}

func (e *encoded) text() string {
	text := e.take(e.unsigned())
	return unsafe.String(unsafe.SliceData(text), len(text))
}

func appendFlag(to []byte, set bool) []byte {
	if set {
		return append(to, 1)
	}
	return append(to, 0)
}

func (e *encoded) flag() bool {
	b := e.take(1)
	return len(b) == 1 && b[0] == 1
}

// noTime stands for the zero time. Others fit: see instant.
const noTime = math.MinInt64

func appendTime(to []byte, t time.Time) []byte {
	nanos := int64(noTime)
	if !t.IsZero() {
		nanos = t.UnixNano()
	}
	return binary.LittleEndian.AppendUint64(to, uint64(nanos)) //nolint:gosec // the same 64 bits
}

func (e *encoded) time() time.Time {
	b := e.take(8)
	if b == nil {
		return time.Time{}
	}
	nanos := int64(binary.LittleEndian.Uint64(b)) //nolint:gosec // the same 64 bits
	if nanos == noTime {
		return time.Time{}
	}
	return time.Unix(0, nanos).UTC()
}
