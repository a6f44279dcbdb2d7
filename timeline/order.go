package timeline

import (
	"cmp"
	"slices"
	"strings"

	"github.com/knforensics/knforensics/ingest/coverage"
)

// compareVersions orders two resourceVersions of one object. They are opaque
// to clients; kube-apiserver makes them of etcd revisions, decimal numbers
// that grow with each write. Versions that are no such numbers are not
// compared: the result is 0.
func compareVersions(a, b string) int {
	if !decimal(a) || !decimal(b) {
		return 0
	}
	a, b = strings.TrimLeft(a, "0"), strings.TrimLeft(b, "0")
	return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
}

func decimal(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// byTime is the order of requests of all objects: when they were done, when they
// came in, and then the audit ID, so that the order does not depend on where the
// records stand. That counts only where nothing else tells them apart.
func byTime(a, b *Write) int {
	if c := a.Time.Compare(b.Time); c != 0 {
		return c
	}
	return cmp.Or(a.Received.Compare(b.Received), cmp.Compare(a.Source.AuditID, b.Source.AuditID),
		cmp.Compare(a.Source.File, b.Source.File), cmp.Compare(a.Source.Line, b.Source.Line))
}

// orderWrites puts the requests about one object in order: by time, and those
// whose answer tells a resourceVersion among themselves by that, in the places
// that they have by time.
func orderWrites(writes []*Write) {
	slices.SortFunc(writes, byTime)
	var places []int
	var versioned []*Write
	for i, w := range writes {
		if w.Versioned() {
			places = append(places, i)
			versioned = append(versioned, w)
		}
	}
	slices.SortStableFunc(versioned, func(a, b *Write) int {
		return cmp.Or(compareVersions(a.version(), b.version()), compareSeen(a, b))
	})
	for i, place := range places {
		writes[place] = versioned[i]
	}
}

// compareSeen orders two requests about one version in the logs of two API servers,
// whose clocks may differ: what shows it comes after what made it.
func compareSeen(a, b *Write) int {
	if a.Outcome == Read == (b.Outcome == Read) || coverage.LogOf(a.Source.File) == coverage.LogOf(b.Source.File) {
		return 0
	}
	if a.Outcome == Read {
		return 1
	}
	return -1
}

// Since reports whether the version that an update quoted is at least that
// which another write made, so that all changes of its object that it knew may
// be later than that one. It is true where versions do not tell.
func (w *Write) Since(other *Write) bool {
	v := other.version()
	return !decimal(w.SentVersion) || !decimal(v) || compareVersions(w.SentVersion, v) >= 0
}

// Versioned reports whether it is known which version of the object the request made, or
// showed, and versions tell an order.
func (w *Write) Versioned() bool { return decimal(w.version()) }

// version returns the resourceVersion that the object had after the request,
// "" if the answer does not tell.
func (w *Write) version() string {
	if w.got == nil || !w.Took() && w.Outcome != Read {
		return ""
	}
	return w.got.ResourceVersion
}
