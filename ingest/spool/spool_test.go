package spool

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
)

// fill puts records of many keys aside, and returns those of each key as they are to
// come back.
func fill(s *Spool, n int) map[int][]Record {
	rng := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // a test
	put := map[int][]Record{}
	for i := range n {
		key := rng.IntN(20) * rng.IntN(3)
		data := bytes.Repeat([]byte{byte(i)}, rng.IntN(500))
		if i%1000 == 7 {
			data = bytes.Repeat([]byte("long"), blockSize/3)
		}
		s.Put(key, uint64(n-i), func(to []byte) []byte { return append(to, data...) }) //nolint:gosec // small
		put[key] = append(put[key], Record{uint64(n - i), data})                       //nolint:gosec // small
	}
	s.Seal()
	return put
}

func check(t *testing.T, s *Spool, put map[int][]Record) {
	t.Helper()
	for key := range 60 {
		var got Records
		got.Reset(s.Size(key))
		if err := s.Read(key, &got); err != nil {
			t.Fatal(err)
		}
		if !slices.EqualFunc(got.List, put[key], func(a, b Record) bool { return a.Number == b.Number && bytes.Equal(a.Data, b.Data) }) {
			t.Errorf("key %d: %d records, want %d", key, len(got.List), len(put[key]))
		}
	}
}

func TestSpool(t *testing.T) {
	for _, room := range []int{0, 1 << 10, 100 << 10, 1 << 30} {
		t.Run(fmt.Sprint(room), func(t *testing.T) {
			s := New(room)
			defer s.Close()
			check(t, s, fill(s, 2000))
			if (s.file != nil) != (room < 1<<30) {
				t.Errorf("a file: %v", s.file != nil)
			}
		})
	}
}

// TestNoFile holds that records stay in memory where no file can be made.
func TestNoFile(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir()+"/gone")
	s := New(1 << 10)
	defer s.Close()
	check(t, s, fill(s, 2000))
	if s.file != nil {
		t.Skipf("temporary files are in %s", os.TempDir())
	}
}

func TestSort(t *testing.T) {
	s := New(1 << 10)
	defer s.Close()
	fill(s, 3000)
	var all Records
	for key := range 60 {
		if err := s.Read(key, &all); err != nil {
			t.Fatal(err)
		}
	}
	all.Sort()
	for i, r := range all.List {
		if r.Number != uint64(i+1) {
			t.Fatalf("record %d is number %d", i, r.Number)
		}
	}
	if len(all.List) != 3000 {
		t.Errorf("%d records", len(all.List))
	}
}

// TestReset holds that the memory of records is used again.
func TestReset(t *testing.T) {
	s := New(1 << 10)
	defer s.Close()
	fill(s, 3000)
	var r Records
	n := testing.AllocsPerRun(10, func() {
		r.Reset(s.Size(0))
		if err := s.Read(0, &r); err != nil {
			t.Fatal(err)
		}
	})
	if n > 0 {
		t.Errorf("%v allocations", n)
	}
}
