package ingest

import (
	"slices"
	"testing"
)

// TestImpactedEvents: kube-apiserver prints the audit events that a backend may
// have lost into its own log, be it text or JSON.
func TestImpactedEvents(t *testing.T) {
	const message = "Error in audit plugin 'webhook' affecting 2 audit events: x\nImpacted events:\n"
	event := func(id string) string {
		return `2026-03-02T09:00:00.5Z AUDIT: id="` + id + `" stage="ResponseComplete" ip="1.2.3.4" method="update" user="u" groups="g" as="<self>" asgroups="<lookup>" user-agent="a" namespace="shop" uri="/apis/serving.knative.dev/v1/namespaces/shop/revisions/rt/status" response="200"` + "\n"
	}
	const header = "E0302 09:00:01.000000       1 metrics.go:110] "
	want := []string{"audit i-1 revisions/rt update dry=false", "audit i-2 revisions/rt update dry=false"}
	prefixed := "2026-03-02T09:00:01Z stderr F "
	for name, text := range map[string]string{
		"text":            klogLine + header + message + event("i-1") + event("i-2") + "\n" + klogLine,
		"a container log": prefixed + klogLine + prefixed + header + "Error in audit plugin\n" + prefixed + "Impacted events:\n" + prefixed + event("i-1") + prefixed + event("i-2") + prefixed + "\n",
		"JSON":            `{"ts":1772442001000.5,"caller":"audit/metrics.go:110","msg":` + inJSON(message+event("i-1")+event("i-2")) + "}\n",
	} {
		c, rows := readText(t, text)
		rows = slices.DeleteFunc(rows, func(row string) bool { return row[:5] != "audit" })
		if !slices.Equal(rows, want) {
			t.Errorf("%s: %q", name, rows)
		}
		if r := c.Resource("serving.knative.dev", "revisions", "status"); r == nil || r.Records != 2 || r.Levels["Metadata"] != 2 || c.Files[0].Rejected != 0 {
			t.Errorf("%s: %+v", name, c)
		}
	}
}
