package timeline

import "testing"

// TestStrangers: of a Pod of which nothing tells but its name, that decides. A Revision
// that only a log tells of has Pods as well.
func TestStrangers(t *testing.T) {
	pod := func(name string, at float64) event {
		return event{verb: "patch", res: "pods/status", name: name, at: at, level: "Metadata"}
	}
	h := read(t, join(pod("web-7d9f-x2k4q", 1), pod("r-00001-deployment-7d9f-x2k4q", 2), pod("s-00001-deployment-5c4b-p9z7w", 3), pod("web-7d9f-x2k4q", 4),
		event{verb: "create", res: "revisions", name: "r-00001", at: 5}, zap{at: 6, msg: "Reconcile succeeded", key: "shop/s-00001", trace: "t"}))
	for name, want := range map[string]int{"r-00001": 1, "s-00001": 1} {
		if pods := revision(t, h, name).Pods; len(pods) != want {
			t.Errorf("%s has %d Pods, want %d", name, len(pods), want)
		}
	}
	if list := lives(h, KindPod, "web-7d9f-x2k4q"); len(list) != 0 {
		t.Errorf("a Pod of nobody is in a family: %+v", list[0])
	}
}

// TestSentBesideTheAnswer: what was sent is known where the answer does not tell it, and
// the spec that a PodAutoscaler was sent with.
func TestSentBesideTheAnswer(t *testing.T) {
	body := func(resource string) string {
		return object(resource, "r-00001", "u", "", conditions("Ready=True"), `"spec":{"reachability":"Reachable"}`)
	}
	ask := func(id, resource string, at float64, code int) event {
		return event{id: id, verb: "update", res: resource + "/status", name: "r-00001", at: at, code: code, reason: "Conflict", req: body(resource)}
	}
	refused, accepted, unanswered := ask("1", "revisions", 1, 409), ask("2", "revisions", 2, 200), ask("3", "revisions", 3, 200)
	accepted.resp = withVersion(body("revisions"), "7")
	h := read(t, join(refused, accepted, unanswered, ask("4", "podautoscalers", 4, 200).both("8", body("podautoscalers"))))
	w := append(one(t, h, KindRevision, "r-00001").Writes, one(t, h, KindPodAutoscaler, "r-00001").Writes...)
	for i, sent := range []bool{true, false, true, true} {
		if (w[i].sent != nil) != sent {
			t.Errorf("write %s: sent %+v", w[i].Source.AuditID, w[i].sent)
		}
	}
	if c, ok := w[0].Asked("Ready"); !ok || c.Status != "True" {
		t.Errorf("a refused request asked for %+v", c)
	}
	if _, ok := w[2].Asked("Ready"); ok || !w[2].After.Is("Ready", "True") {
		t.Error("an accepted one asked in vain")
	}
	if value, known := w[3].reachability(); value != "Reachable" || !known {
		t.Errorf("reachability %q", value)
	}
}

// TestForget: what a family was asked before is forgotten, and told again.
func TestForget(t *testing.T) {
	h := read(t, join(rev("1", 1, "10", "Ready=Unknown"), rev("2", 2, "11", "Ready=True")))
	r := revision(t, h, "r-00001")
	before, state := len(r.Views()), r.At(sec(3))
	r.Target(sec(3))
	r.Family.Forget()
	if r.answers.viewed != nil || r.answers.indexed != nil || r.indexed != nil {
		t.Error("something is left")
	}
	if len(r.Views()) != before || before != 2 || r.At(sec(3)) != state {
		t.Error("it is told otherwise the second time")
	}
}
