package ingest

import (
	"slices"
	"testing"

	"github.com/knforensics/knforensics/ingest/coverage"
)

// review is a line of kube-audit-rest.
const review = `{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":{"uid":"r-1","kind":{"group":"serving.knative.dev","version":"v1","kind":"Revision"},"name":"rt-00001","namespace":"shop",` +
	`"operation":"UPDATE","object":{"apiVersion":"serving.knative.dev/v1","kind":"Revision","metadata":{"name":"rt-00001","namespace":"shop","uid":"u","resourceVersion":"7"},"status":{"actualReplicas":3}},"dryRun":false},` +
	`"requestReceivedTimestamp":"2026-03-02T09:00:00.5Z"}` + "\n"

// TestAdmissionReview: one is a record, and what it carries is no state.
func TestAdmissionReview(t *testing.T) {
	const row = "object admission   admission.k8s.io/AdmissionReview rt-00001 []"
	for name, text := range map[string]string{"lines": review + review, "over lines": laidOut(review), "wrapped": `{"log":` + inJSON(review) + `,"date":1.5}`, "an answer alone": `{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","response":{"uid":"r-1","allowed":true},"request":{"name":"rt-00001"}}`} {
		c, rows := readText(t, text)
		if f := c.Files[0]; f.Format != coverage.Admission || f.Rejected > 0 || f.Records-f.Duplicates != 1 {
			t.Errorf("%s: %+v", name, f)
		}
		if !slices.Equal(rows, []string{row}) {
			t.Errorf("%s: %q", name, rows)
		}
	}
	c, _ := readText(t, `{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":{"uid":7}}`)
	if f := c.Files[0]; f.Rejected != 1 || f.Records != 0 {
		t.Errorf("%+v", f)
	}
}
