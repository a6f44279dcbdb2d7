package kubetable

import (
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"

	"github.com/knforensics/knforensics/ingest/fuzzing"
)

// rows reads a text and returns what each row became, "" where it is none.
func rows(t *testing.T, text string) (list []map[string]any) {
	t.Helper()
	r := NewReader(strings.NewReader(text))
	for {
		b, err := r.Next()
		if err == io.EOF {
			return list
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, rec := range b.Records {
			var object map[string]any
			if rec.Err == nil {
				if err := json.Unmarshal(rec.JSON, &object); err != nil {
					t.Fatalf("line %d: %v", rec.Line, err)
				}
			}
			list = append(list, object)
		}
	}
}

// at follows a path of members and, by number, elements.
func at(v any, path ...any) any {
	for _, step := range path {
		switch step := step.(type) {
		case string:
			m, _ := v.(map[string]any)
			v = m[step]
		case int:
			a, _ := v.([]any)
			if step >= len(a) {
				return nil
			}
			v = a[step]
		}
	}
	return v
}

func TestEmptyAndShiftedCells(t *testing.T) {
	got := rows(t, `NAME             URL                                              LATESTCREATED        LATESTREADY      READY   REASON
device-mgmt      http://device-mgmt.iot.10.0.0.9.nip.io           device-mgmt-00001                     False   RevisionMissing
http-endpoint    http://http-endpoint.iot.10.0.0.9.nip.io         http-endpoint-00002  http-endpoint-00002   True    
`)
	if len(got) != 2 {
		t.Fatalf("%d rows", len(got))
	}
	if got[0]["kind"] != "Service" || at(got[0], "status", "latestReadyRevisionName") != nil || at(got[0], "status", "conditions", 0, "status") != "False" ||
		at(got[0], "status", "conditions", 0, "reason") != "RevisionMissing" {
		t.Errorf("empty cell: %v", got[0])
	}
	if at(got[1], "status", "latestReadyRevisionName") != "http-endpoint-00002" || at(got[1], "status", "conditions", 0, "status") != "True" {
		t.Errorf("shifted cell: %v", got[1])
	}
}

func TestSeveralKindsAndNamespaces(t *testing.T) {
	got := rows(t, `NAMESPACE   NAME                                    CONFIG NAME   GENERATION   READY   REASON   ACTUAL REPLICAS   DESIRED REPLICAS
repro       revision.serving.knative.dev/rt-00001   rt            1            True             1                 1
repro       revision.serving.knative.dev/rt-00002   rt            2            True                               

NAMESPACE         NAME                                  READY   UP-TO-DATE   AVAILABLE   AGE
repro             deployment.apps/rt-00002-deployment   2/6     6            2           46s

NAMESPACE         NAME                                       READY   STATUS    RESTARTS   AGE     IP           NODE      NOMINATED NODE   READINESS GATES
repro             pod/rt-00002-deployment-5c6554b685-2bv7l   0/2     Pending   0          46s     <none>       <none>    <none>           <none>
`)
	if len(got) != 4 {
		t.Fatalf("%d rows: %v", len(got), got)
	}
	for i, kind := range []string{"Revision", "Revision", "Deployment", "Pod"} {
		if got[i]["kind"] != kind || at(got[i], "metadata", "namespace") != "repro" {
			t.Errorf("row %d: %v", i, got[i])
		}
	}
	if at(got[0], "status", "actualReplicas") != float64(1) || at(got[1], "status", "actualReplicas") != nil {
		t.Errorf("replicas: %v, %v", got[0], got[1])
	}
	if at(got[2], "status", "readyReplicas") != float64(2) || at(got[2], "spec", "replicas") != float64(6) {
		t.Errorf("deployment: %v", got[2])
	}
	if at(got[3], "status", "conditions", 0, "status") != "False" || at(got[3], "status", "phase") != "Pending" {
		t.Errorf("pod: %v", got[3])
	}
}

func TestEventsHaveNoTimes(t *testing.T) {
	got := rows(t, `LAST SEEN   TYPE      REASON          OBJECT                 MESSAGE
<unknown>   Normal    Scheduled       pod/cart-00002-a       Successfully assigned  shop/cart-00002-a to n1
4m (x12 over 9m)   Warning   InternalError   revision/cart-00002   failed to create image cache "x"
`)
	if len(got) != 2 {
		t.Fatalf("%d rows", len(got))
	}
	if at(got[0], "involvedObject", "kind") != "Pod" || got[0]["message"] != "Successfully assigned  shop/cart-00002-a to n1" || got[0]["lastTimestamp"] != nil {
		t.Errorf("got %v", got[0])
	}
	if got[1]["count"] != float64(12) || got[1]["reason"] != "InternalError" || at(got[1], "involvedObject", "kind") != "Revision" || got[1]["message"] != `failed to create image cache "x"` {
		t.Errorf("got %v", got[1])
	}
}

func TestKinds(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"NAME        DESIRED   CURRENT   READY   AGE\nrt-00001-x  3         2         1       5m\n", "apps/v1 ReplicaSet"},
		{"NAME   DESIRED   CURRENT   READY   UP-TO-DATE   AVAILABLE   NODE SELECTOR   AGE\nx      1         1         1       1            1           <none>          5m\n", "apps/v1 DaemonSet"},
		{"NAME             URL                     READY   REASON\nwww.example.test http://www.example.test True\n", "serving.knative.dev/v1 DomainMapping"},
		{"NAME   URL        READY   PREV   LATEST   PREVROLLEDOUTREVISION   LATESTREADYREVISION   AGE\nx      http://x   True           100                              x-00001               1m\n", "serving.kserve.io/v1 InferenceService"},
		{"NAME    MODE    ACTIVATORS   SERVICENAME   PRIVATESERVICENAME   READY   REASON\nx-00001 Proxy   3            x-00001       x-00001-private      True\n", "networking.internal.knative.dev/v1 ServerlessService"},
		{"NAME   STATUS   ROLES           AGE   VERSION\nn1     Ready    control-plane   1h    v1.34.2\n", "v1 Node"},
		{"NAMESPACE   NAME               DATA   AGE\nshop        configmap/config   3      1h\n", "v1 ConfigMap"},
		{"NAME   COMPLETIONS   DURATION   AGE\nx      1/1           5s         1h\n", "batch/v1 Job"},
		{"NAME   READY   REASON\nx      True\n", ""},
	} {
		got := rows(t, tt.text)
		if len(got) != 1 {
			t.Fatalf("%q: %v", tt.text, got)
		}
		if kind := strings.TrimSpace(fmt.Sprint(got[0]["apiVersion"], " ", got[0]["kind"])); kind != tt.want && (tt.want != "" || got[0] != nil) {
			t.Errorf("%q: %s, want %s", tt.text, kind, tt.want)
		}
	}
	rs := rows(t, "NAME        DESIRED   CURRENT   READY   AGE\nrt-00001-x  3         2         1       5m\n")[0]
	if at(rs, "spec", "replicas") != float64(3) || at(rs, "status", "replicas") != float64(2) || at(rs, "status", "readyReplicas") != float64(1) {
		t.Errorf("%v", rs)
	}
}

func TestWhatIsNoTableIsRefused(t *testing.T) {
	for _, line := range []string{"", "Name:         rt", "NAME", "INFO  hello", "a  b", "HELLO WORLD  THIS IS  TEXT"} {
		if _, ok := Header([]byte(line)); ok {
			t.Errorf("%q is taken for a header", line)
		}
	}
	got := rows(t, "NAME   READY   REASON   URL\nrt     True             http://x\n\nsome words after\n")
	if len(got) != 2 || got[1] != nil {
		t.Errorf("got %v", got)
	}
}

// FuzzTable: each value of a row is in a column, each row lies where it is said
// to, and is an object or refused.
func FuzzTable(f *testing.F) {
	f.Add("NAME   READY   REASON", "rt     True    x y  z")
	f.Add("LAST SEEN   TYPE   REASON   OBJECT   MESSAGE", "5s (x2 over 3s)   Normal   R   pod/x   m  m")
	f.Add("NAMESPACE   NAME                                    CONFIG NAME   GENERATION   READY   REASON   ACTUAL REPLICAS   DESIRED REPLICAS",
		"repro       revision.serving.knative.dev/rt-00001   rt            1            True             1                 1\r\n\nNAME   READY   UP-TO-DATE   AVAILABLE\nd      2/6     6            2")
	f.Add("NAME   READY   STATUS    RESTARTS", "p      0/2     Pending   0")
	f.Fuzz(func(t *testing.T, header, rows string) {
		fuzzing.Bounded(t, len(header)+len(rows), func() {
			checkRow(t, header, rows)
			checkReader(t, header+"\n"+rows)
		})
	})
}

func checkRow(t *testing.T, header, row string) {
	t.Helper()
	table, ok := Header([]byte(header))
	if !ok {
		return
	}
	for name, value := range table.Row([]byte(row)) {
		if table.index(name) < 0 || strings.Trim(value, " ") == "" {
			t.Fatalf("column %q with %q", name, value)
		}
	}
	if object := table.Object([]byte(row)); object != nil && !json.Valid(object) {
		t.Fatalf("not JSON: %s", object)
	}
}

func checkReader(t *testing.T, text string) {
	t.Helper()
	for r := NewReader(strings.NewReader(text)); ; {
		b, err := r.Next()
		if err == io.EOF {
			return
		}
		if err != nil || b.Err != nil {
			t.Fatal(err, b.Err)
		}
		for _, rec := range b.Records {
			if row := text[rec.Offset : rec.Offset+rec.Length]; strings.ContainsRune(row, '\n') || rec.Line != 1+int64(strings.Count(text[:rec.Offset], "\n")) {
				t.Fatalf("row %q is said to be on line %d of %q", row, rec.Line, text)
			}
			if (rec.Err == nil) == (rec.JSON == nil) || rec.JSON != nil && !json.Valid(rec.JSON) {
				t.Fatalf("neither an object nor refused: %+v", rec)
			}
		}
	}
}

func TestNames(t *testing.T) {
	table, ok := Header([]byte("NAME   READY   REASON   URL"))
	if !ok || !reflect.DeepEqual(table.columns, []column{{"NAME", 0}, {"READY", 7}, {"REASON", 15}, {"URL", 24}}) {
		t.Errorf("columns %v", table.columns)
	}
}
