package controllerlog

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/klauspost/compress/zstd"

	"github.com/knforensics/knforensics/ingest/fuzzing"
	"github.com/knforensics/knforensics/ingest/table"
)

func TestZap(t *testing.T) {
	at := time.Date(2026, 11, 30, 6, 36, 48, 935463391, time.UTC)
	for _, tt := range []struct {
		name, line string
		want       table.ControllerLog
	}{
		{
			"keys of Google Cloud, as Knative writes",
			`{"severity":"ERROR","timestamp":"2026-11-30T06:36:48.935463391Z","logger":"controller","caller":"revision/reconciler.go:303","message":"Returned an error","commit":"1","knative.dev/pod":"controller-78","knative.dev/controller":"revision.Reconciler","knative.dev/kind":"serving.knative.dev.Revision","knative.dev/traceid":"ed77","knative.dev/key":"repro/rt-00001","targetMethod":"ReconcileKind","error":"failed to update \"rt\"","stacktrace":"a\n\tb"}`,
			table.ControllerLog{Time: at, Level: "ERROR", Logger: "controller", Caller: "revision/reconciler.go:303", Message: "Returned an error", Error: `failed to update "rt"`,
				Controller: "revision.Reconciler", Kind: "serving.knative.dev.Revision", Key: "repro/rt-00001", TraceID: "ed77", Pod: "controller-78"},
		},
		{
			"keys of zap, as older releases write",
			`{"level":"info","ts":"2019-10-03T08:41:07.512Z","logger":"controller.revision-controller","caller":"revision/revision.go:78","msg":"Reconcile succeeded","knative.dev/controller":"revision-controller","knative.dev/traceid":"t-1","knative.dev/key":"shop/cart","duration":"1.5ms"}`,
			table.ControllerLog{Time: time.Date(2019, 10, 3, 8, 41, 7, 512e6, time.UTC), Level: "INFO", Logger: "controller.revision-controller", Caller: "revision/revision.go:78", Message: "Reconcile succeeded",
				Controller: "revision-controller", Key: "shop/cart", TraceID: "t-1", Duration: 1.5e6},
		},
		{"time as its key", `{"level":"warn","time":"2026-11-30T06:36:48.935463391Z","message":"x"}`, table.ControllerLog{Time: at, Level: "WARN", Message: "x"}},
		{"no level", `{"ts":"2026-11-30T06:36:48.935463391Z","msg":"x"}`, table.ControllerLog{Time: at, Message: "x"}},
		{"no time, but who logged it", `{"level":"info","logger":"fallback","msg":"x"}`, table.ControllerLog{Level: "INFO", Logger: "fallback", Message: "x"}},
		{"a time that cannot be read", `{"level":"info","ts":"yesterday","msg":"x"}`, table.ControllerLog{Level: "INFO", Message: "x"}},
		{"both spellings", `{"level":"info","severity":"","timestamp":"2026-11-30T06:36:48.935463391Z","ts":1,"message":"x","msg":""}`, table.ControllerLog{Time: at, Level: "INFO", Message: "x"}},
		{"a message that is no text", `{"level":"info","ts":"2026-11-30T06:36:48.935463391Z","msg":12,"error":{"code":1}}`, table.ControllerLog{Time: at, Level: "INFO", Message: "12"}},
		{"an empty message", `{"level":"info","ts":"2026-11-30T06:36:48.935463391Z","msg":""}`, table.ControllerLog{Time: at, Level: "INFO"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			row := table.ControllerLog{Location: table.Location{Line: 7}, Message: "left from before", Duration: 1}
			tt.want.Location, tt.want.Format = row.Location, table.LogZap
			if err := new(Decoder).Zap([]byte(tt.line), &row); err != nil {
				t.Fatal(err)
			}
			if row != tt.want {
				t.Errorf("got  %+v\nwant %+v", row, tt.want)
			}
		})
	}
}

func TestZapTakesOnlyLogLines(t *testing.T) {
	for name, line := range map[string]string{
		"a condition":        `{"type":"Ready","status":"False","severity":"Info","message":"x","lastTransitionTime":"2026-03-02T09:00:00Z"}`,
		"an audit event":     `{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Metadata","auditID":"a","stage":"Panic"}`,
		"a Kubernetes Event": `{"kind":"Event","apiVersion":"v1","message":"x","lastTimestamp":"2026-03-02T09:00:00Z"}`,
		"no message":         `{"level":"info","ts":1772454279.87}`,
		"a null message":     `{"level":"info","ts":1772454279.87,"msg":null}`,
		"a structured one":   `{"level":"info","ts":1772454279.87,"msg":{"a":1}}`,
		"an array":           `[{"level":"info","ts":1772454279.87,"msg":"x"}]`,
		"broken":             `{"level":"info","ts":1772454279.87,"msg":"x"`,
		"two objects":        `{"level":"info","ts":1772454279.87,"msg":"x"}{}`,
	} {
		if err := new(Decoder).Zap([]byte(line), &table.ControllerLog{}); err == nil {
			t.Errorf("%s is taken for a log line: %s", name, line)
		}
	}
}

func TestStamp(t *testing.T) {
	for text, want := range map[string]string{
		"2026-03-02T12:24:39.871Z":       "2026-03-02T12:24:39.871Z",
		"2026-03-02T20:24:39.871+08:00":  "2026-03-02T12:24:39.871Z",
		"2026-03-02T20:24:39.871+0800":   "2026-03-02T12:24:39.871Z",
		"2026-03-02T12:24:39Z":           "2026-03-02T12:24:39Z",
		"2026-03-02T12:24:39.873333444Z": "2026-03-02T12:24:39.873333444Z",
		"1772454279":                     "2026-03-02T12:24:39Z",
		"1772454279.8720002":             "2026-03-02T12:24:39.8720002Z",
		"1772454279.8720001234":          "2026-03-02T12:24:39.872000123Z",
		"1.772454279872e+09":             "2026-03-02T12:24:39.872Z", // as far as a float64 goes
		"1772454279875":                  "2026-03-02T12:24:39.875Z",
		"1772454279875.25":               "2026-03-02T12:24:39.87525Z",
		"1772454279875123":               "2026-03-02T12:24:39.875123Z",
		"100000000000000000":             "1973-03-03T09:46:40Z",
		"1772454279875123456":            "2026-03-02T12:24:39.875123456Z",
		"":                               "", "0": "", "-1": "", "1.2.3": "", "1.x": "", "NaN": "", "1e400": "", "1e": "", "0x10": "", "yesterday": "", "2026-03-02 12:24:39": "",
	} {
		got := ""
		if at := stamp(text); !at.IsZero() {
			got = at.Round(map[bool]time.Duration{true: time.Microsecond, false: 1}[strings.Contains(text, "e+")]).Format(time.RFC3339Nano)
		}
		if got != want {
			t.Errorf("%q is read as %q, want %q", text, got, want)
		}
	}
}

func TestDuration(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"93.895µs": 93895, "32.4us": 32400, "1.5s": 1500 * time.Millisecond, "1m2.5s": 62500 * time.Millisecond, "8.63µs": 8630,
		"0.0113": 11300 * time.Microsecond, "0.0001222": 122200, "2": 2 * time.Second, "0": 0, "1e-3": time.Millisecond, "": 0, "long": 0, "1e300": 0,
	} {
		if got := time.Duration(duration(text)); got != want {
			t.Errorf("%q is read as %v, want %v", text, got, want)
		}
	}
}

// FuzzLine: what is taken for a line of zap is JSON, and its message survives.
// No line of text loses its message.
func FuzzLine(f *testing.F) {
	for _, line := range []string{
		`{"severity":"INFO","timestamp":"2026-11-30T06:36:39.842340078Z","logger":"controller","message":"x\n\u00e9","knative.dev/key":"a/b","duration":"8.63µs"}`,
		`{"level":"error","ts":1772454279.8720002,"msg":"x","error":5,"duration":0.1}`,
		`{"msg":1e5,"ts":1e18,"level":null}`,
		`{"level":"info","logger":"a","caller":"x.go:1","msg":true,"message":"","time":"2019-10-03T08:41:07.512+0800"}`,
		"I1130 08:28:41.084309   21000 leaderelection.go:250] attempting to acquire",
		"E1130 08:28:40.976914 1 a.go:1] \"x\" err=\"[a] b\"",
		"plain",
		"2026-03-02T09:00:00.491Z\tERROR\tcontroller\tc/c.go:566\tReconcile error\t{\"knative.dev/key\": \"a/b\", \"error\": \"x\"}\nmain.run\n\t/x/y.go:1",
		"1772442000.491\t\x1b[34minfo\x1b[0m\ta\tsome\nwords\t{}",
	} {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		fuzzing.Bounded(t, len(line), func() {
			checkZap(t, line)
			checkText(t, line)
			checkConsole(t, line)
		})
	})
}

func checkZap(t *testing.T, data []byte) {
	t.Helper()
	var expects Decoder
	for _, line := range []string{
		`{"severity":"","timestamp":"","logger":"","caller":"","message":"","knative.dev/pod":"","knative.dev/controller":"","knative.dev/kind":"","knative.dev/traceid":"","knative.dev/key":"","duration":"","error":"","":""}`,
		`{"level":"","ts":"","msg":""}`,
		string(data),
	} {
		_ = expects.Zap([]byte(line), &table.ControllerLog{})
		checkExpecting(t, &expects, data)
	}
	var row table.ControllerLog
	if new(Decoder).Zap(data, &row) != nil || !utf8.Valid(data) {
		return
	}
	if !json.Valid(data) {
		t.Fatalf("not JSON: %q", data)
	}
	if want := messageOf(data); row.Message != want {
		t.Fatalf("message %q, want %q: %q", row.Message, want, data)
	}
}

// checkExpecting: what a Decoder expects changes nothing.
func checkExpecting(t *testing.T, expects *Decoder, data []byte) {
	t.Helper()
	var got, want table.ControllerLog
	gotErr, wantErr := expects.Zap(data, &got), new(Decoder).Zap(data, &want)
	if fmt.Sprint(gotErr) != fmt.Sprint(wantErr) || wantErr == nil && got != want {
		t.Fatalf("%q\nis read as %+v %v\nwithout expecting %+v %v", data, got, gotErr, want, wantErr)
	}
}

// messageOf returns the last message that says anything.
func messageOf(object []byte) (message string) {
	d := json.NewDecoder(bytes.NewReader(object))
	d.UseNumber()
	_, _ = d.Token()
	for d.More() {
		key, _ := d.Token()
		var value any
		_ = d.Decode(&value)
		if key != "message" && key != "msg" {
			continue
		}
		switch value := value.(type) {
		case string, json.Number, bool:
			if text := fmt.Sprint(value); text != "" {
				message = text
			}
		}
	}
	return message
}

// sampleLines returns what a controller wrote at debug level while a Revision
// was latched, line by line.
func sampleLines(t testing.TB) [][]byte {
	t.Helper()
	file, err := os.Open("../../samples/latched/controller.log.zst")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	r, err := zstd.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	text, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	var lines [][]byte
	for line := range bytes.Lines(text) {
		if line[0] == '{' {
			lines = append(lines, bytes.TrimRight(line, "\n"))
		}
	}
	return lines
}

func TestZapAgreesWithEncodingJSON(t *testing.T) {
	var d Decoder
	for _, line := range sampleLines(t) {
		checkExpecting(t, &d, line)
		var want struct {
			Level      string `json:"severity"`
			Time       string `json:"timestamp"`
			Logger     string
			Caller     string
			Message    string
			Error      string
			Controller string `json:"knative.dev/controller"`
			Kind       string `json:"knative.dev/kind"`
			Key        string `json:"knative.dev/key"`
			TraceID    string `json:"knative.dev/traceid"`
			Pod        string `json:"knative.dev/pod"`
			Duration   string
		}
		if err := json.Unmarshal(line, &want); err != nil {
			t.Fatal(err)
		}
		if want.Time == "" {
			continue // of the logger that is there before zap is set up
		}
		var row table.ControllerLog
		if err := d.Zap(line, &row); err != nil {
			t.Fatal(err)
		}
		at, _ := time.Parse(time.RFC3339Nano, want.Time)
		took, _ := time.ParseDuration(want.Duration)
		if row != (table.ControllerLog{Format: table.LogZap, Time: at.UTC(), Level: level(want.Level), Logger: want.Logger, Caller: want.Caller, Message: want.Message, Error: want.Error,
			Controller: want.Controller, Kind: want.Kind, Key: want.Key, TraceID: want.TraceID, Pod: want.Pod, Duration: int64(took)}) {
			t.Fatalf("%s\nis read as %+v", line, row)
		}
	}
}

func TestZapAllocatesLittle(t *testing.T) {
	lines := sampleLines(t)
	var d Decoder
	var row table.ControllerLog
	allocs := testing.AllocsPerRun(1, func() {
		for _, line := range lines {
			_ = d.Zap(line, &row)
		}
	})
	if perLine := allocs / float64(len(lines)); perLine > 0.05 { // one for many strings with escapes
		t.Errorf("%v allocations a line", perLine)
	}
}

func BenchmarkZap(b *testing.B) {
	lines := sampleLines(b)
	size := 0
	for _, line := range lines {
		size += len(line) + 1
	}
	var d Decoder
	var row table.ControllerLog
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		for _, line := range lines {
			_ = d.Zap(line, &row)
		}
	}
}
