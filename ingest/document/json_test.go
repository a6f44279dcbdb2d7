package document

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/knforensics/knforensics/ingest/jsonscan"
)

// kubectlList is laid out as kubectl prints lists: sorted keys, the items in
// the middle.
const kubectlList = `{
    "apiVersion": "v1",
    "items": [
        {
            "kind": "A",
            "list": [
                {
                    "x": "]}{[,\"\\"
                }
            ]
        },
        {
            "kind": "B"
        },
        {
            "kind": "C"
        }
    ],
    "kind": "List",
    "metadata": {
        "items": [
            1
        ],
        "resourceVersion": ""
    }
}
`

// names are the values of the members named kind, one for each record.
func names(t *testing.T, records []string) (list []string) {
	t.Helper()
	for _, text := range records {
		var record struct{ Kind string }
		if err := json.Unmarshal([]byte(text), &record); err != nil {
			record.Kind = "broken"
		}
		list = append(list, record.Kind)
	}
	return list
}

func TestJSON(t *testing.T) {
	pretty := "{\n  \"kind\": \"A\",\n  \"b\": [1, 2]\n}\n"
	for _, tt := range []struct{ name, text, want string }{
		{"nothing", " \n ", ""},
		{"one object over several lines", pretty, "A"},
		{"no newline at the end", strings.TrimSpace(pretty), "A"},
		{"a list as kubectl prints it", kubectlList, "A B C"},
		{"a list on one line", `{"kind":"List","items":[{"kind":"A"},{"kind":"B"}]}`, "A B"},
		{"an empty list", `{"kind":"List","items":[]}`, ""},
		{"an array", `[{"kind":"A"},{"kind":"B"}]`, "A B"},
		{"an array over lines", "[\n{\"kind\":\"A\"}\n,\n{\"kind\":\"B\"}\n]\n", "A B"},
		{"an empty array", "[ ]", ""},
		{"lists in an array stay whole", `[{"kind":"L","items":[{"kind":"A"}]},[]]`, "L broken"},
		{"an array called items within", `{"kind":"A","spec":{"items":[{"kind":"B"}]}}`, "A"},
		{"items that are no array", `{"kind":"A","items":{"kind":"B"}}`, "A"},
		{"concatenated", pretty + pretty + `{"kind":"B"}{"kind":"C"}` + "\n\n" + kubectlList + pretty, "A A B C A B C A"},
		{"CRLF", strings.ReplaceAll(kubectlList, "\n", "\r\n"), "A B C"},
		{"comments", "# made by hand\n" + pretty + "# the end", "A"},
		{"brackets and quotes in strings", `{"x":"}]\\\"{[","kind":"A"}{"kind":"B"}`, "A B"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for how, r := range map[string]io.Reader{"at once": strings.NewReader(tt.text), "byte by byte": iotest.OneByteReader(strings.NewReader(tt.text))} {
				g := readAll(t, tt.text, NewJSON(r))
				if len(g.errs) > 0 {
					t.Fatalf("%s: %v on line %d", how, g.errs, g.lines)
				}
				if got := strings.Join(names(t, g.records), " "); got != tt.want {
					t.Errorf("%s: records %q, want %q", how, got, tt.want)
				}
			}
		})
	}
}

func TestJSONTellsTheTypeOfTheList(t *testing.T) {
	text := `{"kind":"PodList","apiVersion":"v1","metadata":{},"items":[{"a":1},{"b":2}]}{"kind":"Pod"}[{"c":3}]{"items":[{"d":4}],"kind":"PodList"}`
	var got []List
	r := NewJSON(strings.NewReader(text))
	b, err := r.Next()
	if err != nil {
		t.Fatal(err)
	}
	for _, rec := range b.Records {
		got = append(got, rec.List)
	}
	want := []List{{APIVersion: "v1", Kind: "PodList"}, {APIVersion: "v1", Kind: "PodList"}, {}, {Array: true}, {}}
	if !slices.Equal(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestBrokenJSON(t *testing.T) {
	brokenItem := strings.Replace(kubectlList, `"kind": "B"`, `"kind": "B`, 1)
	for _, tt := range []struct {
		name, text, want string
		errs             []string // line and reason of each
	}{
		{"cut within an item", kubectlList[:strings.Index(kubectlList, `"B"`)], "A", []string{"12: the text ends inside a JSON value"}},
		{"cut after an item", kubectlList[:strings.Index(kubectlList, `"B"`)+13], "A B", []string{"14: the text ends inside a JSON value"}},
		{"cut after a comma", kubectlList[:strings.Index(kubectlList, `"B"`)+14], "A B", []string{"14: the text ends inside a JSON value"}},
		{"cut after the items", kubectlList[:strings.Index(kubectlList, `"metadata"`)], "A B C", []string{"20: the text ends inside a JSON value"}},
		{"cut before the items", kubectlList[:30], "", []string{"1: the text ends inside a JSON value"}},
		{"cut after a member name", `{"kind"`, "", []string{"1: the text ends inside a JSON value"}},
		{"cut within an escape", `{"kind":"\`, "", []string{"1: the text ends inside a JSON value"}},
		{"cut, and another after it", kubectlList[:strings.Index(kubectlList, `"B"`)] + "\n" + kubectlList, "A A B C", []string{"12: the text ends inside a JSON value"}},
		{"cut within a string, and another after it", kubectlList[:strings.Index(kubectlList, `B"`)] + "\n" + kubectlList, "A A B C", []string{"12: line break within a string"}},
		{"a broken item among others", brokenItem, "A C", []string{"12: line break within a string"}},
		{"words between", "{\"kind\":\"A\"}\nError from server: x\nno \"quotes\n{\"kind\":\"B\"}\n", "A B", []string{"2: neither an object nor a list"}},
		{"words after", "{\"kind\":\"A\"} and so on", "A", []string{"1: neither an object nor a list"}},
		{"scalars", "12 \"x\" null\n{\"kind\":\"A\"}", "A", []string{"1: neither an object nor a list"}},
		{"a bracket too many", "{\"kind\":\"A\"}}\n{\"kind\":\"B\"}", "A B", []string{"1: neither an object nor a list"}},
		{"the wrong bracket", "[{\"kind\":\"A\"}}\n{\"kind\":\"B\"}", "A B", []string{"1: '}' where a value is expected"}},
		{"no member name", "{\n\"kind\":\"A\",\n{\n}\n}\n{\"kind\":\"B\"}", " B", []string{"1: no member name", "5: neither an object nor a list"}},
		{"no colon", "{\"kind\" \"A\"}\n{\"kind\":\"B\"}", "B", []string{"1: no colon"}},
		{"no value", "{\"kind\":}\n{\"kind\":\"B\"}", "B", []string{"1: '}' where a value is expected"}},
		{"items on lines of their own", "[\n{\"kind\":\"A\"},\n{\"kind\":\"B},\n{\"kind\":\"C\"}\n]\n{\"kind\":\"D\"}", "A C D", []string{"3: line break within a string"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for how, r := range map[string]io.Reader{"at once": strings.NewReader(tt.text), "byte by byte": iotest.OneByteReader(strings.NewReader(tt.text))} {
				g := readAll(t, tt.text, NewJSON(r))
				if got := strings.Join(names(t, g.records), " "); got != tt.want {
					t.Errorf("%s: records %q, want %q", how, got, tt.want)
				}
				if len(g.errs) != len(tt.errs) {
					t.Fatalf("%s: errors %v on lines %v, want %q", how, g.errs, g.lines, tt.errs)
				}
				for i, err := range g.errs {
					line, reason, _ := strings.Cut(tt.errs[i], ": ")
					if fmt.Sprint(g.lines[i]) != line || !strings.Contains(err.Error(), reason) {
						t.Errorf("%s: on line %d: %v, want %q", how, g.lines[i], err, tt.errs[i])
					}
					if cut := errors.Is(err, ErrCut); cut != strings.Contains(reason, "ends inside") {
						t.Errorf("%s: ErrCut is %v for %v", how, cut, err)
					}
				}
			}
		})
	}
}

func TestJSONBrokenOff(t *testing.T) {
	end := strings.Index(kubectlList, `"B"`)
	for _, err := range []error{errors.New("the disk is gone"), io.ErrUnexpectedEOF} {
		for name, text := range map[string]string{"within an item": kubectlList[:end], "between values": kubectlList + "\n", "at once": "", "while it looks for the next record": "{\"kind\":\"A\"}\nwords"} {
			g := readAll(t, text, NewJSON(io.MultiReader(strings.NewReader(text), iotest.ErrReader(err))))
			if len(g.errs) == 0 || g.errs[len(g.errs)-1] != err {
				t.Errorf("%s: errors %v, want %v at last", name, g.errs, err)
			}
			if want := min(strings.Count(text, "kind\": \"A"), 1); len(g.records) < want {
				t.Errorf("%s: the records before it are lost", name)
			}
		}
	}
}

func TestJSONBounds(t *testing.T) {
	huge := strings.Repeat("x", 3*blockSize)
	deep := strings.Repeat("[", jsonscan.MaxDepth+1) + strings.Repeat("]", jsonscan.MaxDepth+1)
	for _, tt := range []struct {
		name, text, want string
		err              error
	}{
		{"an item that is too long", "[\n {\"kind\":\"A\"},\n {\"x\":\"" + huge + "\"},\n {\"kind\":\"B\"}\n]", "A B", ErrTooLong},
		{"an object that is too long", "{\"x\":\"" + huge + "\"}\n{\"kind\":\"B\"}", "B", ErrTooLong},
		{"much before the items", "{\"x\":[\"" + huge + "\"],\"items\":[{\"kind\":\"A\"}]}\n{\"kind\":\"B\"}", "B", ErrTooLong},
		{"much after the items", "{\"items\":[{\"kind\":\"A\"}],\"x\":[\"" + huge + "\"]}{\"kind\":\"B\"}", "A B", nil},
		{"much white space", "{\"kind\":\"A\"}" + strings.Repeat("  \n", 2*blockSize) + "{\"kind\":\"B\"}", "A B", nil},
		{"too deep", "{\"kind\":\"A\"}\n{\"x\":" + deep + "}\n{\"kind\":\"B\"}", "A B", jsonscan.ErrDepth},
		{"as deep as can be", "{\"kind\":\"A\",\"x\":" + deep[1:len(deep)-1] + "}", "A", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := NewJSON(strings.NewReader(tt.text))
			r.limit = 2 * blockSize
			g := readAll(t, tt.text, r)
			for i, name := range names(t, g.records) {
				if name == "broken" { // encoding/json counts the outer object too
					g.records[i] = `{"kind":"A"}`
				}
			}
			if got := strings.Join(names(t, g.records), " "); got != tt.want {
				t.Errorf("records %q, want %q", got, tt.want)
			}
			if tt.err == nil && len(g.errs) > 0 || tt.err != nil && (len(g.errs) != 1 || !errors.Is(g.errs[0], tt.err)) {
				t.Errorf("errors %v, want %v", g.errs, tt.err)
			}
			if cap(r.buf) > 8*blockSize {
				t.Errorf("the window grew to %d bytes", cap(r.buf))
			}
		})
	}
}

// TestSmallTextsTakeLittleMemory: a list on a line is a text of its own, and
// there can be many.
func TestSmallTextsTakeLittleMemory(t *testing.T) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range 100 {
		if _, err := NewJSON(bytes.NewReader([]byte(kubectlList))).Next(); err != nil {
			t.Fatal(err)
		}
	}
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > blockSize {
		t.Errorf("%d bytes were allocated for 100 texts of %d", n, len(kubectlList))
	}
}

func TestJSONOverManyBlocks(t *testing.T) {
	var text bytes.Buffer
	text.WriteString("{\"items\": [")
	const n = 30_000
	for i := range n {
		if i > 0 {
			text.WriteByte(',')
		}
		fmt.Fprintf(&text, "\n  {\"kind\": \"%d\", \"x\": \"%s\"}", i, strings.Repeat("é", i%131))
	}
	text.WriteString("\n]}")
	g := readAll(t, text.String(), NewJSON(bytes.NewReader(text.Bytes())))
	if len(g.errs) > 0 || len(g.records) != n {
		t.Fatalf("%d records, errors %v", len(g.records), g.errs)
	}
	for i, name := range names(t, g.records) {
		if name != fmt.Sprint(i) {
			t.Fatalf("record %d is %q", i, name)
		}
	}
}

// expectedRecords says which records a sequence of objects and arrays holds.
func expectedRecords(data []byte) (want []string, ok bool) {
	if bytes.Contains(data, []byte("\\u")) {
		return nil, false // names can be spelled in many ways
	}
	d := json.NewDecoder(bytes.NewReader(data))
	for {
		var value json.RawMessage
		if err := d.Decode(&value); err == io.EOF {
			return want, true
		} else if err != nil {
			return nil, false
		}
		var elements []json.RawMessage
		switch value[0] {
		case '{':
			if elements, ok = itemsOf(value); !ok {
				elements = []json.RawMessage{value}
			}
		case '[':
			if json.Unmarshal(value, &elements) != nil {
				return nil, false
			}
		default:
			return nil, false
		}
		for _, e := range elements {
			want = append(want, string(e))
		}
	}
}

// itemsOf returns the elements of the first member "items" that is an array.
func itemsOf(object json.RawMessage) (elements []json.RawMessage, ok bool) {
	d := json.NewDecoder(bytes.NewReader(object))
	_, _ = d.Token()
	for d.More() {
		key, err := d.Token()
		var value json.RawMessage
		if err != nil || d.Decode(&value) != nil {
			return nil, false
		}
		if key == "items" && value[0] == '[' {
			return elements, json.Unmarshal(value, &elements) == nil
		}
	}
	return nil, false
}

func BenchmarkJSON(b *testing.B) {
	text := []byte("{\"items\": [" + strings.Repeat("\n  {\"kind\": \"Pod\", \"metadata\": {\"name\": \"rt-00002-deployment\", \"uid\": \"0123\"}, \"status\": {\"ready\": true}},", 20_000) + "{}]}")
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		r := NewJSON(bytes.NewReader(text))
		for {
			if _, err := r.Next(); err != nil {
				break
			}
		}
	}
}
