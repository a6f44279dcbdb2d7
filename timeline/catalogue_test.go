package timeline

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/knforensics/knforensics/ingest"
	"github.com/knforensics/knforensics/ingest/coverage"
	"github.com/knforensics/knforensics/ingest/naming"
	"github.com/knforensics/knforensics/ingest/source"
	"github.com/knforensics/knforensics/ingest/table"
)

func TestStem(t *testing.T) {
	long := strings.Repeat("n", 54)
	for name, want := range map[string]string{
		"cart": "cart", "cart-00001": "cart", "cart-00001-deployment-5c6554b685-x2k4q": "cart", "cart-00001-cache-user-container": "cart",
		"cart-1234": "cart-1234", "cart-123456-private": "cart", "cart-00001x": "cart-00001x", "-00001": "-00001",
		"cart-blue-deployment-5c6554b685-x2k4q": "cart-blue", "cart-deployments": "cart-deployments", "cart-cache": "cart",
		"coredns-5c6554b685": "coredns", "coredns-5c6554b685-x2k4q": "coredns", "web-0": "web-0", "app-backend": "app-backend", "x2k4q": "x2k4q",
		long + "-00001": long, long + "-blue": long + "-blu",
	} {
		if got := stem(name); got != want {
			t.Errorf("stem of %s is %s, want %s", name, got, want)
		}
	}
}

// learn returns a Catalogue of some inputs, and their History.
func learn(t *testing.T, paths ...string) (*Catalogue, *History) {
	t.Helper()
	inputs, err := source.Find(paths, nil)
	if err != nil {
		t.Fatal(err)
	}
	c, builder := NewCatalogue(), NewClusters(nil)
	opts := ingest.Options{Jobs: 2, Keep: func([]byte, coverage.Format, *table.AuditEvent) bool { return false }}
	_, err = ingest.Read(t.Context(), inputs, opts, func(b *table.Batch) error {
		builder.Add(b)
		return b.ByRecord(func(r *table.Rows) error {
			c.Add(r)
			return nil
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	return c, builder.Build()
}

// TestSentWithoutNamespace holds that what a request is about is known where what was
// sent does not repeat it.
func TestSentWithoutNamespace(t *testing.T) {
	c := NewCatalogue()
	c.Add(&table.Rows{Audit: []table.AuditEvent{{Verb: "create", Group: "serving.knative.dev", Resource: "routes", Namespace: "shop", Name: "front"}},
		Objects: []table.Object{{Group: "serving.knative.dev", Kind: KindRoute, Labels: []table.Pair{{Key: labelService, Value: "cart"}}}}})
	want := []table.FamilyName{{Subject: table.Subject{Namespace: "shop", Name: "cart"}, Family: "cart"}, {Subject: table.Subject{Namespace: "shop", Name: "front"}, Family: "cart"}}
	if got := c.Families(); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// odd is a log of a family of which the names do not tell.
var odd = join(
	event{id: "1", at: 1, verb: "create", res: "services", name: "cart"}.both("1", object("services", "cart", "s", "")),
	event{id: "2", at: 2, verb: "create", res: "revisions", name: "blue"}.both("2", object("revisions", "blue", "r", `"labels":{"serving.knative.dev/configuration":"cart","serving.knative.dev/service":"cart"}`)),
	event{id: "3", at: 3, verb: "create", res: "deployments", name: "blue-deployment", level: "Metadata"},
	event{id: "4", at: 4, verb: "create", res: "podautoscalers", name: "scaler"}.both("4", object("podautoscalers", "scaler", "p", owner("Revision", "blue", "r"))),
	event{id: "5", at: 5, verb: "create", res: "routes", name: "front"}.both("5", object("routes", "front", "f", "", `"spec":{"traffic":[{"configurationName":"cart","percent":100}]}`)),
	event{id: "6", at: 6, verb: "create", res: "domainmappings", name: "shop.example.com"}.both("6", object("domainmappings", "shop.example.com", "d", "", `"spec":{"ref":{"kind":"Service","name":"cart"}}`)),
	event{id: "7", at: 7, verb: "create", res: "inferenceservices", name: "model", level: "Metadata"},
	event{id: "8", at: 8, verb: "create", res: "services", name: "model-predictor", level: "Metadata"},
)

// TestFamiliesAreFound holds that whatever a History puts into one family is looked
// at together.
func TestFamiliesAreFound(t *testing.T) {
	samples, err := filepath.Glob("../samples/*")
	if err != nil || len(samples) < 7 {
		t.Fatal(samples, err)
	}
	log := filepath.Join(t.TempDir(), "audit.log")
	if err := os.WriteFile(log, []byte(odd), 0o600); err != nil {
		t.Fatal(err)
	}
	others := 0
	for _, sample := range append(samples, log) {
		c, h := learn(t, sample)
		names := c.Families()
		for _, f := range h.Families {
			for _, o := range f.Objects() {
				one, other := subject(o.Namespace, o.Name), subject(f.Namespace, f.Name)
				if one == other {
					continue
				}
				others++
				if familyOf(names, one) == "" || familyOf(names, one) != familyOf(names, other) {
					t.Errorf("%s: %s is of the family %s, and is not found with it", sample, o.Ref, f.Name)
				}
			}
		}
	}
	if others < 6 {
		t.Errorf("%d objects have names of their own", others)
	}
}

func familyOf(names []table.FamilyName, s table.Subject) string {
	if i := slices.IndexFunc(names, func(n table.FamilyName) bool { return n.Subject == s }); i >= 0 {
		return names[i].Family
	}
	return ""
}

// TestLongNamesAreFound holds the same of names that Knative shortens.
func TestLongNamesAreFound(t *testing.T) {
	c := NewCatalogue()
	long := strings.Repeat("n", 56)
	revision := long + "-00001"
	c.named(KindRevision, "shop", revision)
	names := c.Families()
	for _, child := range []string{naming.Child(revision, "-deployment"), naming.Child(revision, "-deployment")[:naming.LongestPrefix] + "x2k4q", naming.Child(revision, "-cache")} {
		if one, other := subject("shop", child), subject("shop", long); one != other && (familyOf(names, one) == "" || familyOf(names, one) != familyOf(names, other)) {
			t.Errorf("%s is not found with %s: %v", child, long, names)
		}
	}
}

// TestOverlaps holds that a Catalogue sees whatever makes a Cluster Mixed, and does
// not see it in the samples.
func TestOverlaps(t *testing.T) {
	if c, h := learn(t, "../samples/latched"); c.Overlaps() || h.Clusters[0].Mixed != nil {
		t.Error("a log of one cluster seems to be of several")
	}
	write := func(id, uid string, at float64) string {
		return event{id: id, at: at, verb: "update", res: "revisions/status", name: "r-00001", uid: uid}.json()
	}
	created := event{id: "c", at: 10, verb: "create", res: "revisions", name: "r-00001", level: "Metadata", code: 201}.json()
	for what, lines := range map[string][]string{
		"one goes on beside another":         {write("a", "1", 1), write("b", "2", 5), write("c", "1", 50)},
		"one goes on after another was made": {write("a", "1", 1), created, write("b", "2", 300), write("d", "1", 200)},
		"one follows the other":              {write("a", "1", 1), write("b", "1", 5), write("c", "2", 50)},
	} {
		for range len(lines) {
			lines = append(lines[1:], lines[0])
			path := filepath.Join(t.TempDir(), "audit.log")
			if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")), 0o600); err != nil {
				t.Fatal(err)
			}
			c, h := learn(t, path)
			if mixed := h.Clusters[0].Mixed != nil; mixed && !c.Overlaps() || !mixed && c.Overlaps() && strings.Contains(what, "follows") {
				t.Errorf("%s: mixed %v, overlaps %v", what, mixed, c.Overlaps())
			}
		}
	}
}
