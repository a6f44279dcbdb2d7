package timeline

import (
	"fmt"
	"strings"
	"testing"
)

// told writes lives as "uid[born-gone ids]", "-" where unknown.
func told(list []*Object) string {
	var parts []string
	for _, o := range list {
		born, gone := "?", ""
		if o.BornBy != nil {
			born = o.BornBy.Source.AuditID
		}
		if o.GoneBy != nil {
			gone = o.GoneBy.Source.AuditID
		}
		uid := o.UID
		if uid == "" {
			uid = "?"
		}
		parts = append(parts, fmt.Sprintf("%s[%s-%s: %s]", uid, born, gone, ids(o.Writes)))
	}
	return strings.Join(parts, " ")
}

func TestLives(t *testing.T) {
	const name = "r-00001"
	create := func(id string, at float64, uid string) event {
		return event{id: id, at: at, verb: "create", res: "revisions", name: name}.both("1", object("revisions", name, uid, ""))
	}
	bare := func(id string, at float64, verb, uid string, code int) event {
		return event{id: id, at: at, verb: verb, res: "revisions", name: name, uid: uid, level: "Metadata", code: code}
	}
	deleting := object("revisions", name, "u", `"deletionTimestamp":"2026-03-02T09:00:02Z"`)
	deleted := event{id: "b", at: 2, verb: "delete", res: "revisions", name: name, details: "u",
		resp: `{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Success","details":{"name":"r-00001","uid":"u"}}`}
	tests := []struct {
		name   string
		writes []event
		want   string
	}{
		{"one", []event{create("a", 1, "u"), bare("b", 2, "update", "u", 200), bare("c", 3, "patch", "", 200)}, "u[a-: a b c]"},
		{"the uid is learned later", []event{bare("a", 1, "create", "", 201), bare("b", 2, "patch", "", 200), bare("c", 3, "update", "u", 200)}, "u[a-: a b c]"},
		{"same name, new uid", []event{create("a", 1, "u"), bare("b", 2, "delete", "", 200), create("c", 3, "v"), bare("d", 4, "update", "v", 200)}, "u[a-b: a b] v[c-: c d]"},
		{"a late record of the first", []event{create("a", 1, "u"), bare("b", 2, "delete", "", 200), create("c", 3, "v"), bare("d", 4, "update", "u", 404)}, "u[a-b: a b d] v[c-: c]"},
		{"new uid, deletion not seen", []event{create("a", 1, "u"), bare("c", 3, "update", "v", 200)}, "u[a-: a] v[?-: c]"},
		{"no uid, created again after a delete", []event{bare("a", 1, "create", "", 201), bare("b", 2, "delete", "", 200), bare("c", 3, "create", "", 201), bare("d", 4, "patch", "", 200), bare("e", 5, "delete", "", 200)},
			"?[a-b: a b] ?[c-e: c d e]"},
		{"no uid, created again, deletion not seen", []event{bare("a", 1, "create", "", 201), bare("c", 3, "create", "", 201)}, "?[a-: a] ?[c-: c]"},
		{"a refused create starts no life", []event{bare("a", 1, "create", "", 201), bare("b", 2, "create", "", 409), bare("c", 3, "update", "u", 200)}, "u[a-: a b c]"},
		{"a create that was refused before", []event{bare("b", 0.5, "create", "", 403), create("a", 1, "u")}, "u[a-: b a]"},
		{"a refused create after the end is of the next", []event{create("a", 1, "u"), bare("b", 2, "delete", "", 200), bare("c", 3, "create", "", 500), bare("c2", 4, "create", "", 403), create("d", 5, "v")}, "u[a-b: a b] v[d-: c c2 d]"},
		{"and of an end that was not seen", []event{create("a", 1, "u"), bare("c", 3, "create", "", 500), create("d", 5, "v")}, "u[a-: a] v[d-: c d]"},
		{"but not while the object is there", []event{create("a", 1, "u"), bare("c", 3, "create", "", 500), bare("d", 4, "update", "u", 200), create("e", 5, "v")}, "u[a-: a c d] v[e-: e]"},
		{"what exists already is there", []event{create("a", 1, "u"), {id: "c", at: 3, verb: "create", res: "revisions", name: name, level: "Metadata", code: 409, reason: "AlreadyExists"}, create("e", 5, "v")}, "u[a-: a c] v[e-: e]"},
		{"unless it was deleted before", []event{create("a", 1, "u"), bare("b", 2, "delete", "", 200), {id: "c", at: 3, verb: "create", res: "revisions", name: name, level: "Metadata", code: 409, reason: "AlreadyExists"}}, "u[a-b: a b] ?[?-: c]"},
		{"a request after the end belongs to it", []event{create("a", 1, "u"), bare("b", 2, "delete", "u", 200), bare("c", 3, "patch", "", 404)}, "u[a-b: a b c]"},
		{"server-side apply creates by patch", []event{{id: "a", at: 1, verb: "patch", res: "revisions", name: name, code: 201, resp: withVersion(object("revisions", name, "u", ""), "1")}}, "u[a-: a]"},
		{"a patch that changes", []event{bare("a", 1, "patch", "", 200)}, "?[?-: a]"},
		{"delete answered with a Status", []event{create("a", 1, "u"), deleted}, "u[a-b: a b]"},
		{"of one that only the delete tells", []event{deleted}, "u[?-b: b]"},
		{"delete with finalizers left", []event{create("a", 1, "u"), {id: "b", at: 2, verb: "delete", res: "revisions", name: name, resp: deleting}, bare("c", 3, "update", "u", 200)}, "u[a-: a b c]"},
		{"delete answered with the last state", []event{create("a", 1, "u"), {id: "b", at: 2, verb: "delete", res: "revisions", name: name, resp: withVersion(object("revisions", name, "u", ""), "1")}}, "u[a-b: a b]"},
		{"a delete that was refused", []event{create("a", 1, "u"), bare("b", 2, "delete", "", 409)}, "u[a-: a b]"},
		{"a delete that was a dry run", []event{create("a", 1, "u"), {id: "b", at: 2, verb: "delete", res: "revisions", name: name, dryRun: true}}, "u[a-: a b]"},
	}
	for _, test := range tests {
		var records []interface{ json() string }
		for _, e := range test.writes {
			records = append(records, e)
		}
		if got := told(lives(read(t, join(records...)), KindRevision, name)); got != test.want {
			t.Errorf("%s:\n got %s\nwant %s", test.name, got, test.want)
		}
	}
}

// TestFindTellsLivesApart: children that tell no uid belong to the Revision that
// lived when they were first seen.
func TestFindTellsLivesApart(t *testing.T) {
	const name = "r-00001"
	h := read(t, join(
		event{id: "a", at: 1, verb: "create", res: "revisions", name: name, level: "Metadata"},
		event{id: "d1", at: 2, verb: "create", res: "deployments", name: name + "-deployment", level: "Metadata"},
		event{id: "x1", at: 8, verb: "delete", res: "deployments", name: name + "-deployment", level: "Metadata"},
		event{id: "b", at: 9, verb: "delete", res: "revisions", name: name, level: "Metadata"},
		event{id: "c", at: 20, verb: "create", res: "revisions", name: name, level: "Metadata"},
		event{id: "d2", at: 21, verb: "create", res: "deployments", name: name + "-deployment", level: "Metadata"},
	))
	var got []string
	for _, r := range h.Families[0].Revisions {
		for _, d := range r.Deployments {
			got = append(got, r.BornBy.Source.AuditID+":"+ids(d.Writes))
		}
	}
	if s := strings.Join(got, " "); s != "a:d1 x1 c:d2" {
		t.Errorf("Deployments %q", s)
	}
	f := h.Families[0]
	for at, want := range map[float64]string{5: "a", 12: "a", 25: "c"} {
		if r := f.Find(name, sec(at)); r.BornBy.Source.AuditID != want {
			t.Errorf("at %v: %s", at, r.BornBy.Source.AuditID)
		}
	}
	if r := f.Find("r-00009", sec(1)); r != nil {
		t.Errorf("found %s", r.Name)
	}
}

func TestLast(t *testing.T) {
	snapshot := func(version, conds string) string {
		return withVersion(object("revisions", "r-00001", "u", "", conditions(conds)), version) + "\n"
	}
	sent := rev("a", 1, "5", "Ready=Unknown")
	sent.level, sent.resp, sent.sent = "Request", "", "5"
	tests := []struct {
		name     string
		write    event
		snapshot string
		want     string
	}{
		{"a newer snapshot", rev("a", 1, "5", "Ready=Unknown"), snapshot("6", "Ready=True"), "Ready=True whole"},
		{"an older snapshot", rev("a", 1, "5", "Ready=Unknown"), snapshot("4", "Ready=True"), "Ready=Unknown whole"},
		{"one of the same version", rev("a", 1, "5", "Ready=Unknown"), snapshot("5", "Ready=True"), "Ready=Unknown whole"},
		{"of before a request that quotes its version", sent, snapshot("5", "Ready=False"), "Ready=Unknown"},
		{"of after it", sent, snapshot("6", "Ready=True"), "Ready=True whole"},
		{"writes without bodies", event{id: "a", at: 1, verb: "create", res: "revisions", name: "r-00001", level: "Metadata"}, snapshot("6", "Ready=True"), "Ready=True whole"},
	}
	for _, test := range tests {
		o := one(t, read(t, join(test.write), test.snapshot), KindRevision, "r-00001")
		if got := known(o.Last()); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
	if (*Object)(nil).Last() != nil || (*Object)(nil).At(sec(1)) != nil || (*Object)(nil).Exists(sec(1)) {
		t.Error("a nil object has a state")
	}
}

func TestSnapshotsOnly(t *testing.T) {
	h := read(t, withVersion(object("revisions", "r-00001", "u", `"creationTimestamp":"2026-03-02T08:00:00Z"`, conditions("Ready=True")), "6")+"\n")
	r := revision(t, h, "r-00001")
	if len(r.Writes) != 0 || len(r.Sightings) != 1 || !r.Born.Equal(sec(-3600)) || !r.Last().Is("Ready", "True") || r.At(sec(9)) != nil {
		t.Errorf("%d writes, %d sightings, born %s", len(r.Writes), len(r.Sightings), r.Born)
	}
}

// TestNamesake: a new uid under the same name proves that the old life is over,
// and the children that were never made belong to whoever lived at the time.
func TestNamesake(t *testing.T) {
	const name = "r-00001"
	create := func(id string, at float64, uid string) event {
		return event{id: id, at: at, verb: "create", res: "revisions", name: name}.both(id+"1", object("revisions", name, uid, ""))
	}
	image := func(id string, at float64, code int) event {
		return event{id: id, at: at, verb: "create", res: "images", name: name + "-cache-user-container", code: code}
	}
	made := image("i4", 24, 201).both("9", object("images", name+"-cache-user-container", "i", owner("Revision", name, "v")))
	h := read(t, join(create("a", 1, "u"), image("i1", 2, 500), image("i2", 3, 409), create("b", 20, "v"), image("i3", 21, 500), made))
	revisions := h.Families[0].Revisions
	if old := revisions[0]; !old.Gone.Equal(sec(20)) || old.GoneBy != nil || !old.Exists(sec(19)) || old.Exists(sec(20)) {
		t.Errorf("gone %s by %v", old.Gone, old.GoneBy)
	}
	if !revisions[1].Gone.IsZero() {
		t.Errorf("the second is gone at %s", revisions[1].Gone)
	}
	var got []string
	for _, r := range revisions {
		got = append(got, r.UID+": "+ids(r.Controlled()))
	}
	if s := strings.Join(got, ", "); s != "u: i1 i2, v: i3 i4" {
		t.Errorf("requests %s", s)
	}
}

// TestLoggedObjects: an Event tells the uid of an object that a log only names.
func TestLoggedObjects(t *testing.T) {
	h := read(t, join(zap{at: 1, msg: "Created PA", trace: "t1", key: "shop/r-00001"},
		zap{at: 2, msg: `Event(v1.ObjectReference{Kind:"Revision", Namespace:"shop", Name:"r-00001", UID:"u", APIVersion:"serving.knative.dev/v1", ResourceVersion:"1", FieldPath:""}): type: 'Warning' reason: 'InternalError' failed`, trace: "t1", key: "shop/r-00001"}))
	if r := revision(t, h, "r-00001"); r.UID != "u" {
		t.Errorf("uid %q", r.UID)
	}
}

// TestBindingAndEviction holds that what is asked of a subresource of a Pod is
// told of the Pod, and that an evicted Pod is about to go.
func TestBindingAndEviction(t *testing.T) {
	pod := func(id string, at float64, members ...string) event {
		return event{id: id, at: at, verb: "create", res: "pods", name: "r-00001-deployment-x", uid: "p",
			resp: object("pods", "r-00001-deployment-x", "p", `"labels":{"serving.knative.dev/revision":"r-00001"}`, members...)}
	}
	ask := func(id, sub string, at float64, code int) event {
		return event{id: id, at: at, verb: "create", res: "pods/" + sub, name: "r-00001-deployment-x", level: "Metadata", code: code}
	}
	h := read(t, join(event{at: 0.5, verb: "create", res: "revisions", name: "r-00001", level: "Metadata"},
		pod("1", 1, `"status":{"phase":"Running"}`), ask("2", "binding", 2, 201), ask("3", "eviction", 3, 429), ask("4", "eviction", 4, 201)))
	o := one(t, h, KindPod, "r-00001-deployment-x")
	if got := ids(o.Writes); got != "1 2 3 4" {
		t.Fatalf("writes %s", got)
	}
	for i, deleting := range []bool{false, false, false, true} {
		if s := o.Writes[i].After; s == nil || s.Field("status.phase") != "Running" || s.Deleting.IsZero() == deleting {
			t.Errorf("after %s: %+v", o.Writes[i].Source.AuditID, s)
		}
	}
	if bound, evicted := writeEntry(o.Writes[1]).Summary, writeEntry(o.Writes[3]).Summary; bound != "bound to a node" || !strings.HasPrefix(evicted, "evicted") {
		t.Errorf("%s, %s", bound, evicted)
	}
	if !o.Gone.IsZero() {
		t.Error("an eviction only starts the deletion")
	}
}

// TestGeneratedName holds that an object is known by the name that only the
// answer tells (kubernetes/kubernetes#100466).
func TestGeneratedName(t *testing.T) {
	h := read(t, join(event{id: "1", at: 1, verb: "create", res: "revisions", resp: object("revisions", "r-x7k2p", "u", "")}))
	if o := one(t, h, KindRevision, "r-x7k2p"); o.BornBy == nil || o.BornBy.Source.AuditID != "1" {
		t.Errorf("made by generateName: %+v", o)
	}
}
