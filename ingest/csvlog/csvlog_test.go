package csvlog

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
)

func TestStarts(t *testing.T) {
	for _, tt := range []struct {
		first, rest string
		want        bool
	}{
		{"@timestamp,@message", "", true},
		{`"_raw"`, `"{""a"":1}"`, true},
		{"a,b", "1,\"{\n  \"\"a\"\":1}\"", true},
		{"time,line", "1,I0302 09:00:00.000000       1 a.go:1] x", true},
		{"AuditId,Level,ObjectRef,Verb", "", true},
		{"starting", "\"{\"\"a\"\":1}\"", false},
		{"a,b", "1,2", false},
		{"starting", "I0302 09:00:00.000000       1 a.go:1] x, y", false},
		{`{"a":1}`, `{"a":2}`, false},
		{`"a`, `"{""a"":1}"`, false},
	} {
		if got := Starts([]byte(tt.first), []byte(tt.rest)); got != tt.want {
			t.Errorf("%q and %q: %v", tt.first, tt.rest, got)
		}
	}
}

func TestReader(t *testing.T) {
	const text = "# exported\n\"a\",b\r\n1,\"x\n\ny\"\n\n\"a\",b\r\n2,\"\"\"\"\n3,\"open\n"
	r := NewReader(strings.NewReader(text))
	var got []string
	for b, err := r.Next(); err != io.EOF; b, err = r.Next() {
		for _, rec := range b.Records {
			cells, err := Cells(rec.JSON)
			got = append(got, fmt.Sprintf("%d+%d %q %v", rec.Line, rec.Lines, cells, err))
			if !slices.Equal(rec.Columns, []string{"a", "b"}) || !strings.HasPrefix(text[rec.Offset:rec.Offset+rec.Length], string(rec.JSON[:3])) {
				t.Errorf("%+v", rec)
			}
		}
	}
	want := []string{`3+3 ["1" "x\ny"] <nil>`, `8+1 ["2" "\""] <nil>`, `9+1 [] invalid CSV: extraneous or missing " in quoted-field`}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestObject(t *testing.T) {
	h := Header{"AuditId", "Verb", "ObjectRef"}
	if got := string(h.Object([]string{"x", " ", `{"a":1}`})); got != `{"AuditId":"x","ObjectRef":"{\"a\":1}"}` || !h.IsAKS() || h.Wrapper() != "eventhub" {
		t.Error(got)
	}
}
