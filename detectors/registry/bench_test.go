package registry

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/knforensics/knforensics/ingest"
	"github.com/knforensics/knforensics/ingest/coverage"
	"github.com/knforensics/knforensics/ingest/source"
	"github.com/knforensics/knforensics/ingest/table"
	"github.com/knforensics/knforensics/timeline"
)

// rollouts are the requests of a Configuration that makes many Revisions, one every 10
// seconds: each Revision is created and turns Ready, and the Configuration follows.
func rollouts(n int) *table.Batch {
	const group = "serving.knative.dev"
	rows := table.NewBuilder()
	line := int64(0)
	write := func(at time.Time, verb, resource, subresource string, o table.Object) {
		line++
		where := table.Location{File: "audit.log", Line: line, Lines: 1, Offset: line * 100, Length: 99}
		code := int64(200)
		if verb == "create" {
			code = 201
		}
		rows.AuditEvent(&table.AuditEvent{Location: where, AuditID: fmt.Sprint("id-", line), Level: "RequestResponse", Stage: "ResponseComplete", Verb: verb,
			RequestURI: fmt.Sprint("/", line), UserAgent: "controller/v0.0.0", Group: group, Version: "v1", Resource: resource, Subresource: subresource, Namespace: "shop",
			Name: o.Name, UID: o.UID, Code: code, Received: at.Add(-time.Millisecond), StageTime: at, ResponseOffset: 1, ResponseLength: 1})
		o.Location, o.Origin, o.Group, o.Version, o.Namespace, o.HasStatus = where, table.OriginResponse, group, "v1", "shop", true
		o.ResourceVersion = fmt.Sprint(line)
		rows.Object(&o)
	}
	revision := func(i int, status string) table.Object {
		name := fmt.Sprintf("cart-%05d", i)
		return table.Object{Kind: "Revision", Name: name, UID: "r-" + name, Owners: []table.Owner{{Kind: "Configuration", Name: "cart", UID: "c", Controller: "true"}},
			Labels:      []table.Pair{{Key: group + "/configuration", Value: "cart"}, {Key: group + "/configurationGeneration", Value: fmt.Sprint(i)}},
			Annotations: []table.Pair{{Key: "autoscaling.knative.dev/initial-scale", Value: "1"}}, Conditions: []table.Condition{{Type: "Ready", Status: status}}}
	}
	configuration := func(latest int) table.Object {
		return table.Object{Kind: "Configuration", Name: "cart", UID: "c", Conditions: []table.Condition{{Type: "Ready", Status: "True"}},
			Fields: []table.Pair{{Key: "status.latestReadyRevisionName", Value: fmt.Sprintf("cart-%05d", latest)}}}
	}
	at := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	write(at, "create", "configurations", "", configuration(0))
	for i := 1; i <= n; i++ {
		at = at.Add(10 * time.Second)
		write(at, "create", "revisions", "", revision(i, "Unknown"))
		write(at.Add(2*time.Second), "update", "revisions", "status", revision(i, "True"))
		write(at.Add(3*time.Second), "update", "configurations", "status", configuration(i))
	}
	return rows.Batch()
}

func build(batches ...*table.Batch) *timeline.History {
	b := timeline.NewClusters(nil)
	for _, batch := range batches {
		b.Add(batch)
	}
	return b.Build()
}

// BenchmarkRollouts takes the requests of a family of many Revisions, and asks all
// detectors about it. The time a Revision is the same however many there are.
func BenchmarkRollouts(b *testing.B) {
	for _, n := range []int{300, 3000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			batch := rollouts(n)
			b.ReportAllocs()
			for b.Loop() {
				Run(nil, build(batch).Families, &coverage.Coverage{})
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/Revision")
		})
	}
}

// BenchmarkSample does it with a log of a real cluster, step by step: the four
// detectors that the program is for, and all.
func BenchmarkSample(b *testing.B) {
	inputs, err := source.Find([]string{"../../samples/latched"}, nil)
	if err != nil {
		b.Fatal(err)
	}
	var batches []*table.Batch
	c, err := ingest.Read(context.Background(), inputs, ingest.Options{}, func(batch *table.Batch) error {
		batch.Retain()
		batches = append(batches, batch)
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	b.Run("build", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			build(batches...)
		}
	})
	history := build(batches...)
	four := []string{"below-initial-scale-ready", "skipped-reconcile-pa", "latest-ready-latch", "route-read-before-track"}
	for _, names := range [][]string{four, Names()} {
		b.Run(fmt.Sprint(len(names), " detectors"), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Run(names, history.Families, c)
			}
		})
	}
}

// TestManyRevisions holds that a family may have many Revisions: eight times as many
// take about eight times as long, and not 64 times.
func TestManyRevisions(t *testing.T) {
	few, many := took(500), took(4000)
	if many > 24*few {
		t.Errorf("4000 Revisions take %s, 500 take %s", many, few)
	}
}

// took returns the shortest time of some that it takes to judge a family.
func took(n int) (shortest time.Duration) {
	batch := rollouts(n)
	for range 3 {
		began := time.Now()
		Run(nil, build(batch).Families, &coverage.Coverage{})
		if d := time.Since(began); shortest == 0 || d < shortest {
			shortest = d
		}
	}
	return shortest
}
