package duplicate

import (
	"math/rand/v2"
	"os"
	"slices"
	"testing"
)

// give gives prints in blocks, and returns the positions of those that were said
// to be given before.
func give(t *testing.T, s *Set, prints []Print, block int) (again []int) {
	t.Helper()
	for from := 0; from < len(prints); from += block {
		list, err := s.Again(prints[from:min(len(prints), from+block)])
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range list {
			again = append(again, from+i)
		}
	}
	return again
}

// expected returns the positions of prints that stand before in the list.
func expected(prints []Print) (again []int) {
	seen := map[Print]bool{}
	for i, p := range prints {
		if seen[p] {
			again = append(again, i)
		}
		seen[p] = true
	}
	return again
}

// log returns n prints, nearly in the order of time; one in a hundred has no time.
func log(n int, rng *rand.Rand) []Print {
	list := make([]Print, n)
	for i := range list {
		list[i] = Print{rng.Uint64(), int64(1000 + i + rng.IntN(300))}
		if i%100 == 0 {
			list[i].At = 0
		}
	}
	list[n/2].Hash = 0
	return list
}

func TestAgain(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // a test
	many := 3 * mostInMemory
	if testing.Short() {
		many = 80_000
	}
	one, two := log(many, rng), log(4000, rng)
	shuffled := slices.Clone(one)
	rng.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	for name, prints := range map[string][]Print{
		"nothing twice":           one,
		"a log twice":             slices.Concat(one, one),
		"the end again":           slices.Concat(two, two[3000:]),
		"one block twice":         slices.Concat(two[:100], two[:100]),
		"the start long after":    slices.Concat(one, two, one[:5000]),
		"in any order":            slices.Concat(shuffled, shuffled[:9999]),
		"a log, and in any order": slices.Concat(one[:70_000], shuffled),
	} {
		t.Run(name, func(t *testing.T) {
			var s Set
			defer s.Close()
			if got, want := give(t, &s, prints, 470), expected(prints); !slices.Equal(got, want) {
				t.Errorf("%d of %d were given before, want %d", len(got), len(prints), len(want))
			}
		})
	}
}

// TestBounded holds that hashes of long ago are not in memory, and that no file is
// left.
func TestBounded(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	var s Set
	rng := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // a test
	give(t, &s, log(5*mostInMemory, rng), 470)
	if s.inMemory > mostInMemory || len(s.near.slots) > 1<<14 || s.all != nil || s.file == nil {
		t.Errorf("%d hashes in memory, %d slots, one table: %v, a file: %v", s.inMemory, len(s.near.slots), s.all != nil, s.file != nil)
	}
	s.Close()
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left: %v %v", left, err)
	}
}

// TestWithoutAPlaceForTheFile holds that all is kept in memory then.
func TestWithoutAPlaceForTheFile(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir()+"/missing")
	var s Set
	rng := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // a test
	prints := log(2*mostInMemory, rng)
	prints = append(prints, prints[:5000]...)
	if got, want := give(t, &s, prints, 470), expected(prints); !slices.Equal(got, want) {
		t.Errorf("%d were given before, want %d", len(got), len(want))
	}
}

func BenchmarkAgain(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // a test
	prints := log(1<<20, rng)
	b.ReportAllocs()
	for b.Loop() {
		var s Set
		for from := 0; from < len(prints); from += 512 {
			if _, err := s.Again(prints[from : from+512]); err != nil {
				b.Fatal(err)
			}
		}
		s.Close()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(prints)), "ns/print")
}
