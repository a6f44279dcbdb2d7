package detectors

import (
	"fmt"

	"github.com/knforensics/knforensics/ingest/coverage"
)

// NeedBodies tells what the inputs lack where a detector has to see what was
// written to a resource: nothing if any audit event of it can have a body.
func NeedBodies(c *coverage.Coverage, group, resource, subresource string) []Blindness {
	name := resource + "." + group
	if subresource != "" {
		name = fmt.Sprintf("%s/%s.%s", resource, subresource, group)
	}
	b := Blindness{Needs: fmt.Sprintf("audit events of %s with bodies (level Request or RequestResponse)", name)}
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
