package timeline

import (
	"slices"
	"strings"
	"testing"
)

func TestCompareVersions(t *testing.T) {
	tests := []struct {
		a, b string
		want int
	}{
		{"7", "7", 0}, {"7", "8", -1}, {"8", "7", 1}, {"9", "10", -1}, {"007", "7", 0}, {"0", "0", 0}, {"0", "1", -1},
		{"9223372036854775807", "9223372036854775808", -1}, // beyond 63 bits
		{"18446744073709551616", "18446744073709551615", 1},
		{"99999999999999999999999999", "100000000000000000000000000", -1},
		{"", "1", 0}, {"1", "", 0}, {"abc", "1", 0}, {"1", "abc", 0}, {"1-2", "1-3", 0}, {"-1", "1", 0}, {"1e3", "1", 0}, {"٣", "1", 0},
	}
	for _, test := range tests {
		if got := compareVersions(test.a, test.b); got != test.want {
			t.Errorf("%q, %q: %d, want %d", test.a, test.b, got, test.want)
		}
	}
}

// rev is a status update of Revision r-00001 that gives it a resourceVersion.
func rev(id string, at float64, version, conds string) event {
	e := event{id: id, at: at, verb: "update", res: "revisions/status", name: "r-00001", uid: "u"}
	if version == "" {
		e.level = "Metadata"
		return e
	}
	return e.both(version, object("revisions", "r-00001", "u", "", conditions(conds)))
}

func TestWritesOfOneObject(t *testing.T) {
	tests := []struct {
		name   string
		writes []event
		want   string
	}{
		{"by time", []event{rev("b", 2, "2", "Ready=True"), rev("a", 1, "1", "Ready=Unknown")}, "a b"},
		{"version against time", []event{rev("a", 1.002, "1", "Ready=Unknown"), rev("b", 1.001, "2", "Ready=True")}, "a b"},
		{"beyond 64 bits", []event{rev("a", 1.002, "99999999999999999999", "Ready=Unknown"), rev("b", 1.001, "100000000000000000000", "Ready=True")}, "a b"},
		{"opaque versions go by time", []event{rev("a", 1, "zzz", "Ready=Unknown"), rev("b", 2, "aaa", "Ready=True")}, "a b"},
		{"those without keep their place", []event{rev("a", 1.003, "1", "Ready=Unknown"), rev("m", 1.002, "", ""), rev("b", 1.001, "2", "Ready=True")}, "a m b"},
		{"same instant: when they came in", []event{
			{id: "b", at: 1, received: 0.9, verb: "patch", res: "revisions", name: "r-00001", level: "Metadata"},
			{id: "a", at: 1, received: 0.8, verb: "patch", res: "revisions", name: "r-00001", level: "Metadata"}}, "a b"},
		{"same instant and arrival: the audit ID, wherever they stand", []event{
			{id: "z", at: 1, received: 0.9, verb: "patch", res: "revisions", name: "r-00001", level: "Metadata"},
			{id: "a", at: 1, received: 0.9, verb: "patch", res: "revisions", name: "r-00001", level: "Metadata"}}, "a z"},
		{"the version of a refused update counts for nothing", []event{
			rev("a", 1, "5", "Ready=Unknown"),
			{id: "x", at: 2, verb: "update", res: "revisions/status", name: "r-00001", uid: "u", code: 409, resp: object("revisions", "r-00001", "u", `"resourceVersion":"1"`)},
			rev("b", 3, "6", "Ready=True")}, "a x b"},
	}
	for _, test := range tests {
		var records []interface{ json() string }
		for _, e := range test.writes {
			records = append(records, e)
		}
		if got := ids(one(t, read(t, join(records...)), KindRevision, "r-00001").Writes); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

// TestStateBetweenSwappedWrites: two requests overlap, and the one that was
// stored last is answered first.
func TestStateBetweenSwappedWrites(t *testing.T) {
	o := one(t, read(t, join(rev("a", 1.005, "1", "Ready=Unknown"), rev("b", 1.003, "2", "Ready=True"))), KindRevision, "r-00001")
	for at, want := range map[float64]string{1.002: "", 1.004: "True", 1.006: "True"} {
		c, _ := o.At(sec(at)).Condition("Ready")
		if c.Status != want {
			t.Errorf("at %v: %q, want %q", at, c.Status, want)
		}
	}
	if w := o.Writes[1]; !w.Became("Ready", "True") || o.Writes[0].Became("Ready", "Unknown") != true {
		t.Errorf("changes follow another order than the writes: %+v", w.Changes())
	}
}

func TestSortEntries(t *testing.T) {
	row := func(at float64, file string, line int64, kind EntryKind, object Ref) Entry {
		return Entry{Time: sec(at), Kind: kind, Object: object, Source: Source{File: file, Line: line}, Summary: file}
	}
	a, b := Ref{KindRevision, "shop", "a"}, Ref{KindRoute, "shop", "b"}
	tests := []struct {
		name string
		rows []Entry
		want []int // places of the rows, in order
	}{
		{"by time", []Entry{row(2, "x", 1, EntryWrite, a), row(1, "x", 2, EntryWrite, a)}, []int{1, 0}},
		{"same instant: file and line", []Entry{row(1, "y", 1, EntryWrite, a), row(1, "x", 2, EntryWrite, a), row(1, "x", 1, EntryLog, b)}, []int{2, 1, 0}},
		{"same record: kind, then object", []Entry{row(1, "x", 1, EntryWrite, b), row(1, "x", 1, EntryWrite, a), row(1, "x", 1, EntryEvent, b)}, []int{2, 1, 0}},
		{"no time is last", []Entry{{Object: a, Source: Source{File: "s"}}, row(9, "x", 1, EntryWrite, a)}, []int{1, 0}},
	}
	for _, test := range tests {
		rows := slices.Clone(test.rows)
		SortEntries(rows)
		for i, place := range test.want {
			if rows[i].Source != test.rows[place].Source || rows[i].Kind != test.rows[place].Kind || rows[i].Object != test.rows[place].Object {
				t.Errorf("%s: row %d is %+v", test.name, i, rows[i])
			}
		}
	}
}

// TestEntriesKeepTheOrderOfWrites: within one object by version, while the rows
// of others stay where their times put them.
func TestEntriesKeepTheOrderOfWrites(t *testing.T) {
	other := event{id: "o", at: 1.002, verb: "create", res: "images", name: "r-00001-cache-user-container", level: "Metadata"}
	h := read(t, join(rev("a", 1.003, "1", "Ready=Unknown"), rev("b", 1.001, "2", "Ready=True"), other))
	var got []string
	for _, e := range logged(h.Families[0].Entries(nil)) {
		got = append(got, e.Source.AuditID)
	}
	if !slices.Equal(got, []string{"a", "o", "b"}) {
		t.Errorf("rows %q, want a o b", got)
	}
}

// TestSince: what an update quotes tells what had been written by then, also by
// other objects.
func TestSince(t *testing.T) {
	ready := rev("r", 1, "10", "Ready=True")
	for quoted, want := range map[string]bool{"9": false, "10": true, "11": true, "": true, "opaque": true} {
		e := event{id: "c", at: 2, verb: "update", res: "configurations/status", name: "r", sent: quoted, level: "Metadata"}
		h := read(t, join(ready, e))
		if got := one(t, h, KindConfiguration, "r").Writes[0].Since(one(t, h, KindRevision, "r-00001").Writes[0]); got != want {
			t.Errorf("quoting %q: %v", quoted, got)
		}
	}
}

// TestRowsUnderWay: two requests that were under way together are marked, unless
// resourceVersions tell their order.
func TestRowsUnderWay(t *testing.T) {
	patch := func(id, name string, received, at float64) event {
		return event{id: id, at: at, received: received, verb: "patch", res: "revisions", name: name, level: "Metadata"}
	}
	versioned := func(id string, received, at float64, version string) event {
		e := rev(id, at, version, "Ready=Unknown")
		e.received = received
		return e
	}
	tests := []struct {
		name   string
		events []event
		want   string
	}{
		{"one after the other", []event{patch("a", "r-00001", 1, 2), patch("b", "r-00001", 2, 3)}, "a b"},
		{"together", []event{patch("a", "r-00001", 1, 2), patch("b", "r-00001", 1.9, 3)}, "a ~b"},
		{"one within the other", []event{patch("a", "r-00001", 1.5, 2), patch("b", "r-00001", 1, 3)}, "a ~b"},
		{"of two objects", []event{versioned("a", 1, 2, "1"), patch("b", "r-00002", 1.9, 3)}, "a ~b"},
		{"versions tell", []event{versioned("a", 1, 2, "1"), versioned("b", 1.9, 3, "2")}, "a b"},
		{"opaque versions do not", []event{versioned("a", 1, 2, "x"), versioned("b", 1.9, 3, "y")}, "a ~b"},
	}
	for _, test := range tests {
		var records []interface{ json() string }
		for _, e := range test.events {
			records = append(records, e)
		}
		var got []string
		for _, e := range logged(read(t, join(records...)).Families[0].Entries(nil)) {
			id := e.Source.AuditID
			if e.Together {
				id = "~" + id
			}
			got = append(got, id)
		}
		if s := strings.Join(got, " "); s != test.want {
			t.Errorf("%s: %q, want %q", test.name, s, test.want)
		}
	}
}

// TestReadOfAnotherClock: an API server whose clock is behind shows a version before
// the other one has made it, as the times go.
func TestReadOfAnotherClock(t *testing.T) {
	write := rev("w", 3, "2", "Ready=True")
	read1 := rev("r", 2, "2", "Ready=True")
	read1.verb, read1.res = "get", "revisions"
	first := rev("a", 1, "1", "Ready=Unknown")
	o := one(t, read(t, join(first, write), join(read1)), KindRevision, "r-00001")
	if got := ids(o.Writes); got != "a w r" || !o.Writes[1].Became("Ready", "True") {
		t.Errorf("%s, and the write turned Ready: %v", got, o.Writes[1].Became("Ready", "True"))
	}
}
