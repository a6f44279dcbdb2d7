package timeline

import (
	"strings"
	"testing"
)

// TestGarbageCollection: what is owned goes with its owner though no record shows it,
// down to the last, unless it was seen well after.
func TestGarbageCollection(t *testing.T) {
	made := func(at float64, res, name, uid, metadata string) event {
		return event{at: at, verb: "create", res: res, name: name, uid: uid, code: 201, resp: object(res, name, uid, metadata)}
	}
	deleted := event{id: "gone", at: 10, verb: "delete", res: "services", name: "svc", uid: "s"}
	records := []interface{ json() string }{
		made(1, "services", "svc", "s", ""),
		made(2, "configurations", "svc", "c", owner("Service", "svc", "s")),
		made(3, "revisions", "svc-00001", "r", owner("Configuration", "svc", "c")),
		made(4, "deployments", "svc-00001-deployment", "d", owner("Revision", "svc-00001", "r")),
		made(5, "routes", "svc", "t", owner("Service", "svc", "s")),
	}
	alive := event{at: 60, verb: "patch", res: "routes", name: "svc", uid: "t", resp: object("routes", "svc", "t", owner("Service", "svc", "s"))}
	soon := event{at: 20, verb: "patch", res: "revisions", name: "svc-00001", uid: "r", resp: object("revisions", "svc-00001", "r", owner("Configuration", "svc", "c"))}

	h := read(t, join(append(records, deleted, soon, alive)...))
	for kind, want := range map[string]bool{KindConfiguration: true, KindRevision: true, KindDeployment: true, KindRoute: false} {
		name := map[string]string{KindRevision: "svc-00001", KindDeployment: "svc-00001-deployment"}[kind]
		if name == "" {
			name = "svc"
		}
		if o := one(t, h, kind, name); o.collected != want || !o.Gone.IsZero() {
			t.Errorf("%s: collected %v, want %v; gone %v", kind, o.collected, want, o.Gone)
		}
	}
	rows := 0
	for _, e := range h.Families[0].Entries(nil) {
		if strings.Contains(e.Summary, "garbage collection takes it too") {
			rows++
			if e.Grade != Assumed || e.Source.AuditID != "gone" {
				t.Errorf("%s: %s, by %q", e.Object, e.Grade, e.Source.AuditID)
			}
		}
	}
	if rows != 3 {
		t.Errorf("%d rows, want 3", rows)
	}
	if o := one(t, read(t, join(records...)), KindRevision, "svc-00001"); o.collected {
		t.Error("collected though its owner is there")
	}
	orphaned := event{at: 11, verb: "patch", res: "revisions", name: "svc-00001", uid: "r", level: "Metadata", user: "system:serviceaccount:kube-system:generic-garbage-collector", agent: "kube-controller-manager/v1"}
	if o := one(t, read(t, join(append(records, deleted, orphaned)...)), KindRevision, "svc-00001"); o.collected {
		t.Error("collected though the garbage collector let go of it")
	}
}

// TestLateRows: of an object that was made before the inputs begin, a row says that
// what was before is not known.
func TestLateRows(t *testing.T) {
	tests := []struct {
		name   string
		events []event
		want   string // part of the row, "" for none
	}{
		{"made in the inputs", []event{{at: 1, verb: "create", res: "revisions", name: "r-00001", uid: "u", code: 201, resp: object("revisions", "r-00001", "u", "")}}, ""},
		{"made before", []event{{at: 1, verb: "patch", res: "revisions", name: "r-00001", uid: "u", resp: object("revisions", "r-00001", "u", `"creationTimestamp":"2020-01-01T00:00:00Z"`)}}, "made at 2020-01-01T00:00:00Z, before"},
		{"not known", []event{{at: 1, verb: "patch", res: "revisions", name: "r-00001", level: "Metadata"}}, "first seen here"},
	}
	for _, test := range tests {
		var records []interface{ json() string }
		for _, e := range test.events {
			records = append(records, e)
		}
		got := ""
		for _, e := range read(t, join(records...)).Families[0].Entries(nil) {
			if e.Kind == EntryGap {
				got += e.Summary
			}
		}
		if test.want == "" && got != "" || !strings.Contains(got, test.want) {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

// TestDomainMapping: it is of the family of what it maps to.
func TestDomainMapping(t *testing.T) {
	for kind, want := range map[string]bool{KindService: true, KindRoute: true, "Broker": false} {
		h := read(t, join(
			event{at: 1, verb: "create", res: "services", name: "svc", uid: "s", code: 201, resp: object("services", "svc", "s", "")},
			event{at: 2, verb: "create", res: "domainmappings", name: "shop.example.com", uid: "m", code: 201,
				resp: object("domainmappings", "shop.example.com", "m", "", `"spec":{"ref":{"kind":"`+kind+`","name":"svc"}}`)}))
		found := false
		for _, o := range h.Families[0].Objects() {
			found = found || o.Kind == KindDomainMapping
		}
		if found != want {
			t.Errorf("%s: in the family %v, want %v", kind, found, want)
		}
	}
}
