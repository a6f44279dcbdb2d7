package rules

import (
	"testing"
	"time"

	"github.com/knforensics/knforensics/detectors"
)

const samples = "../../samples/rules.yaml"

func readSamples(t testing.TB) *Set {
	t.Helper()
	set, err := Read([]string{samples}, []string{"latest-ready-latch"})
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// ask returns the findings of one rule of the samples.
func ask(t *testing.T, id string, list []*request) []*detectors.Finding {
	t.Helper()
	w := readSamples(t).Watch([]string{id}, "")
	for _, r := range list {
		w.Request(r)
	}
	result := judged(w)
	if len(result.Blind) > 0 {
		t.Errorf("%s: %+v", id, result.Blind)
	}
	return result.Findings
}

// TestSamples asks each rule over requests about requests that it is for, and
// about ones that differ in what matters.
func TestSamples(t *testing.T) {
	for id, test := range map[string]struct {
		n       int
		match   func(*request)
		summary string
		others  []func(*request)
	}{
		"conflict-storm": {10, func(r *request) { r.Code, r.Reason = 409, "Conflict" },
			"10 conflicts on Pod shop/cart in 9s, the first for kubectl",
			[]func(*request){
				func(r *request) { r.Verb = "create" },
				func(r *request) { r.Code = 200 },
				func(r *request) { r.StageTime = start.Add(r.StageTime.Sub(start) * 10) },
				func(r *request) { r.Name = r.AuditID },
			}},
		"throttled": {1, func(r *request) { r.Code, r.Verb = 429, "list" },
			"alice was told to try again later ×1, first for list pods",
			[]func(*request){
				func(r *request) { r.Reason, r.Subresource = "TooManyRequests", "eviction" },
				func(r *request) { r.Reason, r.Message = "TooManyRequests", "storage is (re)initializing" },
				func(r *request) { r.Code = 403 },
			}},
		"webhook-failed": {1, func(r *request) {
			r.Code, r.Reason, r.Message = 500, "InternalError", `Internal error occurred: failed calling webhook "webhook.serving.knative.dev": timeout`
		},
			`1 requests for pods failed with a webhook: Internal error occurred: failed calling webhook "webhook.serving.knative.dev": timeout`,
			[]func(*request){
				func(r *request) { r.Message = `admission webhook "webhook.serving.knative.dev" denied the request` },
				func(r *request) { r.Code = 200 },
			}},
		"status-by-hand": {1, func(r *request) { r.Resource, r.Group, r.Subresource = "revisions", "serving.knative.dev", "status" },
			"alice wrote the status of Revision shop/cart ×1 by kubectl",
			[]func(*request){
				func(r *request) { r.Subresource = "scale" },
				func(r *request) { r.Verb = "get" },
				func(r *request) { r.Code = 403 },
				func(r *request) { r.User = "system:serviceaccount:knative-serving:controller" },
			}},
		"image-cache-refused": {1, func(r *request) {
			r.Group, r.Resource, r.Verb, r.Code, r.Reason, r.Message = "caching.internal.knative.dev", "images", "create", 403, "Forbidden", "exceeded quota"
		},
			"1 image caches refused in shop: exceeded quota",
			[]func(*request){
				func(r *request) { r.Code, r.Reason = 409, "AlreadyExists" },
				func(r *request) { r.Code, r.Reason = 201, "" },
				func(r *request) { r.Group = "image.openshift.io" },
			}},
		"pod-entered": {1, func(r *request) { r.Verb, r.Subresource, r.Code = "get", "exec", 101 },
			"alice entered Pods ×1, first shop/cart by exec",
			[]func(*request){
				func(r *request) { r.Subresource = "log" },
				func(r *request) { r.Code = 403 },
				func(r *request) { r.Resource = "services" },
			}},
		"secrets-read": {1, func(r *request) { r.Verb, r.Resource, r.SourceIP = "get", "secrets", "10.0.0.9" },
			"alice read Secrets ×1, first by get shop/cart from 10.0.0.9",
			[]func(*request){
				func(r *request) { r.User = "system:node:n1" },
				func(r *request) { r.Code = 403 },
				func(r *request) { r.Resource = "configmaps" },
				func(r *request) { r.Verb = "update" },
			}},
		"collection-deleted": {1, func(r *request) { r.Verb, r.Name = "deletecollection", "" },
			"alice deleted the collection Pod shop/* ×1",
			[]func(*request){
				func(r *request) { r.Verb = "delete" },
				func(r *request) { r.User = "system:serviceaccount:kube-system:namespace-controller" },
				func(r *request) { r.Code = 403 },
			}},
		"server-errors": {10, func(r *request) { r.Code, r.Message = 500, "etcdserver: request timed out" },
			"10 requests of kubectl failed in 9s, first update pods: 500 etcdserver: request timed out",
			[]func(*request){
				func(r *request) { r.Code = 404 },
				func(r *request) { r.UserAgent = r.AuditID },
				func(r *request) { r.Resource = "" },
			}},
		"slow-requests": {5, func(r *request) { r.Received = r.StageTime.Add(-4 * time.Second) },
			"5 slow requests for pods, the first took 4s: update by kubectl",
			[]func(*request){
				func(r *request) { r.Verb = "watch" },
				func(r *request) { r.Subresource = "exec" },
				func(r *request) { r.Received = r.StageTime.Add(-3 * time.Second) },
				func(r *request) { r.Received = time.Time{} },
			}},
	} {
		found := ask(t, id, every(test.n, test.match))
		if len(found) != 1 || found[0].Summary != test.summary {
			t.Errorf("%s: %d findings, want one: %s", id, len(found), test.summary)
			for _, f := range found {
				t.Error(f.Summary)
			}
		}
		if test.n > 1 && len(ask(t, id, every(test.n-1, test.match))) > 0 {
			t.Errorf("%s: found in too few requests", id)
		}
		for i, other := range test.others {
			list := every(test.n, func(r *request) { test.match(r); other(r) })
			if found := ask(t, id, list); len(found) > 0 {
				t.Errorf("%s: found in what is no such thing (%d): %s", id, i, found[0].Summary)
			}
		}
	}
}

// TestSamplesOverObjects does the same for the rules over objects.
func TestSamplesOverObjects(t *testing.T) {
	lost := historyOf(revision{second: 1, ready: "True", version: "1"}, revision{second: 2, ready: "False/ExitCode1", version: "2"})
	never := historyOf(revision{second: 1, ready: "Unknown", version: "1"}, revision{second: 2, ready: "False/ExitCode1", version: "2"}, revision{second: 3, ready: "True", version: "3"})
	waits := historyOf(revision{second: 1, pod: "ErrImagePull"}, revision{second: 2, pod: "ImagePullBackOff"})
	starts := historyOf(revision{second: 1, pod: "ContainerCreating"})
	set := readSamples(t)
	want(t, said(judgeHistory(set, lost)), "Revision shop/cart-00001: cart-00001 lost Ready ×1, first for ExitCode1")
	want(t, said(judgeHistory(set, never)))
	want(t, said(judgeHistory(set, waits)), "Pod shop/cart-00001-deployment-x: cart-00001-deployment-x cannot pull an image")
	want(t, said(judgeHistory(set, starts)))
}
