package jsonscan

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/knforensics/knforensics/ingest/fuzzing"
)

var texts = []string{
	`{}`, `[]`, `null`, `true`, `-0.5e+10`, `""`, `"a\u00e9\ud83d\ude00\n\"\\\/"`, `"\ud800x"`,
	`{"a":{"b":[1,2,{"c":null}],"d":"x"},"e":[]}`, ` [ 1 , "two" , [ ] , { } ] `,
	`{"a":1,}`, `[1,]`, `{"a" 1}`, `{a:1}`, `[1 2]`, `01`, `1.`, `1e`, `-`, `+1`, `tru`, `nulll`,
	`"abc`, `"\x"`, `"\u12"`, "\"a\tb\"", `{"a":1}}`, `{"a":1} {"b":2}`, ``, ` `, `[`, `{`, `{"a":`, `"\`,
	`{"1234567":"12345678","k":"123456789\\"}`,
}

func TestSkipAgreesWithEncodingJSON(t *testing.T) {
	for _, text := range texts {
		checkAgainstEncodingJSON(t, []byte(text))
	}
}

// FuzzScan: Skip and the walk agree with encoding/json, and Values cuts a text
// into objects and loses nothing of it.
func FuzzScan(f *testing.F) {
	for _, text := range texts {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		fuzzing.Bounded(t, len(data), func() {
			checkAgainstEncodingJSON(t, data)
			checkValues(t, data)
		})
	})
}

// checkValues holds the objects and the rest against the text: between them
// there is white space only, and no object was left at the start of the rest.
func checkValues(t *testing.T, data []byte) {
	t.Helper()
	objects, rest := Values(data)
	left := bytes.TrimSpace(data)
	for _, object := range objects {
		if utf8.Valid(object) && !json.Valid(object) || object[0] != '{' {
			t.Fatalf("%q is no object, but one of those in %q", object, data)
		}
		if !bytes.HasPrefix(left, object) {
			t.Fatalf("%q is not next in %q", object, data)
		}
		left = bytes.TrimSpace(left[len(object):])
	}
	if !bytes.Equal(left, rest) {
		t.Fatalf("the rest is %q, not %q", rest, left)
	}
	if more, _ := Values(rest); len(more) > 0 {
		t.Fatalf("%q was left in the rest of %q", more, data)
	}
}

// checkAgainstEncodingJSON holds Skip and the walk of all members against the
// standard library, on text that is UTF-8.
func checkAgainstEncodingJSON(t *testing.T, data []byte) {
	t.Helper()
	var s Scanner
	s.Reset(data)
	s.Skip()
	skipped := s.End()
	s.Reset(data)
	walked := walk(&s)
	ok := s.End() && s.Err() == nil
	if skipped != ok {
		t.Fatalf("skip says %v, walk says %v: %q", skipped, ok, data)
	}
	if !utf8.Valid(data) {
		return
	}
	if want := json.Valid(data); skipped != want {
		t.Fatalf("valid %v, encoding/json says %v: %q", skipped, want, data)
	}
	if !ok {
		return
	}
	var want any
	d := json.NewDecoder(strings.NewReader(string(data)))
	d.UseNumber()
	if err := d.Decode(&want); err != nil {
		t.Fatal(err)
	}
	got, _ := json.Marshal(walked)
	wanted, _ := json.Marshal(want)
	if string(got) != string(wanted) {
		t.Fatalf("walked %s, want %s", got, wanted)
	}
}

func walk(s *Scanner) any {
	switch c := s.Peek(); {
	case s.BeginObject():
		object := map[string]any{}
		for {
			key, ok := s.Member()
			if !ok {
				return object
			}
			name := string(key)
			object[name] = walk(s)
		}
	case s.BeginArray():
		array := []any{}
		for s.Element() {
			array = append(array, walk(s))
		}
		return array
	case c == '"':
		return string(s.Text())
	case c == 't' || c == 'f':
		return string(s.Raw()) == "true"
	case c == 'n':
		s.Skip()
		return nil
	default:
		return json.Number(s.Raw())
	}
}

func TestDepthIsBounded(t *testing.T) {
	deep := []byte(strings.Repeat("[", MaxDepth+1) + strings.Repeat("]", MaxDepth+1))
	var s Scanner
	s.Reset(deep)
	if s.Skip(); !errors.Is(s.Err(), ErrDepth) {
		t.Errorf("skip: %v", s.Err())
	}
	s.Reset(deep[1 : len(deep)-1])
	if s.Skip(); s.Err() != nil {
		t.Errorf("at the limit: %v", s.Err())
	}
	s.Reset(deep)
	for s.BeginArray() && s.Element() {
	}
	if !errors.Is(s.Err(), ErrDepth) {
		t.Errorf("walk: %v", s.Err())
	}
}

func TestSkipAllocatesNothing(t *testing.T) {
	data := []byte(`{"a":{"b":[1,2,{"c":null}],"d":"x"},"e":[true,"long enough for a word"]}`)
	var s Scanner
	s.Reset(data)
	s.Skip()
	if n := testing.AllocsPerRun(100, func() { s.Reset(data); s.Skip() }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkSkip(b *testing.B) {
	data := []byte(`{"items":[` + strings.Repeat(`{"name":"rt-00002-deployment","ready":true,"n":12345,"nested":{"k":["a","b"]}},`, 999) + `{}]}`)
	var s Scanner
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		s.Reset(data)
		s.Skip()
	}
}
