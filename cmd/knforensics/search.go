package main

import (
	"context"
	"slices"
	"strings"

	"github.com/knforensics/knforensics/ingest/coverage"
	"github.com/knforensics/knforensics/ingest/lazyregexp"
	"github.com/knforensics/knforensics/ingest/linemarks"
	"github.com/knforensics/knforensics/ingest/source"
	"github.com/knforensics/knforensics/timeline"
)

// plainName matches the names that objects can have.
var plainName = lazyregexp.New(`^[a-z0-9]([-.a-z0-9]*[a-z0-9])?$`)

// search reads what the inputs tell of the family of an object. Of audit logs it
// parses the lines in which names of the family stand. Which names these are shows
// in what was found: as long as there are some that were not looked for, it reads
// again. It returns nil where it cannot tell that way.
func (o *options) search(ctx context.Context, paths []string, kind, name string) (*data, error) {
	base := name[strings.LastIndexByte(name, '/')+1:]
	inputs, err := source.Find(paths, o.in)
	if err != nil || !plainName().MatchString(base) || slices.ContainsFunc(inputs, func(in source.Input) bool { return in.Waits() }) {
		return nil, nil // who reads everything tells what is wrong with a path
	}
	names := []string{timeline.RootOf(base)}
	for len(names) < linemarks.MaxNames {
		o.inputs = nil
		d, err := o.loadWith(ctx, paths, searching(timeline.SearchFor(names)))
		if err != nil {
			return nil, err
		}
		matches := d.history.Select(kind, name, o.namespace)
		if len(matches) == 0 || hasTable(d.coverage) {
			break
		}
		before := len(names)
		for _, related := range timeline.Related(timeline.FamiliesOf(matches)) {
			if !slices.ContainsFunc(names, func(n string) bool { return strings.Contains(related, n) }) {
				names = append(names, related)
			}
		}
		if len(names) == before {
			return d, nil
		}
	}
	o.inputs = nil
	return nil, nil
}

// hasTable reports whether there are tables as kubectl prints them: which namespace
// one is of shows only where all objects are known.
func hasTable(c *coverage.Coverage) bool {
	return slices.ContainsFunc(c.Files, func(f coverage.File) bool { return f.Format == coverage.SnapshotTable })
}
