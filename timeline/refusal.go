package timeline

import (
	"cmp"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/knforensics/knforensics/ingest/table"
)

// Refusal is a request that the activator could not pass on: it had waited too long
// for a Pod, or too many were waiting, and was answered with 503 (knative/serving
// pkg/activator/handler/handler.go).
type Refusal struct {
	Time   time.Time
	Source Source
}

// activatorLog is what the log of the activator tells of a Revision.
type activatorLog struct{ refusals []Refusal }

const refusedMessage = "Throttler try error"

func isOfActivator(row *table.ControllerLog) bool {
	return row.Logger == "activator" || strings.HasPrefix(row.Logger, "activator.")
}

// activator keeps what a line of the activator tells.
func (b *Builder) activator(row *table.ControllerLog) {
	namespace, name, ok := strings.Cut(row.Key, "/")
	if !ok {
		return
	}
	ref := Ref{KindRevision, b.keep(namespace), b.keep(name)}
	log := b.activated[ref]
	if log == nil {
		log = &activatorLog{}
		b.activated[ref] = log
	}
	if strings.HasPrefix(row.Message, refusedMessage) {
		log.refusals = append(log.refusals, Refusal{row.Time, b.logSource(row)})
	}
}

// refusals returns the refusals of a Revision in order; known is false if the
// activator logged nothing about it.
func (b *Builder) refusals(ref Ref) (list []Refusal, known bool) {
	log := b.activated[ref]
	if log == nil {
		return nil, false
	}
	slices.SortFunc(log.refusals, func(x, y Refusal) int {
		return cmp.Or(x.Time.Compare(y.Time), cmp.Compare(x.Source.File, y.Source.File), cmp.Compare(x.Source.Line, y.Source.Line))
	})
	return log.refusals, true
}

// Refusals returns the requests to a Revision that the activator refused between two
// moments. known is false if the inputs hold no line of the activator about it. The
// logger drops lines under load: there were at least so many.
func (r *Revision) Refusals(from, to time.Time) (list []Refusal, known bool) {
	first := sort.Search(len(r.refusals), func(i int) bool { return !r.refusals[i].Time.Before(from) })
	end := sort.Search(len(r.refusals), func(i int) bool { return r.refusals[i].Time.After(to) })
	return r.refusals[first:max(first, end)], r.activatorSeen
}
