package document

import (
	"bytes"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/knforensics/knforensics/ingest/fuzzing"
)

// FuzzRecords cuts one text in all ways there are. readAll holds the place of
// each record against the text.
func FuzzRecords(f *testing.F) {
	for _, text := range []string{
		"a\r\n\n b\nc", "Pa 1\nPb 2\nx\nFa 3\nPb 4", "a\n\x00\x00b\n\x00\n",
		kubectlList, `[{"a":1},[2],3]`, `{"a":"b"}{"items":[1,{"c":[]}],"items":[4]}`, "{\"a\":\"b\n{\"c\":1}", `{"a":[{]`, "# x\n{}", `{"items":[`, "1 2",
		"{\"items\":[\n  {\"a\":1},\n  {\"b\":]},\n  {\"c\":3}\n]}\n{}\n", "{\"a\":1}\nwords\n[{}]\n",
		yamlList, "- &a {x: *a}", "a: [\n---\nb: 1", "items: [{a: 'é'}, {b: \"\u2028\"}]", "%YAML 1.1\n--- !!x\n- - a\n...", "? [a]\n: *b", "\ufeffa: 1\rb: 2",
		"items:\n-\n  kind: A\n- {<<: *a, b: |\n    x}\n", "--- {kind: A}\n--- {kind: B}\n...\n",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		fuzzing.Bounded(t, len(data), func() {
			checkLines(t, data)
			checkJoined(t, data)
			checkEntries(t, data)
			checkJSON(t, data)
			checkYAML(t, data)
		})
	})
}

// linesOf returns the lines that are records.
func linesOf(data []byte) (lines []string) {
	for line := range strings.SplitSeq(string(data), "\n") {
		line = strings.TrimLeft(strings.TrimSuffix(line, "\r"), "\x00")
		if strings.TrimSpace(line) != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

func checkLines(t *testing.T, data []byte) {
	t.Helper()
	g := readAll(t, string(data), NewLines(iotest.HalfReader(bytes.NewReader(data))))
	checkRecords(t, g.records, linesOf(data))
}

// part calls a line that starts with P a part, and one with F the last; the
// second byte is the stream.
func part(line []byte) (stream string, more bool) {
	if len(line) < 2 || line[0] != 'P' && line[0] != 'F' {
		return "", false
	}
	return string(line[1:2]), line[0] == 'P'
}

// checkJoined: each line is in one record, and the parts of a record but the
// last are of one stream and go on.
func checkJoined(t *testing.T, data []byte) {
	t.Helper()
	readAll(t, string(data), NewJoined(bytes.NewReader(data), part))
	var got []string
	for r := NewJoined(bytes.NewReader(data), part); ; {
		b, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil || b.Err != nil {
			t.Fatal(err, b.Err)
		}
		for _, rec := range b.Records {
			lines := strings.Split(string(rec.JSON), "\n")
			first, _ := part([]byte(lines[0]))
			for _, line := range lines[:len(lines)-1] {
				if stream, more := part([]byte(line)); !more || stream != first {
					t.Fatalf("%q goes on after %q", lines, line)
				}
			}
			got = append(got, lines...)
		}
	}
	want := linesOf(data)
	slices.Sort(got)
	slices.Sort(want)
	checkRecords(t, got, want)
}

// checkJSON holds the reader against encoding/json on valid text.
func checkJSON(t *testing.T, data []byte) {
	t.Helper()
	g := readAll(t, string(data), NewJSON(iotest.HalfReader(bytes.NewReader(data))))
	want, ok := expectedRecords(data)
	if !ok {
		return
	}
	if len(g.errs) > 0 {
		t.Fatalf("valid text, but %v", g.errs)
	}
	checkRecords(t, g.records, want)
}

// checkYAML: records become JSON, and are the same when read byte by byte.
func checkYAML(t *testing.T, data []byte) {
	t.Helper()
	g := readAll(t, string(data), NewYAML(bytes.NewReader(data)))
	seen := map[string]bool{}
	for _, text := range g.records {
		seen[text] = true
	}
	for r := NewYAML(iotest.OneByteReader(bytes.NewReader(data))); ; {
		b, err := r.Next()
		if err != nil {
			return
		}
		for _, rec := range b.Records {
			if !json.Valid(rec.JSON) {
				t.Fatalf("not JSON: %q", rec.JSON)
			}
			if text := string(data[rec.Offset : rec.Offset+rec.Length]); !seen[text] {
				t.Fatalf("record %q stands elsewhere when read byte by byte", text)
			}
		}
	}
}
