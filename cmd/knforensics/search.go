package main

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"github.com/knforensics/knforensics/ingest"
	"github.com/knforensics/knforensics/ingest/linemarks"
	"github.com/knforensics/knforensics/ingest/source"
	"github.com/knforensics/knforensics/timeline"
)

// plainName matches the names that objects can have.
var plainName = regexp.MustCompile(`^[a-z0-9]([-.a-z0-9]*[a-z0-9])?$`)

// search reads what the inputs tell of the family of an object. Of audit logs it
// parses the lines in which names of the family stand. Which names these are shows
// in what was found: as long as there are some that were not looked for, it reads
// again. It returns nil where it cannot tell that way.
func (o *options) search(ctx context.Context, paths []string, kind, name string) (*data, error) {
	base := name[strings.LastIndexByte(name, '/')+1:]
	if slices.Contains(paths, source.Stdin) || !plainName.MatchString(base) {
		return nil, nil
	}
	names := []string{timeline.RootOf(base)}
	for len(names) < linemarks.MaxNames {
		o.inputs = nil
		d, err := o.loadWith(ctx, paths, ingest.Options{Want: timeline.Wants, Search: timeline.SearchFor(names)})
		if err != nil {
			return nil, err
		}
		matches := d.history.Select(kind, name, o.namespace)
		if len(matches) == 0 {
			break
		}
		var families []*timeline.Family
		for _, m := range matches {
			families = append(families, m.Family)
		}
		before := len(names)
		for _, related := range timeline.Related(families) {
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
