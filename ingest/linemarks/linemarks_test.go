package linemarks

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

const event = `{"kind":"Event","auditID":"0b7e6f0e-8d0c-4d5e-8a51-2f1c7e0e5b7a","verb":"update","user":{"username":"system:serviceaccount:knative-serving:controller"},"objectRef":{"resource":"revisions","namespace":"team-b","name":"email-018-00002"}}` + "\n"

// naive looks at each byte.
func naive(buf []byte, names ...string) (marks []Mark) {
	for i, c := range buf {
		if c == '\n' {
			marks = append(marks, mark(i, false))
		} else if slices.ContainsFunc(names, func(name string) bool { return bytes.HasPrefix(buf[i:], []byte(name)) }) {
			marks = append(marks, mark(i, true))
		}
	}
	return marks
}

type step func(dst []Mark, buf []byte, from int) (n, next int)

// all goes through a buffer with room for some marks at a time.
func all(t *testing.T, next step, buf []byte, from, room int) (marks []Mark) {
	t.Helper()
	dst := make([]Mark, room)
	for from < len(buf) {
		n, to := next(dst, buf, from)
		if to < from || to == from && n == 0 {
			t.Fatalf("%d marks and no way on from %d", n, from)
		}
		marks, from = append(marks, dst[:n]...), to
	}
	return marks
}

// same holds the search, and the portable one, against the naive one.
func same(t *testing.T, sample, buf []byte, from, room int, names ...string) {
	t.Helper()
	f, err := New(sample, names...)
	if err != nil {
		t.Fatal(err)
	}
	want := naive(buf, names...)
	for len(want) > 0 && want[0].Offset() < from {
		want = want[1:]
	}
	for kind, next := range map[string]step{"vectors": f.Marks, "portable": f.search} {
		if got := all(t, next, buf, from, room); !slices.Equal(got, want) {
			t.Fatalf("%s: %q in %q from %d, %d at once: got %v, want %v", kind, names, buf, from, room, got, want)
		}
	}
}

func TestMarks(t *testing.T) {
	f, err := New([]byte(event), "email-018")
	if err != nil {
		t.Fatal(err)
	}
	buf := []byte("a email-018\n\nemail-01\nemail-018email-018\nemail-01")
	var got []string
	for _, m := range all(t, f.Marks, buf, 0, 100) {
		got = append(got, fmt.Sprintf("%d %v", m.Offset(), m.Name()))
	}
	if want := "2 true|11 false|12 false|21 false|22 true|31 true|40 false"; strings.Join(got, "|") != want {
		t.Errorf("got %q, want %q", strings.Join(got, "|"), want)
	}
}

// TestLengths: buffers of all lengths around those of vectors, with a name at
// their end, cut at it and at their start; names of all lengths.
func TestLengths(t *testing.T) {
	for size := range 300 {
		for _, length := range []int{1, 2, 3, 8, 31, 32, 33, 64} {
			name := strings.Repeat("xy", 32)[:length]
			buf := append(bytes.Repeat([]byte("a\n"), size), name...)[size:]
			for _, buf := range [][]byte{buf, buf[:len(buf)-1], append([]byte(name), buf...)} {
				same(t, buf, buf, 0, 64, name)
				same(t, nil, buf, size/2, 64+size, name)
			}
		}
	}
	for length := 1; length <= 64; length++ {
		name := strings.Repeat("0123456789abcdef", 4)[:length]
		same(t, []byte(event), []byte(strings.Repeat(event+name, 3)), 0, 100, name)
	}
}

// TestDense: more marks than there is room for, in overlapping names and in
// places where only the pair of bytes is right.
func TestDense(t *testing.T) {
	for name, buf := range map[string]string{
		"aa": strings.Repeat("a", 500), "abab": strings.Repeat("ab", 300), "abb": strings.Repeat("aab", 300),
		"axb": strings.Repeat("ayb", 3*stretch/2) + "axb", "a": strings.Repeat("\n", 3*stretch) + "a\n",
	} {
		for _, room := range []int{1, 2, 63, 64, 65, 120, 200} {
			if len(buf) > 1000 && room < 60 {
				continue
			}
			same(t, nil, []byte(buf), 0, room, name)
			same(t, nil, []byte(buf), 7, room, name, "b")
		}
	}
}

func TestNames(t *testing.T) {
	buf := []byte(strings.Repeat(event, 20))
	same(t, buf, buf, 0, 100, "email-018", "knative-serving")
	same(t, buf, buf, 0, 100, "email-018", "email-018-00002", "mail")
	same(t, buf, buf, 0, 100, "a", "b", "c", "d", "e", "f", "g", "team-b")
	for _, names := range [][]string{{}, {""}, {"a\nb"}, {"a", ""}, make([]string, MaxNames+1)} {
		if _, err := New(nil, names...); err == nil {
			t.Errorf("%q: no error", names)
		}
	}
}

// TestRarest: in a log, the two bytes are right in few places but those of the
// name.
func TestRarest(t *testing.T) {
	log := []byte(strings.Repeat(event, 20))
	for name, most := range map[string]int{"email-018": 20, "email-018-00002": 20, "cart-7": 0, "e": 20 * strings.Count(event, "e"), "ee": 0, "serving-v": 0} {
		first, second := rarest(name, log)
		places := 0
		for i := range len(log) - len(name) {
			if log[i+first] == name[first] && log[i+second] == name[second] {
				places++
			}
		}
		if places > most {
			t.Errorf("%s: %q at %d and %q at %d in %d places, want at most %d", name, name[first], first, name[second], second, places, most)
		}
	}
	if first, second := rarest("ab", nil); first == second {
		t.Error("without a sample, one byte was chosen twice")
	}
}

func TestMarksAllocatesNothing(t *testing.T) {
	f, err := New(nil, "email-018", "team")
	if err != nil {
		t.Fatal(err)
	}
	buf, dst := []byte(strings.Repeat(event, 20)), make([]Mark, 1000)
	if n := testing.AllocsPerRun(100, func() { f.Marks(dst, buf, 0) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func FuzzMarks(f *testing.F) {
	f.Add([]byte(event), "email-018", "email", uint16(64), uint16(0), uint16(10))
	f.Add([]byte(strings.Repeat("a", 300)), "aa", "aaa", uint16(10), uint16(0), uint16(64))
	f.Add([]byte(strings.Repeat("ab\n", 100)), "b", "ba", uint16(0), uint16(3), uint16(100))
	f.Fuzz(func(t *testing.T, buf []byte, name, other string, sample, from, room uint16) {
		if len(buf) > 1<<16 || strings.Contains(name+other, "\n") || name == "" || other == "" {
			t.Skip()
		}
		same(t, buf[:min(int(sample), len(buf))], buf, int(from), 1+int(room), name, other)
	})
}

// log is a megabyte of lines as long as in an audit log, a name in few of them.
func log() []byte {
	random := rand.New(rand.NewPCG(1, 2))
	var buf bytes.Buffer
	for buf.Len() < 1<<20 {
		line := strings.Repeat(strings.ReplaceAll(event[:len(event)-1], "email-018", fmt.Sprintf("cart-%03d", random.IntN(1000))), 8)
		if random.IntN(100) == 0 {
			line += "email-018"
		}
		buf.WriteString(line + "\n")
	}
	return buf.Bytes()
}

func BenchmarkMarks(b *testing.B) {
	buf, dst := log(), make([]Mark, 4096)
	for _, names := range [][]string{{"email-018"}, {"email-018", "knforensics"}} {
		f, err := New(buf, names...)
		if err != nil {
			b.Fatal(err)
		}
		for kind, next := range map[string]step{"vectors": f.Marks, "portable": f.search} {
			b.Run(fmt.Sprintf("%d/%s", len(names), kind), func(b *testing.B) {
				b.SetBytes(int64(len(buf)))
				b.ReportAllocs()
				for b.Loop() {
					for at := 0; at < len(buf); {
						_, at = next(dst, buf, at)
					}
				}
			})
		}
	}
	b.Run("newlines", func(b *testing.B) {
		b.SetBytes(int64(len(buf)))
		for b.Loop() {
			bytes.Count(buf, []byte{'\n'})
		}
	})
}
