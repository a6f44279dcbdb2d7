package timesketch_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/knforensics/knforensics/ingest/coverage"
	"github.com/knforensics/knforensics/render"
	"github.com/knforensics/knforensics/render/rendertest"
	"github.com/knforensics/knforensics/render/timesketch"
	"github.com/knforensics/knforensics/timeline"
)

func written(t *testing.T, stories []*render.Story) (lines []string, left render.Left) {
	t.Helper()
	var out bytes.Buffer
	w := timesketch.NewWriter(&out)
	rendertest.Write(t, w, stories)
	return strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n"), w.Left()[0]
}

// rules are what Timesketch asks of a line (google/timesketch timesketch/lib/utils.py,
// read_and_validate_jsonl, and docs/guides/user/import-from-json-csv.md).
func rules(t *testing.T, text string) map[string]any {
	t.Helper()
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	var line map[string]any
	if err := dec.Decode(&line); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	for _, field := range []string{"message", "datetime", "timestamp_desc"} {
		if s, ok := line[field].(string); !ok || s == "" {
			t.Errorf("no %s in %s", field, text)
		}
	}
	at, err := time.Parse("2006-01-02T15:04:05-07:00", line["datetime"].(string))
	if err != nil {
		t.Errorf("%v in %s", err, text)
	}
	if micros, err := line["timestamp"].(json.Number).Int64(); err != nil || micros != at.UnixMicro() {
		t.Errorf("timestamp is not datetime in microseconds in %s", text)
	}
	for field, value := range line {
		switch v := value.(type) {
		case string:
			if len(v) > 32766 {
				t.Errorf("%s has %d bytes", field, len(v))
			}
		case json.Number, bool:
		case []any:
			if field != "tag" {
				t.Errorf("%s is a list", field)
			}
		default:
			t.Errorf("%s is %T", field, value)
		}
		if strings.HasPrefix(field, "_") {
			t.Errorf("%s is removed by the importer", field)
		}
	}
	return line
}

func TestSamples(t *testing.T) {
	for _, sample := range rendertest.Samples(t, "../..") {
		stories := rendertest.Stories(t, sample)
		lines, left := written(t, stories)
		if left.String() != "" {
			t.Errorf("%s: %v", sample, left)
		}
		rows, snapshots, findings := 0, 0, 0
		for _, s := range stories {
			rows += len(s.Entries)
			findings += len(s.Findings)
			for _, e := range s.Entries {
				if e.Kind == timeline.EntrySnapshot {
					rows--
				}
			}
		}
		for _, text := range lines {
			switch rules(t, text)["data_type"] {
			case "knforensics:snapshot":
				snapshots++
			case "knforensics:finding":
				findings--
			}
		}
		if findings != 0 || len(lines)-snapshots < rows {
			t.Errorf("%s: %d lines, %d of them of snapshots, for %d rows; findings differ by %d", sample, len(lines), snapshots, rows, findings)
		}
	}
}

// TestTimes holds what the time of a row of each kind is said to be of.
func TestTimes(t *testing.T) {
	want := map[string]string{"write": "Audit Stage Time", "log": "Log Entry Time", "event": "Event Last Seen", "finding": "Finding Time", "gap": "Gap Start", "traffic": "Audit Stage Time"}
	seen := map[string]bool{}
	lines, _ := written(t, rendertest.Stories(t, "../../samples/latched"))
	for _, text := range lines {
		line := rules(t, text)
		kind := strings.TrimPrefix(line["data_type"].(string), "knforensics:")
		seen[kind] = true
		if want[kind] != "" && line["timestamp_desc"] != want[kind] {
			t.Errorf("%s has %s", kind, line["timestamp_desc"])
		}
	}
	for kind := range want {
		if !seen[kind] {
			t.Errorf("no line of %s", kind)
		}
	}
}

func TestHostile(t *testing.T) {
	lines, _ := written(t, rendertest.Hostile(t))
	for _, text := range lines {
		rules(t, text)
		if strings.ContainsAny(text, "\x1b\a\u202e") {
			t.Errorf("raw controls in %q", text)
		}
	}
	if user := rules(t, lines[len(lines)-2])["user"]; user != rendertest.Evil {
		t.Errorf("user is %q", user)
	}
}

func TestLimits(t *testing.T) {
	long := timeline.Entry{Time: time.Unix(1, 0), Kind: timeline.EntryLog, Summary: strings.Repeat("é", 40000)}
	story := &render.Story{Family: &timeline.Family{Cluster: &timeline.Cluster{}}, Coverage: &coverage.Coverage{}, Entries: []timeline.Entry{long, {Kind: timeline.EntryLog, Summary: "when?"}}}
	lines, left := written(t, []*render.Story{story})
	if len(lines) != 1 || left.String() != "1 row is left out: nothing tells the time" {
		t.Fatalf("%d lines, %v", len(lines), left)
	}
	if message := rules(t, lines[0])["message"].(string); !strings.HasSuffix(message, "é…") {
		t.Errorf("message ends in %q", message[len(message)-6:])
	}
}

// TestGapsOnce holds that a gap, of which every family tells, is one line.
func TestGapsOnce(t *testing.T) {
	gap := timeline.Entry{Time: time.Unix(1, 0), Kind: timeline.EntryGap, Summary: "no data"}
	story := &render.Story{Family: &timeline.Family{Cluster: &timeline.Cluster{}}, Coverage: &coverage.Coverage{}, Entries: []timeline.Entry{gap}}
	if lines, _ := written(t, []*render.Story{story, story}); len(lines) != 1 {
		t.Errorf("%d lines", len(lines))
	}
}

// TestOpen holds that a finding without a time is told of at the end, that what is not
// known of it is told too, and so is what is undecided.
func TestOpen(t *testing.T) {
	lines, left := written(t, []*render.Story{rendertest.Open(time.Unix(60, 0))})
	if len(lines) != 3 || left.String() != "" {
		t.Fatalf("%d lines, %v", len(lines), left)
	}
	of := map[string]map[string]any{}
	for _, text := range lines {
		line := rules(t, text)
		of[line["message"].(string)] = line
	}
	for message, want := range map[string]map[string]string{
		"Revision cart-00002: found":        {"timestamp_desc": "End of Data", "open": "Not known: whether traffic followed\nMay be a crash; settled by the log", "source_file": "final.json", "datetime": "1970-01-01T00:01:00.000000+00:00"},
		"Revision cart-00002: e: no bodies": {"timestamp_desc": "End of Data", "data_type": "knforensics:inconclusive"},
	} {
		for field, value := range want {
			if of[message][field] != value {
				t.Errorf("%s: %s is %v, want %q", message, field, of[message][field], value)
			}
		}
	}
	if _, left := written(t, []*render.Story{rendertest.Open(time.Time{})}); left.String() != "1 finding and 1 row are left out: nothing tells the time" {
		t.Errorf("%v", left)
	}
}

// FuzzWriter holds what Timesketch asks of lines, whatever the inputs say.
func FuzzWriter(f *testing.F) {
	f.Add(rendertest.HostileInput)
	f.Fuzz(func(t *testing.T, input string) {
		lines, _ := written(t, rendertest.Told(t, input))
		for _, text := range lines {
			if text != "" {
				rules(t, text)
			}
		}
	})
}
