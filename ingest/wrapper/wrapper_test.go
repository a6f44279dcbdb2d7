package wrapper

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/knforensics/knforensics/ingest/fuzzing"
)

const logged = `{"severity":"INFO","message":"hello \"you\"","logger":"c"}`

func quoted(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// TestLeaves puts one record into each wrapper, and into several at once.
func TestLeaves(t *testing.T) {
	q := quoted(logged)
	docker := `{"log":` + quoted(logged+"\n") + `,"stream":"stdout","time":"2026-03-02T14:02:31.5Z"}`
	for _, tt := range []struct{ name, text, wrappers string }{
		{"cri", "2026-03-02T14:02:31.317400152Z stdout F " + logged, "cri"},
		{"cri with tags", "2026-03-02T14:02:31.317400152+00:00 stderr F:x " + logged, "cri"},
		{"kubectl timestamps", "2026-03-02T14:02:31.01744093Z " + logged, "kubectl-prefix"},
		{"kubectl prefix", "[pod/controller-5d9c/controller] " + logged, "kubectl-prefix"},
		{"kubectl both", "[pod/controller-5d9c/controller] 2026-03-02T14:02:31.01744093Z " + logged, "kubectl-prefix"},
		{"stern", "controller-5d9c controller " + logged, "kubectl-prefix"},
		{"node", "master-0.example.test " + logged, "node-prefix"},
		{"docker", docker, "docker"},
		{"vector", `{"file":"/x","host":"h","message":` + q + `,"source_type":"file","timestamp":"2026-03-02T14:02:31Z"}`, "vector"},
		{"logcli", `{"labels":{"job":"x"},"line":` + q + `,"timestamp":"2026-03-02T14:02:31Z"}`, "loki"},
		{"loki query", `{"status":"success","data":{"resultType":"streams","result":[{"stream":{},"values":[["1",` + q + `]]}]}}`, "loki"},
		{"hit", `{"_index":"i","_source":{"message":` + q + `}}`, "elasticsearch"},
		{"search", `{"hits":{"hits":[{"_source":{"log":` + q + `}}]}}`, "elasticsearch"},
		{"event hub", `{"records":[{"category":"kube-audit","properties":{"log":` + q + `}}]}`, "eventhub"},
		{"azure record", `{"category":"kube-audit","properties":{"log":` + q + `}}`, "eventhub"},
		{"subscription", `{"messageType":"DATA_MESSAGE","logEvents":[{"id":"1","message":` + q + `}]}`, "cloudwatch"},
		{"filter", `{"events":[{"message":` + q + `}],"nextToken":"x"}`, "cloudwatch"},
		{"insights", `{"results":[[{"field":"@message","value":` + q + `}]]}`, "cloudwatch"},
		{"gcp json", `{"insertId":"1","logName":"l","jsonPayload":` + logged + `}`, "gcp-logentry"},
		{"gcp text", `{"insertId":"1","logName":"l","textPayload":` + q + `}`, "gcp-logentry"},
		{"otlp", `{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"body":{"stringValue":` + q + `}}]}]}]}`, "otlp"},
		{"viaq", `{"@timestamp":"2026-03-02T14:02:31Z","log_type":"infrastructure","message":` + q + `}`, "viaq"},
		{"fluentd", `{"log":` + q + `,"kubernetes":{}}`, "fluent"},
		{"pair", `[1772442000.5, ` + logged + `]`, "fluent"},
		{"pair with a line", `["2026-03-02 14:02:31 +0000",{"log":` + q + `}]`, "fluent fluent"},
		{"pair with a tag", `["kube.audit",1772442000,` + logged + `]`, "fluent"},
		{"pair with metadata", `[[1772442000.5,{}],` + logged + `]`, "fluent"},
		{"pairs", `[[1772442000.5,` + logged + `]]`, "fluent"},
		{"pairs with a tag", `["kube.audit",[[1772442000.5,` + logged + `]],{"size":1}]`, "fluent"},
		{"cri in vector", `{"message":` + quoted("2026-03-02T14:02:31Z stdout F "+logged) + `,"source_type":"file"}`, "vector cri"},
		{"docker in event hub", `{"records":[{"category":"x","properties":{"log":` + quoted(docker) + `}}]}`, "eventhub docker"},
		{"watch", `{"type":"ADDED","object":` + logged + `}`, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var o Opener
			leaves := o.Leaves([]byte(tt.text))
			if len(leaves) != 1 || string(leaves[0].Data) != logged {
				t.Fatalf("got %q", leaves)
			}
			if got := strings.Join(leaves[0].Wrappers, " "); got != tt.wrappers {
				t.Errorf("wrappers %q, want %q", got, tt.wrappers)
			}
		})
	}
}

// TestNoWrapper keeps what only looks wrapped as it is.
func TestNoWrapper(t *testing.T) {
	for _, text := range []string{
		logged, "", " ", "plain text", "2026-03-02T14:02:31Z\tINFO\tcontroller\tmessage", "2026/11/30 06:36:39 Registering 6 clients",
		`2026-03-02T09:00:00.5Z AUDIT: id="1" stage="RequestReceived"`, `{"message":"{\"a\":1}","logger":"c","caller":"x.go:1"}`,
		`{"kind":"Event","apiVersion":"audit.k8s.io/v1","auditID":"x"}`, `{"log":1}`, `{"events":[]}`, `{"a":`, "[INFO] x", `[1,2]`, `[{"a":1}]`, `[[1,2],[3,4]]`, `[]`, `["a",[]]`, `[1,{"a":1}`, `["x",{}`, "I0302 12:24:39.876000       1 x.go:1] hello",
	} {
		var o Opener
		if leaves := o.Leaves([]byte(text)); leaves != nil {
			t.Errorf("%q is taken apart: %q", text, leaves)
		}
	}
}

// TestNothingOfABatchIsLost: what an element of a batch holds in a way that is
// not known is passed on as it is, to be counted.
func TestNothingOfABatchIsLost(t *testing.T) {
	q := quoted(logged)
	for name, text := range map[string]string{
		"a hit without source":          `{"hits":{"hits":[{"_source":{"log":` + q + `}},{"_id":"x"}]}}`,
		"an event that is no pair":      `[[1.5,` + logged + `],7]`,
		"a log event without message":   `{"logEvents":[{"message":` + q + `},{"id":"2"}]}`,
		"a result without message":      `{"results":[[{"field":"@message","value":` + q + `}],[{"field":"@ptr","value":"x"}]]}`,
		"an Azure record without log":   `{"records":[{"category":"c","properties":{"log":` + q + `}},{"category":"c","properties":{}}]}`,
		"a value that is no pair":       `{"data":{"result":[{"stream":{},"values":[["1",` + q + `],["2"]]}]}}`,
		"a result that is no stream":    `{"data":{"result":[{"stream":{},"values":[["1",` + q + `]]},{"metric":{}}]}}`,
		"blank lines count for nothing": `{"logEvents":[{"message":` + q + `},{"message":" "},{"message":` + q + `}]}`,
		"a body that is no text":        `{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"body":{"stringValue":` + q + `}},{"body":{"intValue":"1"}}]}]}]}`,
		"items that are no list":        `{"log":` + quoted(`{"kind":"PodList","items":1}`) + `,"stream":"stdout","time":"x"}`,
	} {
		var o Opener
		leaves := o.Leaves([]byte(text))
		if want := 2 - strings.Count(name, "items"); len(leaves) != want {
			t.Errorf("%s: %d records, want %d", name, len(leaves), want)
		}
	}
}

func TestPartsAreJoined(t *testing.T) {
	var o Opener
	lines := "2026-03-02T14:02:31Z stdout P {\"a\":\n2026-03-02T14:02:31Z stderr F other\n2026-03-02T14:02:31Z stdout P 1,\"b\"\n2026-03-02T14:02:32Z stdout F :2}\n2026-03-02T14:02:32Z stdout F next"
	leaves := o.Leaves([]byte(lines))
	if len(leaves) != 1 || string(leaves[0].Data) != `{"a":1,"b":2}` {
		t.Fatalf("got %q", leaves)
	}
	for line, want := range map[string]string{
		"2026-03-02T14:02:31Z stdout P x": "stdout more", "2026-03-02T14:02:31Z stderr F x": "stderr", "x": "",
	} {
		stream, more := Part([]byte(line))
		if more {
			stream += " more"
		}
		if stream != want {
			t.Errorf("%q: %q, want %q", line, stream, want)
		}
	}
}

// TestCutBatches: the elements before a cut are read, and what is cut is passed on
// or told.
func TestCutBatches(t *testing.T) {
	q := quoted(logged)
	for _, text := range []string{
		`{"logEvents":[{"message":` + q + `},{"message":` + q + `}],"logGroup":"g"}`,
		`{"events":[{"message":` + q + `},{"message":` + q + `}]}`,
		`{"results":[[{"field":"@message","value":` + q + `}],[{"field":"@message","value":` + q + `}]]}`,
		`{"records":[{"category":"c","properties":{"log":` + q + `}},{"category":"c","properties":{"log":` + q + `}}]}`,
		`{"status":"success","data":{"resultType":"streams","result":[{"stream":{},"values":[["1",` + q + `],["2",` + q + `]]}]}}`,
		`{"took":1,"hits":{"total":2,"hits":[{"_source":{"log":` + q + `}},{"_source":{"log":` + q + `}}]}}`,
		`{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"body":{"stringValue":` + q + `}},{"body":{"stringValue":` + q + `}}]}]}]}`,
	} {
		var o Opener
		if leaves := o.Leaves([]byte(text)); len(leaves) != 2 || o.Cut {
			t.Fatalf("%s: %q", text, leaves)
		}
		first := strings.Index(text, q) + len(q)
		for end := first; end < len(text); end++ {
			whole, broken := 0, 0
			for _, leaf := range o.Leaves([]byte(text[:end])) {
				if string(leaf.Data) == logged {
					whole++
				} else {
					broken++
				}
			}
			if whole < 1 && end > first+1 || whole+broken > 3 || broken == 0 && !o.Cut {
				t.Fatalf("%s: %d records, %d broken, cut %v", text[:end], whole, broken, o.Cut)
			}
		}
	}
}

func TestLostLastPart(t *testing.T) {
	const record = `{"severity":"INFO","message":"one"}`
	stamp := "2026-03-02T14:02:31Z stdout "
	long := `{"severity":"INFO","message":"` + strings.Repeat("x", 20_000) + `"}`
	entry := func(part string) string { return `{"stream":"stdout", "log":` + quoted(part) + `,"time":"x"}` }
	for _, tt := range []struct{ name, text, first, second string }{
		{"cri", stamp + "P " + record[:20] + "\n" + stamp + "P " + record[:15] + "\n" + stamp + "F " + record[15:], record[:20], record},
		{"cri, then a whole line", stamp + "P " + record[:20] + "\n" + stamp + "F " + record, record[:20], record},
		{"docker", entry(long[:16<<10]) + "\n" + entry(long[:16<<10]) + "\n" + entry(long[16<<10:]+"\n"), long[:16<<10], long},
		{"text that is cut alike", stamp + "P aaaaaaaaaaaaaa\n" + stamp + "F aaaaaaaaaaaaaab", strings.Repeat("a", 28) + "b", ""},
	} {
		var o Opener
		leaves := append(o.Leaves([]byte(tt.text)), Leaf{})
		if string(leaves[0].Data) != tt.first || string(leaves[1].Data) != tt.second {
			t.Errorf("%s: %.100q", tt.name, leaves)
		}
	}
	for line, want := range map[string]string{
		entry("x\n"): "stdout", entry(strings.Repeat("x", 16<<10)): "stdout more", entry(strings.Repeat("x", 16<<10-1) + "\n"): "stdout",
		`{"log":"x","stream":"stdout"}`: "", `{"log":{},"stream":1,"time":1}`: "", logged: "",
	} {
		stream, more := Part([]byte(line))
		if more {
			stream += " more"
		}
		if stream != want {
			t.Errorf("%.50q: %q, want %q", line, stream, want)
		}
	}
}

func TestGKE(t *testing.T) {
	var o Opener
	entry := `{"insertId":"i1","labels":{"command.gke.io/dryRun":"true","authorization.k8s.io/decision":"allow"},"logName":"projects/p/logs/x","timestamp":"2026-03-02T09:00:01.5Z",
	 "protoPayload":{"@type":"t","serviceName":"k8s.io","methodName":"dev.knative.serving.v1.revisions.status.update","resourceName":"serving.knative.dev/v1/namespaces/shop/revisions/cart-00002/status",
	 "authenticationInfo":{"principalEmail":"system:serviceaccount:knative-serving:controller"},"requestMetadata":{"callerIp":"10.0.0.1","callerSuppliedUserAgent":"controller/v0"},
	 "status":{"code":10,"message":"conflict"},"request":{"@type":"x","status":{"n":9007199254740993}}}}`
	leaves := o.Leaves([]byte(entry))
	if len(leaves) != 1 || leaves[0].Audit == nil || string(leaves[0].Data) != entry {
		t.Fatalf("got %q", leaves)
	}
	var ev struct {
		AuditID, Verb, Level, RequestURI string
		ObjectRef                        map[string]string
		ResponseStatus                   struct {
			Code   int
			Reason string
		}
		RequestObject json.RawMessage
	}
	if err := json.Unmarshal(leaves[0].Audit, &ev); err != nil {
		t.Fatal(err)
	}
	if ev.AuditID != "i1" || ev.Verb != "update" || ev.ObjectRef["apiGroup"] != "serving.knative.dev" || ev.ObjectRef["namespace"] != "shop" ||
		ev.ObjectRef["name"] != "cart-00002" || ev.ObjectRef["subresource"] != "status" || ev.ResponseStatus.Code != 409 || ev.ResponseStatus.Reason != "Conflict" ||
		!strings.HasSuffix(ev.RequestURI, "?dryRun=All") || string(ev.RequestObject) != `{"status":{"n":9007199254740993}}` {
		t.Errorf("got %s", leaves[0].Audit)
	}
}

func TestAKSRow(t *testing.T) {
	var o Opener
	row := `{"AuditId":"a1","Level":"RequestResponse","Stage":"ResponseComplete","Verb":"update","RequestUri":"/u","User":"{\"username\":\"u\"}","ObjectRef":{"resource":"revisions"},"ResponseStatus":{"code":200},"RequestObject":"skipped-too-big-size-object","Annotations":{"authorization.k8s.io/decision":"allow"},"RequestReceivedTime":"2026-03-02T09:00:00Z","StageReceivedTime":"2026-03-02T09:00:00Z"}`
	for range 16 { // whatever the order in which the columns are looked at
		leaves := o.Leaves([]byte(row))
		if len(leaves) != 1 || !strings.Contains(string(leaves[0].Audit), `"audit.k8s.io/truncated":"true"`) || !strings.Contains(string(leaves[0].Audit), `"user":{"username":"u"}`) {
			t.Fatalf("got %q", leaves)
		}
	}
}

// FuzzLeaves: opening wrappers makes little of much, and gives the same each
// time: a record is found again by its number.
func FuzzLeaves(f *testing.F) {
	q := quoted(logged)
	for _, text := range []string{
		"2026-03-02T14:02:31Z stdout P {\n2026-03-02T14:02:31Z stdout F }",
		"[pod/controller-5d9c/controller] 2026-03-02T14:02:31.01744093Z " + logged,
		"master-0.example.test " + logged,
		`{"log":"{\"a\":","stream":"stdout","time":"t"}` + "\n" + `{"log":"1}\n","stream":"stdout","time":"t"}`,
		`{"records":[{"category":"x","properties":{"log":"{\"log\":\"x\\n\",\"stream\":\"s\",\"time\":\"t\"}"}}]}`,
		`{"insertId":"1","protoPayload":{"serviceName":"k8s.io","methodName":"a.b","resourceName":"core/v1/namespaces/n/pods/p"}}`,
		`{"insertId":"1","logName":"l","labels":{"command.gke.io/dryRun":"true"},"protoPayload":{"methodName":"io.k8s.a.update","resourceName":"apps/v1/deployments/d","request":{"@type":"x","a":1},"status":{"code":10}}}`,
		`{"AuditId":"a1","Verb":"update","User":"{\"username\":\"u\"}","ObjectRef":{"resource":"revisions"},"RequestObject":"skipped-too-big-size-object","Annotations":{"a":"b"}}`,
		`{"hits":{"hits":[{"_source":{"log":` + q + `}},{"_source":{"kubernetes":{"audit":{"a":1}}}},{"_id":"x"}]}}`,
		`{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"body":{"stringValue":` + q + `}},{"body":{"intValue":"1"}}]}]}]}`,
		`{"status":"success","data":{"result":[{"stream":{},"values":[["1",` + q + `],["2"]]}]}}`,
		`{"results":[[{"field":"@message","value":` + q + `}]]}`,
		`{"log":` + quoted(`{"kind":"PodList","items":[{"a":1},{"b":2}]}`) + `,"stream":"stdout","time":"x"}`,
		`{"message":` + quoted(logged+logged) + `,"source_type":"file"}`,
		`["t",[[1,{"log":"{\"a\":1}"}],[[2,{}],{}],3]]`,
		"1,\"{\"\"a\"\":1}\"",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		fuzzing.Bounded(t, len(text), func() { checkLeaves(t, text) })
	})
}

func checkLeaves(t *testing.T, text []byte) {
	t.Helper()
	var o Opener
	before := bytes.Clone(text)
	leaves := o.Leaves(text)
	total := 0
	for _, leaf := range leaves {
		total += len(leaf.Data)
		if len(leaf.Wrappers) == 0 || len(leaf.Wrappers) > MaxLayers {
			t.Fatalf("wrappers %q", leaf.Wrappers)
		}
		if leaf.Audit != nil && !json.Valid(leaf.Audit) {
			t.Fatalf("no JSON: %q", leaf.Audit)
		}
	}
	if total > 4*len(text)*MaxLayers {
		t.Fatalf("%d bytes came out of %d", total, len(text))
	}
	if !bytes.Equal(text, before) {
		t.Fatalf("the text became %q", text)
	}
	for range 8 { // the order of a map is not the same each time
		var again Opener
		if got := again.Leaves(text); !reflect.DeepEqual(got, leaves) {
			t.Fatalf("got %q, and %q before", got, leaves)
		}
	}
}
