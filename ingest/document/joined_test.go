package document

import (
	"bytes"
	"io"
	"strings"
	"testing"
)

// TestJoinedTooLong: parts that are too long together are no record, and the
// next one is.
func TestJoinedTooLong(t *testing.T) {
	part := strings.Repeat("x", 100)
	j := NewJoined(strings.NewReader("P"+part+"\nP"+part+"\nP"+part+"\nF\nP1\nF2\n"), func(line []byte) (string, bool) { return "s", line[0] == 'P' })
	j.lines.limit = 250
	var records []Record
	for b, err := j.Next(); err != io.EOF; b, err = j.Next() {
		records = append(records, b.Records...)
	}
	if len(records) != 2 || records[0].Err != ErrTooLong || records[0].JSON != nil || records[0].Lines != 4 {
		t.Fatalf("%+v", records)
	}
	if r := records[1]; r.Err != nil || !bytes.Equal(r.JSON, []byte("P1\nF2")) || r.Line != 5 || r.Lines != 2 {
		t.Errorf("%+v", r)
	}
}
