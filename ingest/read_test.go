package ingest

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/knforensics/knforensics/ingest/coverage"
	"github.com/knforensics/knforensics/ingest/source"
)

// mixed is a folder with something of everything.
var mixed = map[string]string{
	"a/audit.log":      auditLine(1) + "\n" + auditLine(2) + "not JSON\n" + auditLine(3)[:100] + "\n" + auditLine(4, `"responseStatus":{"code":200}`) + `{"a":1}` + "\n",
	"audit.log.gz":     gzipped(auditLine(5) + auditLine(6)),
	"binary":           "\x7fELF\x00\x01",
	"controller.log":   "starting\n" + zapLine(1) + klogLine + zapLine(2) + "goodbye\n",
	"empty.log":        "",
	"items.json":       podList,
	"klog.log":         klogLine + "goroutine 1 [running]:\n\tmain.go:1\n" + klogLine,
	"revision.yaml":    yamlObject + "---\n: [\n---\n" + strings.ReplaceAll(yamlObject, "00001", "00002"),
	"text.txt":         "nothing\nof interest\n",
	"truncated.log.gz": gzipped(strings.Repeat(auditLine(7), 9))[:150],
	"webhook.json":     `{"kind":"EventList","apiVersion":"audit.k8s.io/v1","items":[` + strings.TrimSpace(auditLine(8)) + `,{"level":"Metadata","auditID":"id-9","stage":"Panic","requestURI":"/x","verb":"get","stageTimestamp":"2026-03-02T09:00:09.000000Z"}]}`,
	"zip.log.zst":      zstded(zapLine(3) + zapLine(4)),
}

var mixedSummary = []string{
	"a/audit.log audit 3 rejected=3",
	"audit.log.gz audit 2 gzip",
	"binary unknown 0: binary data of no known format",
	"controller.log controller-log 5",
	"empty.log unknown 0: empty",
	"items.json events 2",
	"klog.log klog 4",
	"revision.yaml snapshot 2 rejected=1",
	"text.txt unknown 0: no known format",
	"truncated.log.gz unknown 0 rejected=1 gzip: no record in it could be read",
	"webhook.json audit 2 eventlist",
	"zip.log.zst controller-log 2 zstd",
	"a/audit.log:4: neither a JSON object nor a line of a known log",
	"a/audit.log:5: invalid JSON at byte 91: string without end",
	"a/audit.log:7: a JSON object that is neither an audit event, nor a log line, nor a Kubernetes object",
	"revision.yaml:5: invalid YAML at line 5: did not find expected key",
	"truncated.log.gz:1: the gzip data is cut: unexpected EOF",
}

func TestReadMixed(t *testing.T) {
	inputs := folder(t, mixed)
	c, rows := read(t, inputs, Options{})
	checkSummary(t, c, mixedSummary...)
	if want := 3 + 2 + 5 + 2 + 4 + 2 + 2 + 2; len(rows) != want {
		t.Errorf("%d rows, want %d", len(rows), want)
	}
	from, to := time.Date(2026, 3, 2, 9, 0, 1, 0, time.UTC), time.Date(2026, 3, 2, 9, 2, 0, 0, time.UTC)
	if !c.From.Equal(from) || !c.To.Equal(to) {
		t.Errorf("covers %v to %v", c.From, c.To)
	}
	if r := c.Resource("", "pods", ""); r == nil || r.Records != 6 || r.Levels["Metadata"] != 6 || r.Stages["ResponseComplete"] != 6 {
		t.Errorf("pods: %+v", r)
	}
	for i, f := range c.Files {
		if f.SHA256 != "" || f.Bytes != inputs[i].Size {
			t.Errorf("%s: %d bytes of %d, sum %q", f.Path, f.Bytes, inputs[i].Size, f.SHA256)
		}
	}
}

func TestReadInOrderWhateverTheJobs(t *testing.T) {
	files := map[string]string{}
	for name, text := range mixed {
		files[name] = text
	}
	var long strings.Builder
	for i := range 6000 { // several blocks
		long.WriteString(auditLine(100+i/2, fmt.Sprintf(`"annotations":{"x":"%0900d"}`, i))) // each twice
	}
	files["long.log"], files["m/long.log.gz"] = long.String(), gzipped(long.String())
	inputs := folder(t, files)
	wantCoverage, wantRows := read(t, inputs, Options{Jobs: 1, Hash: true})
	if n := len(wantRows); n < 3000 {
		t.Fatalf("only %d rows", n)
	}
	for _, jobs := range []int{2, 8} {
		c, rows := read(t, inputs, Options{Jobs: jobs, Hash: true})
		if !slices.Equal(rows, wantRows) {
			t.Errorf("with %d jobs: %d rows, and others", jobs, len(rows))
		}
		if got, want := fmt.Sprintf("%+v", *c), fmt.Sprintf("%+v", *wantCoverage); got != want {
			t.Errorf("with %d jobs: coverage\n%s\nwant\n%s", jobs, got, want)
		}
	}
}

func TestDuplicatesCountOnce(t *testing.T) {
	lines := auditLine(1) + auditLine(2)
	richer := strings.Replace(auditLine(1, `"responseObject":{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"}}`), "Metadata", "RequestResponse", 1)
	lean := strings.Replace(richer, `,"metadata":{"name":"a"}`, "", 1)
	inputs := folder(t, map[string]string{
		"a.log": lines, "b.log.gz": gzipped(lines + auditLine(3)), "c.json": "[" + strings.TrimSpace(auditLine(1)) + ",\n  " + strings.TrimSpace(auditLine(3)) + "]",
		"d.log": richer, "d-filtered.log": lean, "d-pretty.json": laidOut(richer), "e.log": zapLine(1) + zapLine(2) + zapLine(1), "f.json": podList, "g.json": podList,
		"h.log": auditLine(4, `"stage":"RequestReceived"`) + auditLine(4, `"stage":"ResponseComplete"`),
	})
	c, rows := read(t, inputs, Options{Jobs: 2})
	checkSummary(t, c, "a.log audit 2", "b.log.gz audit 3 duplicates=2 gzip", "c.json audit 2 duplicates=2 array", "d-filtered.log audit 1", "d-pretty.json audit 1", "d.log audit 1 duplicates=1", "e.log controller-log 3 duplicates=1",
		"f.json events 2", "g.json events 2 duplicates=2", "h.log audit 2")
	if len(rows) != 2+1+0+1+1+0+2+2+0+2 {
		t.Errorf("%d rows", len(rows))
	}
	if r := c.Resource("", "pods", ""); r == nil || r.Records != 7 || r.Stages["ResponseComplete"] != 6 || r.Levels["RequestResponse"] != 2 {
		t.Errorf("pods: %+v", r)
	}
}

func TestRejectionsAreBounded(t *testing.T) {
	block := strings.Repeat("x\n", 250) + strings.Repeat(" ", 1<<20) + "\n"
	inputs := folder(t, map[string]string{"a.log": auditLine(1) + strings.Repeat(block, 4), "b.log": auditLine(2) + "y\n"})
	c, _ := read(t, inputs, Options{})
	if len(c.Rejections) != coverage.MaxRejections+1 || c.Files[0].Rejected != 1000 || c.Rejections[coverage.MaxRejections].File != "b.log" {
		t.Errorf("%d rejections kept, %d counted", len(c.Rejections), c.Files[0].Rejected)
	}
}

func TestBrokenCompressionIsReported(t *testing.T) {
	var text strings.Builder
	for i := range 9000 {
		text.WriteString(auditLine(i, fmt.Sprintf(`"annotations":{"x":"%x"}`, uint64(i)*0x9E3779B97F4A7C15)))
	}
	whole := zstded(text.String())
	damaged := []byte(whole)
	for i := len(damaged) / 2; i < len(damaged)/2+64; i++ {
		damaged[i] ^= 0x55
	}
	inputs := folder(t, map[string]string{"cut.zst": whole[:len(whole)/2], "damaged.zst": string(damaged), "header.gz": "\x1f\x8bxxxxxxxxxxxxx", "cut.json.gz": gzipped(podList + podList)[:180]})
	c, _ := read(t, inputs, Options{Hash: true})
	reasons := map[string]string{}
	for _, r := range c.Rejections {
		reasons[r.File] = r.Reason
	}
	for i, f := range c.Files {
		if reason := reasons[f.Path] + f.Skipped; !strings.Contains(reason, "data is") {
			t.Errorf("%s: the reason is %q", f.Path, reason)
		}
		if f.Path != "header.gz" && f.Records+f.Duplicates == 0 {
			t.Errorf("%s: what was read before is lost", f.Path)
		}
		if f.Bytes != inputs[i].Size || f.SHA256 == "" {
			t.Errorf("%s: the sum is of %d bytes of %d", f.Path, f.Bytes, inputs[i].Size)
		}
	}
}

func TestNamedInputThatCannotBeOpened(t *testing.T) {
	path := filepath.Join(t.TempDir(), "gone.log")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	inputs, err := source.Find([]string{path, filepath.Dir(path)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	_ = os.Remove(path)
	if _, err := Read(t.Context(), inputs[:1], Options{}, nil); err == nil || !errors.Is(err, os.ErrNotExist) {
		t.Errorf("given by name: %v", err)
	}
	c, _ := read(t, inputs[1:], Options{})
	if len(c.Files) != 1 || !strings.Contains(c.Files[0].Skipped, "no such file") {
		t.Errorf("found in a folder: %+v", c.Files)
	}
}

func TestReadStdin(t *testing.T) {
	inputs, err := source.Find([]string{source.Stdin}, strings.NewReader(gzipped(auditLine(1)+auditLine(2))))
	if err != nil {
		t.Fatal(err)
	}
	c, _ := read(t, inputs, Options{Hash: true})
	checkSummary(t, c, "- audit 2 gzip")
	if c.Files[0].Bytes == 0 || c.Files[0].SHA256 == "" {
		t.Errorf("%+v", c.Files[0])
	}
}

func TestProgress(t *testing.T) {
	inputs := manyFiles(t)
	var size, last int64
	for _, in := range inputs {
		size += in.Size
	}
	read(t, inputs, Options{Progress: func(done, total int64) {
		if done < last || done > total || total != size {
			t.Fatalf("%d of %d after %d; the inputs have %d", done, total, last, size)
		}
		last = done
	}})
	if last < size*9/10 {
		t.Errorf("%d of %d at last", last, size)
	}
}

// TestWhatUnpacksToTooMuch keeps the records before that point, and says where
// it stopped.
func TestWhatUnpacksToTooMuch(t *testing.T) {
	bomb := zstded(auditLine(1) + strings.Repeat("x", 12<<20))
	var archive bytes.Buffer
	w := tar.NewWriter(&archive)
	for _, m := range []struct{ name, text string }{{"1.log", auditLine(2)}, {"2.log.zst", bomb}, {"3.log", auditLine(4)}} {
		_ = w.WriteHeader(&tar.Header{Name: m.name, Typeflag: tar.TypeReg, Size: int64(len(m.text))})
		_, _ = w.Write([]byte(m.text))
	}
	_ = w.Close()
	c, _ := read(t, folder(t, map[string]string{"a.log.zst": bomb, "b.tgz": gzipped(archive.String())}), Options{})
	const reason = "it unpacks to more than 2,000 times what is stored: unpack it first"
	checkSummary(t, c,
		"a.log.zst audit 1 rejected=1 zstd",
		"b.tgz/1.log audit 1 gzip+tar",
		"b.tgz/2.log.zst audit 1 rejected=1 duplicates=1 gzip+tar+zstd",
		"b.tgz archive 0 rejected=1 gzip: "+reason,
		"a.log.zst:2: "+reason,
		"b.tgz/2.log.zst:2: "+reason,
	)
}

// TestFragment holds that YAML that is part of an object is rejected, with a
// reason, and does not stand in the way of what follows.
func TestFragment(t *testing.T) {
	c, rows := readText(t, "spec:\n  template: {}\n---\n"+yamlObject)
	if f := c.Files[0]; f.Rejected != 1 || f.Records != 1 || len(rows) != 1 || len(c.Rejections) != 1 || c.Rejections[0].Line != 1 {
		t.Errorf("%+v %v %q", f, c.Rejections, rows)
	}
}
