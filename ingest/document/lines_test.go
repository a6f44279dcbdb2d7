package document

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/knforensics/knforensics/ingest/table"
)

// got is what a reader made of a text.
type got struct {
	records []string // each as it stands in the text
	errs    []error
	lines   []int64 // where each error is said to be
}

// readAll reads a text to its end and holds the place of each record against
// the text.
func readAll(t *testing.T, text string, r Reader) got {
	t.Helper()
	var g got
	keep := func(at table.Location) {
		if at.Offset < 0 || at.Length < 0 || at.Offset+at.Length > int64(len(text)) {
			t.Fatalf("record at %d of %d bytes lies outside of the %d bytes of text", at.Offset, at.Length, len(text))
		}
		record := text[at.Offset : at.Offset+at.Length]
		if want := 1 + int64(strings.Count(text[:at.Offset], "\n")); at.Line != want {
			t.Fatalf("record %.40q is said to be on line %d, is on %d", record, at.Line, want)
		}
		if want := 1 + int64(strings.Count(record, "\n")); at.Lines != want {
			t.Fatalf("record %.40q is said to span %d lines, spans %d", record, at.Lines, want)
		}
		g.records = append(g.records, record)
	}
	for blocks := 0; ; blocks++ {
		if blocks > len(text)+16 {
			t.Fatalf("no end after %d blocks", blocks)
		}
		b, err := r.Next()
		if err == io.EOF {
			return g
		}
		if err != nil {
			t.Fatal(err)
		}
		b.Split(func(line []byte, at table.Location) {
			if keep(at); g.records[len(g.records)-1] != string(line) {
				t.Fatalf("line %.40q, in the text it is %.40q", line, g.records[len(g.records)-1])
			}
		})
		for _, rec := range b.Records {
			keep(rec.Location)
		}
		if b.Err != nil {
			g.errs, g.lines = append(g.errs, b.Err), append(g.lines, b.Line)
		}
	}
}

func checkRecords(t *testing.T, got, want []string) {
	t.Helper()
	if slices.Equal(got, want) {
		return
	}
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || got[i] != want[i] {
			t.Fatalf("%d records, want %d; the first that differs is %d:\n%.80q\nwant\n%.80q", len(got), len(want), i, at(got, i), at(want, i))
		}
	}
}

func at(list []string, i int) string {
	if i < len(list) {
		return list[i]
	}
	return "nothing"
}

func TestLines(t *testing.T) {
	long := strings.Repeat("x", 3*blockSize+17)
	exact := strings.Repeat("y", blockSize-1)
	for _, tt := range []struct {
		name, text string
		want       []string
	}{
		{"nothing", "", nil},
		{"only blanks", "\n \n\r\n\t\n", nil},
		{"no newline at the end", "a\nb", []string{"a", "b"}},
		{"CRLF", "a\r\nb\r\n\r\nc\r\n", []string{"a", "b", "c"}},
		{"blank lines", "\n\na\n\n  \nb\n", []string{"a", "b"}},
		{"indented", "  a \n", []string{"  a "}},
		{"long lines", "a\n" + long + "\nb\n" + long, []string{"a", long, "b", long}},
		{"lines that end with a block", exact + "\n" + exact + "\n" + exact, []string{exact, exact, exact}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for how, r := range map[string]io.Reader{"at once": strings.NewReader(tt.text), "in halves": iotest.HalfReader(strings.NewReader(tt.text)), "data with EOF": iotest.DataErrReader(strings.NewReader(tt.text))} {
				g := readAll(t, tt.text, NewLines(r))
				if len(g.errs) > 0 {
					t.Fatalf("%s: %v", how, g.errs)
				}
				checkRecords(t, g.records, tt.want)
			}
		})
	}
}

func TestLinesOverManyBlocks(t *testing.T) {
	var text strings.Builder
	var want []string
	for i := range 60_000 {
		line := fmt.Sprintf("%d %s", i, strings.Repeat("z", i%97))
		want = append(want, line)
		text.WriteString(line + "\n")
	}
	r := NewLines(strings.NewReader(text.String()))
	checkRecords(t, readAll(t, text.String(), r).records, want)
}

func TestLinesPassOverWhatIsTooLong(t *testing.T) {
	long := strings.Repeat("x", 5*blockSize)
	for name, text := range map[string]string{
		"in the middle": "a\nb\n" + long + "\nc\nd\n",
		"twice":         "a\nb\n" + long + "\nc\n" + long + "\nd",
		"at the start":  long + "\na\nb\nc\nd",
		"at the end":    "a\nb\nc\nd\n" + long,
	} {
		t.Run(name, func(t *testing.T) {
			r := NewLines(strings.NewReader(text))
			r.limit = 2 * blockSize
			g := readAll(t, text, r)
			checkRecords(t, g.records, []string{"a", "b", "c", "d"})
			if want := strings.Count(text, long); len(g.errs) != want {
				t.Fatalf("%d errors, want %d", len(g.errs), want)
			}
			for i, err := range g.errs {
				if !errors.Is(err, ErrTooLong) {
					t.Errorf("error %v", err)
				}
				if line := strings.Split(text, "\n")[g.lines[i]-1]; line != long {
					t.Errorf("the error is said to be on line %d, which is %.20q", g.lines[i], line)
				}
			}
		})
	}
}

func TestLinesBrokenOff(t *testing.T) {
	broken := errors.New("the disk is gone")
	long := strings.Repeat("x", 4*blockSize)
	for _, tt := range []struct {
		name, text string
		want       []string
		line       int64
		errs       int
	}{
		{"within a line", "a\nb\nhalf of", []string{"a", "b"}, 3, 1},
		{"between lines", "a\nb\n", []string{"a", "b"}, 3, 1},
		{"at once", "", nil, 1, 1},
		{"within a line that is too long", "a\n" + long, []string{"a"}, 2, 2},
		{"after a line that is too long", long + "\na\nb\nhalf", []string{"a", "b"}, 4, 2},
	} {
		// io.ErrUnexpectedEOF is what decompressors say of a file that is cut;
		// it must not be taken for its end.
		for _, err := range []error{broken, io.ErrUnexpectedEOF} {
			t.Run(fmt.Sprint(tt.name, ": ", err), func(t *testing.T) {
				r := NewLines(io.MultiReader(strings.NewReader(tt.text), iotest.ErrReader(err)))
				r.limit = 2 * blockSize
				g := readAll(t, tt.text, r)
				checkRecords(t, g.records, tt.want)
				if len(g.errs) != tt.errs || g.errs[tt.errs-1] != err || g.lines[tt.errs-1] != tt.line {
					t.Errorf("errors %v on lines %d, want %v at last, on line %d", g.errs, g.lines, err, tt.line)
				}
			})
		}
	}
}
