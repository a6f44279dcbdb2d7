// Package duplicate tells which records were given before, in memory that does
// not grow with how many there are.
//
// A record that was given before was given with the same time. Logs are nearly in
// the order of time, so what is read at once covers a short stretch of it, and
// only what was read of the same stretch has to be compared: the block before in
// most cases, and the same hour of another copy where there is one. Set keeps
// the hashes by the stretches they are of, and puts those of long ago into a file,
// from where it gets them back if their time comes again.
//
// Where the order of time means nothing, as in a log that was shuffled, most
// stretches are of the same time; then one table of all hashes is made.
package duplicate

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/knforensics/knforensics/ingest/unnamed"
)

// Print stands for the content of a record: equal for what was given twice.
type Print struct {
	Hash uint64
	At   int64 // when the record is from, in any unit; 0 if it tells no time
}

// Set remembers prints. The zero value is empty.
type Set struct {
	stretches []stretch
	timeless  table
	inMemory  int // hashes
	file      *unnamed.File
	full      bool   // nothing more can be written to it
	end       int64  // of the file
	all       *table // instead of the stretches, once they tell nothing
	near      table  // of the stretches that the one under way is compared with
	unused    []uint64
	bytes     []byte
}

// stretch has the hashes that were given at once.
type stretch struct {
	from, to int64
	hashes   []uint64 // nil if they are in the file
	at       int64    // where there
	n        int
}

const (
	mostInMemory = 256 << 10 // hashes, of 8 bytes
	mostAlike    = 512       // stretches of one time
)

// Again takes prints, and returns which of them were given before, to this call
// or to one before it. An error is one of reading the file.
func (s *Set) Again(prints []Print) (again []int, err error) {
	now := stretch{from: 1<<63 - 1, to: -1 << 63, hashes: s.spare(len(prints))}
	for _, p := range prints {
		if p.At != 0 {
			now.from, now.to = min(now.from, p.At), max(now.to, p.At)
		}
	}
	known, err := s.around(now.from, now.to)
	if err != nil {
		return nil, fmt.Errorf("look for records that were given before: %w", err)
	}
	for i, p := range prints {
		in := known
		if p.At == 0 {
			in = &s.timeless
		}
		switch {
		case !in.add(p.Hash):
			again = append(again, i)
		case p.At != 0 && s.all == nil:
			now.hashes = append(now.hashes, p.Hash)
		}
	}
	if now.n = len(now.hashes); now.n > 0 {
		s.stretches = append(s.stretches, now)
		s.inMemory += now.n
		s.unused = s.unused[now.n:now.n:cap(s.unused)]
	}
	if s.inMemory > mostInMemory && !s.full {
		s.full = s.spill() != nil
	}
	return again, nil
}

// spare returns an empty slice with room for n hashes. Many share a piece of
// memory.
func (s *Set) spare(n int) []uint64 {
	if cap(s.unused) < n {
		s.unused = make([]uint64, 0, max(n, 16<<10))
	}
	return s.unused[:0:n]
}

// around returns the hashes of the stretches that are of some of a time.
func (s *Set) around(from, to int64) (*table, error) {
	if s.all != nil {
		return s.all, nil
	}
	s.near.clear()
	alike := 0
	for i := range s.stretches {
		of := &s.stretches[i]
		if of.to < from || of.from > to {
			continue
		}
		if alike++; alike > mostAlike {
			return s.join()
		}
		if err := s.load(of, &s.near); err != nil {
			return nil, err
		}
	}
	return &s.near, nil
}

// join makes one table of all stretches.
func (s *Set) join() (*table, error) {
	s.all = &table{}
	for i := range s.stretches {
		if err := s.load(&s.stretches[i], s.all); err != nil {
			return nil, err
		}
	}
	s.stretches, s.near, s.inMemory = nil, table{}, 0
	s.Close()
	return s.all, nil
}

func (s *Set) load(of *stretch, to *table) error {
	if of.hashes != nil {
		for _, h := range of.hashes {
			to.add(h)
		}
		return nil
	}
	s.bytes = slices.Grow(s.bytes[:0], 8*of.n)[:8*of.n]
	if _, err := s.file.ReadAt(s.bytes, of.at); err != nil {
		return err
	}
	for rest := s.bytes; len(rest) > 0; rest = rest[8:] {
		to.add(binary.LittleEndian.Uint64(rest))
	}
	return nil
}

// spill puts the older half of what is in memory into the file. What could not be
// written stays in memory.
func (s *Set) spill() error {
	if s.file == nil {
		f, err := unnamed.Create()
		if err != nil {
			return err
		}
		s.file = f
	}
	for i := range s.stretches {
		of := &s.stretches[i]
		if s.inMemory <= mostInMemory/2 {
			break
		}
		if of.hashes == nil {
			continue
		}
		s.bytes = s.bytes[:0]
		for _, h := range of.hashes {
			s.bytes = binary.LittleEndian.AppendUint64(s.bytes, h)
		}
		if _, err := s.file.WriteAt(s.bytes, s.end); err != nil {
			return err
		}
		of.at, of.hashes = s.end, nil // its memory is given back with those that share it
		s.end += int64(len(s.bytes))
		s.inMemory -= of.n
	}
	return nil
}

// Close removes the file, if there is one.
func (s *Set) Close() {
	if s.file != nil {
		_ = s.file.Close()
	}
	s.file = nil
}
