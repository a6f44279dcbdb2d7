// Package linemarks finds, in one pass over a buffer, where its lines end and
// where names stand in them: a log is searched before it is parsed, and what
// has no name in it is never parsed.
//
// Looking for each byte of a name at each byte of a log is slow. Two bytes are
// enough to turn down nearly every place, if they are chosen well: the rarest
// byte of the name, and the one that is seen least beside it, counted in the
// start of the log (rarest). The rest is arithmetic on many bytes at a time. The
// buffer is loaded three times: as it is, from the distance of the first byte
// in the name, and from that of the second. Each load is compared with one byte
// in all places at once:
//
//	name     email-018       first '8' at 8, second 'm' at 1
//	buffer   ...{"name":"email-018"}\n
//	as it is             = '\n'      the ends of lines
//	from 8   = '8', and
//	from 1   = 'm'                   places where the name may stand
//
// What is left are bits, one a byte: most often none in 64 bytes, and the next
// 64 are looked at. Else each bit becomes a Mark, and of the marks of names
// those stay where the whole name stands.
//
// That is what scan_amd64.s does, with AVX2, about as fast as memory gives the
// bytes. On other processors, with the build tag purego and at the end of every
// buffer, bytes.IndexByte finds newlines and rarest bytes, which takes about
// twice as long. Both give the same marks.
package linemarks

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// MaxBuffer is the longest buffer that Marks takes, in bytes.
const MaxBuffer = 1 << 30

// MaxNames is how many names can be searched for at once. Two take a third more
// time than one, four two and a half times as much.
const MaxNames = 8

// Mark is the end of a line or a place where a name stands.
type Mark uint32 // twice the offset, and 1 for a name

func mark(offset int, name bool) Mark {
	m := Mark(offset) << 1 //nolint:gosec // below MaxBuffer
	if name {
		m |= 1
	}
	return m
}

// Offset is where the newline or the first byte of the name is in the buffer.
func (m Mark) Offset() int { return int(m >> 1) }

// Name tells a name from a newline.
func (m Mark) Name() bool { return m&1 != 0 }

// Finder searches for names. It is not changed by that, and can be used by many
// goroutines.
type Finder struct {
	texts []text // a newline, then the names
	reach int    // how far from its start a byte of a text is looked at
}

// New prepares a search for one or more names, any of which may stand in a
// line. The sample is the start of the log, or empty; it decides how fast the
// search is, not what is found.
func New(sample []byte, names ...string) (*Finder, error) {
	if len(names) == 0 || len(names) > MaxNames {
		return nil, fmt.Errorf("search for %d names: it must be 1 to %d", len(names), MaxNames)
	}
	f := &Finder{texts: []text{newText("\n", nil)}}
	for _, name := range names {
		if name == "" || strings.Contains(name, "\n") {
			return nil, fmt.Errorf("search for %q: it must be one line and not empty", name)
		}
		t := newText(name, sample)
		f.texts, f.reach = append(f.texts, t), max(f.reach, t.first, t.second)
	}
	return f, nil
}

// Marks fills dst with the marks in buf from an offset on, in order, and
// returns how many there are and from where to go on: len(buf) when none are
// left. Names may overlap; a name that the buffer ends in is not found. Where
// dst has room for no mark, nothing is done. It panics if buf is longer than
// MaxBuffer.
func (f *Finder) Marks(dst []Mark, buf []byte, from int) (n, next int) {
	if len(buf) > MaxBuffer {
		panic("linemarks: buffer longer than 1 GiB")
	}
	n, from = f.scan(dst, buf, from)
	if n > 0 && len(dst)-n < block {
		return n, from
	}
	rest, next := f.search(dst[n:], buf, from)
	return n + rest, next
}

// stretch is how many bytes are searched for everything before the next are: a
// dst that is full of the one thing does not make the search for the other
// start over far from here.
const stretch = 32 << 10

// search is Marks in portable code.
func (f *Finder) search(dst []Mark, buf []byte, from int) (n, next int) {
	for ; from < len(buf); from = min(from+stretch, len(buf)) {
		end := min(from+stretch, len(buf))
		var places [1 + MaxNames]int
		at := places[:len(f.texts)] // where each text stands next, end if nowhere
		for i := range at {
			at[i] = f.texts[i].index(buf, from, end)
		}
		for place := slices.Min(at); place < end; place = slices.Min(at) {
			if n == len(dst) {
				return n, place
			}
			dst[n] = mark(place, at[0] != place)
			n++
			for i := range at {
				if at[i] == place {
					at[i] = f.texts[i].index(buf, place+1, end)
				}
			}
		}
	}
	return n, from
}

// index returns the first place in buf, from one offset up to another, at which
// the text stands, else the latter. The text may reach beyond it.
func (t *text) index(buf []byte, from, end int) int {
	rare, last := t.name[t.first], len(buf)-len(t.name)
	for ; from < end && from <= last; from++ {
		i := bytes.IndexByte(buf[from+t.first:min(end-1, last)+t.first+1], rare)
		if i < 0 {
			break
		}
		if from += i; t.stands(buf[from:]) {
			return from
		}
	}
	return end
}

// verified drops the marks of names at which none stands, and returns how many
// marks are left.
func (f *Finder) verified(marks []Mark, buf []byte) int {
	n := 0
	for _, m := range marks {
		if !m.Name() || f.stands(buf[m.Offset():]) {
			marks[n] = m
			n++
		}
	}
	return n
}

func (f *Finder) stands(buf []byte) bool {
	for i := range f.texts[1:] {
		if f.texts[1+i].stands(buf) {
			return true
		}
	}
	return false
}
