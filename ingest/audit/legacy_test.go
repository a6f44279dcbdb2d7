package audit

import (
	"testing"
	"time"

	"github.com/knforensics/knforensics/ingest/table"
)

func TestLegacy(t *testing.T) {
	for _, tt := range []struct {
		name, line string
		want       table.AuditEvent
	}{
		{"newer dialect", `2026-03-02T09:00:00.552147711Z AUDIT: id="c3d7" stage="ResponseComplete" ip="127.0.0.1" method="update" user="system:serviceaccount:knative-serving:controller" groups="\"system:serviceaccounts\"" as="<self>" asgroups="<lookup>" user-agent="agent \"q\" /1" namespace="shop" uri="/apis/serving.knative.dev/v1/namespaces/shop/revisions/cart-00002/status?x=y" response="200"`,
			table.AuditEvent{AuditID: "c3d7", Stage: "ResponseComplete", Verb: "update", User: "system:serviceaccount:knative-serving:controller", UserAgent: `agent "q" /1`, SourceIP: "127.0.0.1",
				RequestURI: "/apis/serving.knative.dev/v1/namespaces/shop/revisions/cart-00002/status?x=y", Group: "serving.knative.dev", Version: "v1", Resource: "revisions", Subresource: "status", Namespace: "shop", Name: "cart-00002", Code: 200}},
		{"no answer yet", `2026-03-02T09:00:00Z AUDIT: id="c3d7" stage="RequestReceived" method="get" user="a" as="b" uri="/api/v1/pods" response="<deferred>"`,
			table.AuditEvent{AuditID: "c3d7", Stage: "RequestReceived", Verb: "get", User: "a", ImpersonatedUser: "b", RequestURI: "/api/v1/pods", Version: "v1", Resource: "pods"}},
		{"older dialect", `2017-05-04T22:18:40.331207415-04:00 AUDIT: id="b220" ip="127.0.0.1" method="PUT" user="admin" as="<self>" uri="/api/v1/namespaces/default/pods/x"`,
			table.AuditEvent{AuditID: "b220", Stage: "RequestReceived", Verb: "update", User: "admin", SourceIP: "127.0.0.1", RequestURI: "/api/v1/namespaces/default/pods/x", Version: "v1", Resource: "pods", Namespace: "default", Name: "x"}},
		{"its answer", `2017-05-04T22:18:40.333960028-04:00 AUDIT: id="b220" response="404"`,
			table.AuditEvent{AuditID: "b220", Stage: "ResponseComplete", Code: 404}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got table.AuditEvent
			if !IsLegacy([]byte(tt.line)) {
				t.Fatal("not recognised")
			}
			if err := DecodeLegacy([]byte(tt.line), &got); err != nil {
				t.Fatal(err)
			}
			if got.StageTime.IsZero() || got.StageTime.Location() != time.UTC {
				t.Errorf("time %v", got.StageTime)
			}
			got.StageTime, got.Received = time.Time{}, time.Time{}
			tt.want.Level = "Metadata"
			if got != tt.want {
				t.Errorf("got  %+v\nwant %+v", got, tt.want)
			}
		})
	}
	for _, line := range []string{"", "AUDIT: id=", "2026-03-02T09:00:00Z hello", `yesterday AUDIT: id="1"`} {
		if IsLegacy([]byte(line)) {
			t.Errorf("%q is taken for an event", line)
		}
	}
}

func TestSalvage(t *testing.T) {
	whole := `{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"RequestResponse","auditID":"a","stage":"ResponseComplete","requestURI":"/apis/serving.knative.dev/v1/namespaces/n/revisions/r?dryRun=All","verb":"update","objectRef":{"resource":"revisions","name":"r"},"requestObject":{"a":"b"},"stageTimestamp":"2026-03-02T09:00:00Z"}`
	salvaged := 0
	for n := range len(whole) {
		for _, data := range []string{whole[:n], whole[:n] + "[Truncated...]"} {
			var d Decoder
			var ev table.AuditEvent
			_, err := d.Decode([]byte(data), &ev)
			if err == nil {
				t.Fatalf("%q was read", data)
			}
			if !Salvage([]byte(data), err, &ev) {
				continue
			}
			salvaged++
			if ev.AuditID != "a" || ev.Verb == "" || !ev.Truncated || !ev.DryRun || ev.Resource != "revisions" || ev.Name != "r" {
				t.Fatalf("%q gave %+v", data, ev)
			}
		}
	}
	if salvaged < len(whole)/2 {
		t.Errorf("%d of %d cuts were salvaged", salvaged, 2*len(whole))
	}
	var d Decoder
	var ev table.AuditEvent
	broken := whole[:150] + "!!" + whole[150:]
	if _, err := d.Decode([]byte(broken), &ev); Salvage([]byte(broken), err, &ev) {
		t.Error("a damaged line is no cut one")
	}
}
