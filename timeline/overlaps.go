package timeline

import (
	"strings"

	"github.com/zeebo/xxh3"

	"github.com/knforensics/knforensics/ingest/table"
)

// overlaps looks for names that two objects had at one time: where it sees none, no
// Cluster is Mixed. It grows with the number of objects whose names are not made by
// the API server.
type overlaps map[string]*lifetimes // by cluster

// lifetimes are the lives of all names of a cluster.
type lifetimes struct {
	latest map[uint64]int32 // of each name, by its hash, the life that was met last
	lives  []lifetime
}

// lifetime is what is known of the writes of an object that took effect.
type lifetime struct {
	uid         uint64 // hash of the uid, 0 for a creation that does not tell it
	first, last int64  // when the first was done and the last came in, nanoseconds
	before      int32  // the life of the name that was met before, negative if none
}

// add takes note of a request about an object of a kind.
func (o overlaps) add(kind string, row *table.AuditEvent, bodies []table.Object) {
	if row.DryRun || row.Code >= 400 || row.Verb == "get" {
		return
	}
	of, uid := o.of(row.Cluster), row.UID
	if uid == "" {
		uid = row.DetailsUID
	}
	for k := range bodies {
		switch answer := &bodies[k]; {
		case answer.Origin != table.OriginResponse:
		case row.Verb == "deletecollection":
			of.note(kind, answer.Namespace, answer.Name, answer.UID, row)
		case uid == "":
			uid = answer.UID
		}
	}
	of.note(kind, row.Namespace, row.Name, uid, row)
}

func (o overlaps) of(cluster string) *lifetimes {
	l := o[cluster]
	if l == nil {
		l = &lifetimes{latest: map[uint64]int32{}}
		o[strings.Clone(cluster)] = l
	}
	return l
}

func (l *lifetimes) note(kind, namespace, name, uid string, row *table.AuditEvent) {
	if name == "" || uid == "" && (row.Verb != "create" || row.Subresource != "") || withoutMadeUp(name, 5, 5) != name {
		return
	}
	began := row.Received
	if began.IsZero() || began.After(row.StageTime) {
		began = row.StageTime
	}
	life := lifetime{first: row.StageTime.UnixNano(), last: began.UnixNano()}
	if uid != "" {
		life.uid = xxh3.HashString(uid) | 1
	}
	l.join(xxh3.HashString(name)+3*xxh3.HashString(namespace)+5*xxh3.HashString(kind), life)
}

// join takes over what is known of a life of a name.
func (l *lifetimes) join(name uint64, life lifetime) {
	latest, ok := l.latest[name]
	if !ok {
		latest = -1
	}
	for i := latest; i >= 0; i = l.lives[i].before {
		if known := &l.lives[i]; known.uid == life.uid {
			known.first, known.last = min(known.first, life.first), max(known.last, life.last)
			return
		}
	}
	life.before = latest
	l.latest[name] = int32(len(l.lives)) //nolint:gosec // there are fewer
	l.lives = append(l.lives, life)
}

// any reports whether an object was written to while another of its name was there,
// as far as the inputs can be of one cluster.
func (o overlaps) any() bool {
	for _, l := range o {
		if l.any() {
			return true
		}
	}
	if len(o) != 2 || o[""] == nil {
		return false
	}
	one := &lifetimes{latest: map[uint64]int32{}}
	for _, l := range o {
		for name, latest := range l.latest {
			for i := latest; i >= 0; i = l.lives[i].before {
				one.join(name, l.lives[i])
			}
		}
	}
	return one.any()
}

func (l *lifetimes) any() bool {
	for _, latest := range l.latest {
		for a := latest; a >= 0; a = l.lives[a].before {
			for b := l.lives[a].before; b >= 0; b = l.lives[b].before {
				if l.lives[a].outlives(l.lives[b]) || l.lives[b].outlives(l.lives[a]) {
					return true
				}
			}
		}
	}
	return false
}

// outlives reports whether an older life goes on for a while after a younger one
// began.
func (l lifetime) outlives(younger lifetime) bool {
	return l.uid != 0 && l.first <= younger.first && l.last-younger.first > int64(overlap)
}
