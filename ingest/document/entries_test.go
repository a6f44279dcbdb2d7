package document

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

func TestEntries(t *testing.T) {
	indented := func(_, line []byte) bool { return line[0] == ' ' }
	text := " a\nb\n c\n\n d\r\ne\n" + " " + strings.Repeat("x", 300) + "\n y\nz\n"
	e := NewEntries(io.MultiReader(strings.NewReader(text), iotest.ErrReader(errors.New("gone"))), indented)
	e.lines.limit = 200
	var got []string
	for b, err := e.Next(); err != io.EOF; b, err = e.Next() {
		for _, r := range b.Records {
			got = append(got, fmt.Sprintf("%d+%d %q %v", r.Line, r.Lines, r.JSON, r.Err))
			if r.Err == nil && strings.ReplaceAll(strings.ReplaceAll(text[r.Offset:r.Offset+r.Length], "\n\n", "\n"), "\r", "") != string(r.JSON) {
				t.Errorf("%+v is not in its place", r)
			}
		}
		if b.Err != nil {
			got = append(got, b.Err.Error())
		}
	}
	want := []string{`1+1 " a" <nil>`, `2+4 "b\n c\n d" <nil>`, `6+2 "" record longer than 256 MiB`, `8+1 " y" <nil>`, `9+1 "z" <nil>`, "gone"}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// checkEntries: entries hold every line once, in order.
func checkEntries(t *testing.T, data []byte) {
	t.Helper()
	e := NewEntries(bytes.NewReader(data), func(entry, line []byte) bool { return line[0] == ' ' || entry[0] == '{' && line[0] == '}' })
	last := int64(0)
	var got []byte
	for {
		b, err := e.Next()
		if err != nil {
			break
		}
		for _, rec := range b.Records {
			if rec.Line <= last || rec.Lines < 1 || rec.Offset+rec.Length > int64(len(data)) {
				t.Fatalf("line %d after line %d: %+v", rec.Line, last, rec)
			}
			last = rec.Line + rec.Lines - 1
			got = append(append(got, rec.JSON...), '\n')
		}
	}
	var want []byte
	for _, line := range linesOf(data) {
		want = append(append(want, line...), '\n')
	}
	if !bytes.Equal(got, want) {
		t.Fatalf("got %q, want %q", got, want)
	}
}
