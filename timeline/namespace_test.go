package timeline

import (
	"slices"
	"strings"
	"testing"
)

// TestSettle: kubectl prints objects without their namespace. What is in one file is
// of one namespace, which the other inputs may tell.
func TestSettle(t *testing.T) {
	object := func(kind, namespace, name, file string) *shown {
		return &shown{Ref: Ref{kind, namespace, name}, source: Source{File: file}}
	}
	note := func(namespace, name, file string) *Note {
		return &Note{Object: Ref{KindRevision, namespace, name}, Source: Source{File: file}}
	}
	audited := func(namespace, name string) *request {
		return &request{Ref: Ref{KindRevision, namespace, name}}
	}
	tests := []struct {
		name     string
		requests []*request
		seen     []*shown
		notes    []*Note
		want     string
	}{
		{"told by an audit event", []*request{audited("shop", "a")}, []*shown{object(KindRevision, "", "a", "table")}, nil, "shop/a"},
		{"told by a snapshot", nil, []*shown{object(KindRevision, "shop", "a", "yaml"), object(KindRevision, "", "a", "table")}, nil, "shop/a shop/a"},
		{"has one already", []*request{audited("shop", "a")}, []*shown{object(KindRevision, "till", "a", "table")}, nil, "till/a"},
		{"nothing tells", []*request{audited("shop", "b")}, []*shown{object(KindRevision, "", "a", "table")}, nil, "/a"},
		{"another kind of that name", []*request{audited("shop", "a")}, []*shown{object(KindRoute, "", "a", "table")}, nil, "/a"},
		{"with all of its file", []*request{audited("shop", "a"), audited("shop", "b")}, []*shown{object(KindRevision, "", "a", "table"), object(KindRevision, "", "b", "table")}, nil, "shop/a shop/b"},
		{"not by one name of two", []*request{audited("shop", "a")}, []*shown{object(KindRevision, "", "a", "table"), object(KindRevision, "", "b", "table")}, nil, "/a /b"},
		{"by two of three", []*request{audited("shop", "a"), audited("shop", "b")}, []*shown{object(KindRevision, "", "a", "table"), object(KindRevision, "", "b", "table"), object(KindRevision, "", "c", "table")}, nil, "shop/a shop/b shop/c"},
		{"not with another file", []*request{audited("shop", "a")}, []*shown{object(KindRevision, "", "a", "table"), object(KindRevision, "", "b", "other")}, nil, "shop/a /b"},
		{"two namespaces have it", []*request{audited("shop", "a"), audited("till", "a")}, []*shown{object(KindRevision, "", "a", "table")}, nil, "/a"},
		{"and one of them has the rest, too", []*request{audited("shop", "a"), audited("till", "a"), audited("till", "b")},
			[]*shown{object(KindRevision, "", "a", "table"), object(KindRevision, "", "b", "table")}, nil, "till/a till/b"},
		{"no namespace has all", []*request{audited("shop", "a"), audited("till", "b")},
			[]*shown{object(KindRevision, "", "a", "table"), object(KindRevision, "", "b", "table")}, nil, "/a /b"},
		{"an Event", []*request{audited("shop", "a")}, nil, []*Note{note("", "a", "table")}, "shop/a"},
		{"an Event that has one", []*request{audited("shop", "a")}, nil, []*Note{note("till", "a", "table")}, "till/a"},
		{"an Event with all of its file", []*request{audited("shop", "a"), audited("shop", "b")}, []*shown{object(KindRevision, "", "a", "table")}, []*Note{note("", "b", "table")}, "shop/a shop/b"},
		{"not beside an Event of something else", []*request{audited("shop", "a")}, []*shown{object(KindRevision, "", "a", "table")}, []*Note{note("", "b", "table")}, "/a /b"},
		{"of objects that the audit log names without a namespace", []*request{audited("", "a")}, []*shown{object(KindRevision, "", "a", "table")}, nil, "/a"},
	}
	for _, test := range tests {
		b := NewBuilder()
		b.requests, b.seen, b.notes = test.requests, slices.Clone(test.seen), test.notes
		b.settle()
		var got []string
		for _, o := range b.seen {
			got = append(got, o.Namespace+"/"+o.Name)
		}
		for _, n := range b.notes {
			got = append(got, n.Object.Namespace+"/"+n.Object.Name)
		}
		if text := strings.Join(got, " "); text != test.want {
			t.Errorf("%s: %s, want %s", test.name, text, test.want)
		}
	}
}

// TestTableJoinsItsFamily: a table without namespaces and the audit log tell of one
// object, not of two.
func TestTableJoinsItsFamily(t *testing.T) {
	h := read(t, join(event{verb: "create", res: "configurations", name: "r", at: 1}.both("1", object("configurations", "r", "u", ""))),
		"NAME   LATESTCREATED   LATESTREADY   READY   REASON\nr      r-00001         r-00001       True    \n")
	if o := one(t, h, KindConfiguration, "r"); len(o.Sightings) != 1 || len(h.Families) != 1 {
		t.Errorf("%d sightings, %d families; want 1 and 1", len(o.Sightings), len(h.Families))
	}
}
