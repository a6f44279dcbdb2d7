package jsonscan

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
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
	`{"a":"x","k":"\t\t\t\"quoted\": \"and longer than a word\"\n\t\t}"}`, `{ "a":"x" , "a" : "y", "a":"z\u00e9" }`, `{"a":"x\u12","k":""}`, `{"a":"12345\n8` + "\x01" + `"}`,
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
	walked, ok := walkAll(data, walker{})
	if skipped != ok {
		t.Fatalf("skip says %v, walk says %v: %q", skipped, ok, data)
	}
	guessed, ok := walkAll(data, walker{guesses: true})
	if skipped != ok || ok && !reflect.DeepEqual(walked, guessed) {
		t.Fatalf("walked %v, guessing %v (%v): %q", walked, guessed, ok, data)
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

// walkAll reads a text that is one value.
func walkAll(data []byte, w walker) (value any, ok bool) {
	w.Reset(data)
	value = w.value()
	return value, w.End() && w.Err() == nil
}

// walker reads values with Member and Text, or else with String, after trying
// StringMember with some keys.
type walker struct {
	Scanner
	guesses bool
}

func (w *walker) value() any {
	switch c := w.Peek(); {
	case w.BeginObject():
		object := map[string]any{}
		for w.member(object) {
		}
		return object
	case w.BeginArray():
		array := []any{}
		for w.Element() {
			array = append(array, w.value())
		}
		return array
	case c == '"' && w.guesses:
		return w.String()
	case c == '"':
		return string(w.Text())
	case c == 't' || c == 'f':
		return string(w.Raw()) == "true"
	case c == 'n':
		w.Skip()
		return nil
	default:
		return json.Number(w.Raw())
	}
}

func (w *walker) member(object map[string]any) bool {
	for _, key := range []string{"a", "k", "1234567", ""} {
		if !w.guesses {
			break
		}
		if text, ok := w.StringMember(`"` + key + `":"`); ok {
			object[key] = text
			return true
		}
	}
	key, ok := w.Member()
	if ok {
		name := string(key)
		object[name] = w.value()
	}
	return ok
}

func TestSpecial(t *testing.T) {
	const likely = "\"\\\x00\x1f !#[]\x7f\x80\xa2\xdc\xff"
	random := rand.New(rand.NewPCG(1, 2))
	for range 100000 {
		data := make([]byte, random.IntN(20))
		for i := range data {
			data[i] = likely[random.IntN(len(likely))]
		}
		want := bytes.IndexFunc(data, func(r rune) bool { return r == '"' || r == '\\' || r < 0x20 })
		if want < 0 {
			want = len(data)
		}
		if got := special(data, 0); got != want {
			t.Fatalf("%d, want %d: %q", got, want, data)
		}
	}
}

func TestStringsKeepTheirContent(t *testing.T) {
	var text bytes.Buffer
	var want []string
	for i := range 3000 {
		want = append(want, strings.Repeat(fmt.Sprintf("%d\n", i), i%50+1))
	}
	if err := json.NewEncoder(&text).Encode(want); err != nil {
		t.Fatal(err)
	}
	var got []string
	allocs := testing.AllocsPerRun(1, func() {
		var s Scanner
		s.Reset(text.Bytes())
		got = make([]string, 0, len(want))
		for s.BeginArray(); s.Element(); {
			got = append(got, s.String())
		}
	})
	if !slices.Equal(got, want) {
		t.Error("a string was written over")
	}
	if allocs > 100 {
		t.Errorf("%v allocations", allocs)
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

func BenchmarkString(b *testing.B) {
	for name, text := range map[string]string{
		"plain":   "Subset of activator endpoints (needed 3 of 3): 10.244.0.7, 10.244.0.8, 10.244.0.9",
		"escaped": `Updating status with:   v1.RevisionStatus{\n  \tStatus: duckv1.Status{\n- \t\tObservedGeneration: 1,\n+ \t\tConditions:  duckv1.Conditions{{Type: \"Active\", Status: \"Unknown\", Reason: \"Deploying\"}}`,
	} {
		b.Run(name, func(b *testing.B) {
			data := []byte(`"` + text + `"`)
			var s Scanner
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				s.Reset(data)
				_ = s.String()
			}
		})
	}
}
