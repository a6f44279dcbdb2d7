// Package spool puts records aside by keys and gives them back by these, in memory
// that does not grow with how many there are.
//
// Records are gathered in memory. When that is full they go into a file without a
// name, those of one key side by side, so that they are read again in few large
// pieces. Where no file can be written, they stay in memory.
package spool

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"io"
	"slices"
	"sort"

	"github.com/knforensics/knforensics/ingest/unnamed"
)

// Spool holds records. It is first filled, and then read.
type Spool struct {
	room   int      // how many bytes may be in memory
	blocks [][]byte // the records there, one behind the other
	under  int      // the block under way
	held   int      // bytes in all blocks
	places []place  // of each record there
	pieces [][]piece
	sizes  []int64 // of each key, in bytes
	file   *unnamed.File
	end    int64 // of the file
	full   bool  // nothing more can be written to it
}

// place is where a record is in memory.
type place struct{ key, block, at, n uint32 }

// blockSize is what blocks have room for. A larger record has one of its own.
const blockSize = 1 << 20

// piece is a stretch of the file with records of one key.
type piece struct {
	at int64
	n  int
}

// head is what stands before a record: its number and its length.
const head = 8 + 4

// New returns an empty Spool that has about so many bytes in memory at most.
func New(room int) *Spool { return &Spool{room: room} }

// Put puts a record aside: what encode appends to the bytes that it is given. Keys are
// small numbers; number tells the order of the records.
func (s *Spool) Put(key int, number uint64, encode func([]byte) []byte) {
	if s.held >= s.room && !s.full {
		s.full = s.spill() != nil
	}
	block := s.block()
	at := len(*block)
	*block = encode(append(binary.LittleEndian.AppendUint64(*block, number), 0, 0, 0, 0))
	n := len(*block) - at
	binary.LittleEndian.PutUint32((*block)[at+8:], uint32(n-head))                          //nolint:gosec // a record is shorter
	s.places = append(s.places, place{uint32(key), uint32(s.under), uint32(at), uint32(n)}) //nolint:gosec // they are small
	s.held += n
	for len(s.sizes) <= key {
		s.sizes, s.pieces = append(s.sizes, 0), append(s.pieces, nil)
	}
	s.sizes[key] += int64(n)
}

// block returns the block for the next record: one that has some room left.
func (s *Spool) block() *[]byte {
	const most = blockSize - 16<<10
	if s.under < len(s.blocks) && len(s.blocks[s.under]) > most {
		s.under++
	}
	if s.under == len(s.blocks) {
		s.blocks = append(s.blocks, make([]byte, 0, blockSize))
	}
	return &s.blocks[s.under]
}

func (s *Spool) at(p place) []byte { return s.blocks[p.block][p.at : p.at+p.n] }

// Size returns how many bytes the records of a key have.
func (s *Spool) Size(key int) int64 {
	if key >= len(s.sizes) {
		return 0
	}
	return s.sizes[key]
}

// sort puts the records in memory in the order of their keys.
func (s *Spool) sort() {
	slices.SortStableFunc(s.places, func(a, b place) int { return cmp.Compare(a.key, b.key) })
}

// spill puts what is in memory into the file.
func (s *Spool) spill() error {
	if s.file == nil {
		f, err := unnamed.Create()
		if err != nil {
			return err
		}
		s.file = f
	}
	s.sort()
	out := bufio.NewWriterSize(io.NewOffsetWriter(s.file, s.end), 1<<20)
	for _, p := range s.places {
		if _, err := out.Write(s.at(p)); err != nil {
			return err
		}
	}
	if err := out.Flush(); err != nil {
		return err
	}
	for rest := s.places; len(rest) > 0; {
		key, n, bytes := rest[0].key, 0, 0
		for n < len(rest) && rest[n].key == key {
			bytes += int(rest[n].n)
			n++
		}
		s.pieces[key] = append(s.pieces[key], piece{s.end, bytes})
		s.end += int64(bytes)
		rest = rest[n:]
	}
	for i := range s.blocks {
		s.blocks[i] = s.blocks[i][:0]
	}
	s.places, s.under, s.held = s.places[:0], 0, 0
	return nil
}

// Record is a record that was put aside.
type Record struct {
	Number uint64
	Data   []byte
}

// Records are some records, and the memory that they are in.
type Records struct {
	List  []Record
	bytes []byte
}

// Seal ends the filling. Records can be read from then on, by several at once.
func (s *Spool) Seal() { s.sort() }

// Read adds the records of a key to some others, which stay as they are.
func (s *Spool) Read(key int, to *Records) error {
	if key >= len(s.pieces) {
		return nil
	}
	for _, p := range s.pieces[key] {
		at := to.grow(p.n)
		if _, err := s.file.ReadAt(at, p.at); err != nil {
			return err
		}
		to.add(at)
	}
	from := sort.Search(len(s.places), func(i int) bool { return int(s.places[i].key) >= key })
	for _, p := range s.places[from:] {
		if int(p.key) != key {
			break
		}
		to.add(s.at(p))
	}
	return nil
}

// grow returns memory for n bytes. What was returned before stays.
func (r *Records) grow(n int) []byte {
	if cap(r.bytes)-len(r.bytes) < n {
		r.bytes = make([]byte, 0, n)
	}
	from := len(r.bytes)
	r.bytes = r.bytes[:from+n]
	return r.bytes[from : from+n : from+n]
}

func (r *Records) add(bytes []byte) {
	for len(bytes) > 0 {
		end := head + int(binary.LittleEndian.Uint32(bytes[8:]))
		r.List = append(r.List, Record{binary.LittleEndian.Uint64(bytes), bytes[head:end]})
		bytes = bytes[end:]
	}
}

// Reset leaves no records, and room for so many bytes of them. The memory of those
// that there were is used again.
func (r *Records) Reset(bytes int64) {
	r.List = r.List[:0]
	r.bytes = slices.Grow(r.bytes[:0], int(bytes))
}

// Sort puts the records in their order.
func (r *Records) Sort() {
	slices.SortFunc(r.List, func(a, b Record) int { return cmp.Compare(a.Number, b.Number) })
}

// Close removes the file, if there is one.
func (s *Spool) Close() {
	if s.file != nil {
		_ = s.file.Close()
	}
	s.file = nil
}
