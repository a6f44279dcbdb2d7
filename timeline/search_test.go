package timeline

import (
	"slices"
	"strings"
	"testing"

	"github.com/knforensics/knforensics/ingest/audit"
	"github.com/knforensics/knforensics/ingest/naming"
	"github.com/knforensics/knforensics/ingest/sift"
	"github.com/knforensics/knforensics/ingest/table"
)

func TestRootOf(t *testing.T) {
	for name, want := range map[string]string{"rt-00002": "rt", "rt": "rt", "a-b-100000": "a-b", "rt-0002": "rt-0002", "00001": "00001"} {
		if got := RootOf(name); got != want {
			t.Errorf("root of %s is %s, want %s", name, got, want)
		}
	}
}

// TestRelated holds that the names that a family refers to are told, also those
// that do not begin with its own.
func TestRelated(t *testing.T) {
	long := strings.Repeat("x", 50) + "-00001"
	revision := &Object{Ref: Ref{KindRevision, "n", long}, Owner: &Owner{Kind: KindConfiguration, Name: "config"}}
	route := &Object{Ref: Ref{KindRoute, "n", "route"}, Sightings: []Sighting{{State: &State{
		Labels: PairsOf(table.Pair{Key: labelService, Value: "service"}), Fields: PairsOf(table.Pair{Key: "spec.traffic[0].configurationName", Value: "other"})}}}}
	f := &Family{Namespace: "n", Name: "above-predictor", objects: []*Object{revision, route}}
	got := Related([]*Family{f})
	for _, want := range []string{"above", "above-predictor", "config", "other", "route", "service", long, naming.Child(long, "-deployment"), naming.Child(long, "-cache")} {
		if !slices.Contains(got, want) {
			t.Errorf("%s is not among %v", want, got)
		}
	}
	if slices.Contains(got, "") {
		t.Error("the empty name is looked for")
	}
}

// TestWantsOfAll holds that a look at a line never leaves out what Wants takes.
func TestWantsOfAll(t *testing.T) {
	body := []byte(`{}`)
	for _, group := range []struct{ path, group string }{{"/api/v1", ""}, {"/apis/apps/v1", "apps"}, {"/apis/serving.knative.dev/v1", "serving.knative.dev"},
		{"/apis/autoscaling/v2", "autoscaling"}, {"/apis/serving.kserve.io/v1beta1", "serving.kserve.io"}, {"/apis/events.k8s.io/v1", "events.k8s.io"},
		{"/apis/caching.internal.knative.dev/v1alpha1", "caching.internal.knative.dev"}, {"/apis/networking.internal.knative.dev/v1alpha1", "networking.internal.knative.dev"},
		{"/apis/autoscaling.internal.knative.dev/v1alpha1", "autoscaling.internal.knative.dev"}} {
		for _, resource := range []string{"pods", "configmaps", "events", "services", "deployments", "replicasets", "revisions", "routes", "images", "ingresses", "podautoscalers",
			"horizontalpodautoscalers", "inferenceservices", "secrets"} {
			for _, sub := range []string{"", "status", "scale", "eviction", "log"} {
				for _, verb := range []string{"get", "list", "watch", "create", "update", "patch", "delete", "deletecollection"} {
					for _, level := range []string{"Metadata", "Request", "RequestResponse"} {
						checkWants(t, group.path, verb, level, &table.AuditEvent{Group: group.group, Resource: resource, Subresource: sub, Verb: verb}, body)
					}
				}
			}
		}
	}
}

func checkWants(t *testing.T, path, verb, level string, row *table.AuditEvent, body []byte) {
	t.Helper()
	uri := path + "/namespaces/n/" + row.Resource
	if row.Subresource != "" || verb != "create" && verb != "list" {
		uri += "/name"
	}
	if row.Subresource != "" {
		uri += "/" + row.Subresource
	}
	var bodies audit.Bodies
	if level != "Metadata" {
		bodies.Request, bodies.Response = body, body
	}
	line := []byte(`{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"` + level + `","auditID":"a","stage":"ResponseComplete","requestURI":"` + uri + `?a=b","verb":"` + verb + `","stageTimestamp":"2026-03-02T09:00:00Z"}`)
	s, err := sift.New(*SearchAll(), nil)
	if err != nil {
		t.Fatal(err)
	}
	whole := false
	s.Lines(line, 1, func(int, int, int64) { whole = true }, func(*sift.Glance) {})
	if Wants(row, bodies) && !whole {
		t.Errorf("%s %s of %s at %s is wanted, and left out", verb, row.Subresource, uri, level)
	}
}
