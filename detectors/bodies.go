package detectors

import (
	"fmt"

	"github.com/knforensics/knforensics/ingest/coverage"
)

// NeedBodies tells what the inputs lack where a detector has to see what was
// written to a resource: nothing if any audit event of it can have a body.
func NeedBodies(c *coverage.Coverage, group, resource, subresource string) []Blindness {
	name := nameOf(coverage.ResourceKey{Group: group, Resource: resource, Subresource: subresource})
	b := Blindness{Needs: withBodies(name)}
	r := c.Resource(group, resource, subresource)
	switch {
	case r == nil:
		b.Reason = "the inputs hold no audit event of " + name
		b.Total = true
	case r.Levels["Request"]+r.Levels["RequestResponse"] == 0:
		b.Reason = fmt.Sprintf("all %d audit events of %s are at level Metadata, without bodies", r.Records, name)
	default:
		return nil
	}
	return []Blindness{b}
}

func withBodies(name string) string {
	return fmt.Sprintf("audit events of %s with bodies (level Request or RequestResponse)", name)
}

func nameOf(key coverage.ResourceKey) string {
	if key.Subresource != "" {
		return fmt.Sprintf("%s/%s.%s", key.Resource, key.Subresource, key.Group)
	}
	return key.Resource + "." + key.Group
}

// CutBodies tells of which of some resources the bodies were cut off, by the API
// server or on the way: what they said, a detector cannot see, whatever else the
// inputs hold.
func CutBodies(c *coverage.Coverage, keys []coverage.ResourceKey) (list []Blindness) {
	for _, key := range keys {
		if r := c.Resource(key.Group, key.Resource, key.Subresource); r != nil && r.Truncated > 0 {
			name := nameOf(key)
			list = append(list, Blindness{Needs: withBodies(name), Reason: fmt.Sprintf("of %d audit events of %s, %d were truncated: what they would show is missing", r.Records, name, r.Truncated)})
		}
	}
	return list
}
