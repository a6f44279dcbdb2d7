package timeline

import (
	"strings"
	"testing"
)

// treeText writes a tree, what is below an object in brackets.
func treeText(nodes []*Node) string {
	var list []string
	for _, n := range nodes {
		text := n.Kind + " " + n.Name
		if len(n.Below) > 0 {
			text += " (" + treeText(n.Below) + ")"
		}
		list = append(list, text)
	}
	return strings.Join(list, ", ")
}

func TestTree(t *testing.T) {
	h := readPaths(t, []string{"../samples/latched/audit.log.zst"})
	f := revision(t, h, "rt-00002").Family
	text := treeText(f.Tree())
	for _, want := range []string{"Service rt (Configuration rt (Revision rt-00001 (PodAutoscaler rt-00001 (", "Deployment rt-00002-deployment (ReplicaSet ", "Route rt (Ingress rt))"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in %s", want, text)
		}
	}
}

// TestTreeByName holds that names tell where no record tells the owner.
func TestTreeByName(t *testing.T) {
	metadata := func(id, res, name string) event {
		return event{id: id, verb: "update", res: res, name: name, at: 1, level: "Metadata"}
	}
	h := read(t, join(metadata("a", "services", "r"), metadata("b", "configurations", "r"), metadata("c", "revisions", "r-00001"), metadata("d", "deployments", "r-00001-deployment"),
		metadata("e", "routes", "r"), metadata("f", "ingresses", "r")))
	const want = "Service r (Configuration r (Revision r-00001 (Deployment r-00001-deployment)), Route r (Ingress r))"
	if got := treeText(h.Families[0].Tree()); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestTreeOfCircle holds that every object is in the tree once, whatever the owner
// references say.
func TestTreeOfCircle(t *testing.T) {
	a, b := &Object{Ref: Ref{KindDeployment, "shop", "a"}}, &Object{Ref: Ref{KindReplicaSet, "shop", "b"}}
	a.owner, b.owner = b, a
	f := &Family{objects: []*Object{a, b}}
	if got := treeText(f.Tree()); got != "ReplicaSet b (Deployment a)" {
		t.Error(got)
	}
}
