package render

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/charmbracelet/lipgloss"

	"github.com/knforensics/knforensics/detectors"
	"github.com/knforensics/knforensics/ingest/coverage"
)

// Coverage writes what the inputs can and cannot prove. Without all, only the
// resources of the Knative family are listed.
func (p *Page) Coverage(c *coverage.Coverage, blind []detectors.Blindness, all bool) {
	p.read(c)
	p.line()
	p.line(p.look.title.Render("files"))
	for _, f := range c.Files {
		p.file(f)
	}
	for _, r := range c.Rejections {
		p.paragraph(p.look.warn.Render("  rejected ")+Safe(fmt.Sprintf("%s:%d ", r.File, r.Line)), Safe(r.Reason), p.look.faint)
	}
	p.line()
	p.line(p.look.title.Render("audit events by resource"))
	hidden := 0
	for _, r := range c.Resources {
		if !all && !ofKnative(r.ResourceKey) {
			hidden++
			continue
		}
		p.resource(r)
	}
	if hidden > 0 {
		p.line("  ", p.look.faint.Render(count(int64(hidden), "other resource", "other resources")+" (-v lists them)"))
	}
	if len(c.Resources) == 0 {
		p.line("  none")
	}
	p.skew(c.Skew)
	p.blind(blind)
	if len(blind) == 0 {
		p.line()
		p.line(p.look.good.Render("no detector is blind"))
	}
}

// skew tells which clocks are wrong. Times are printed as they were logged.
func (p *Page) skew(list []coverage.Skew) {
	for i, s := range list {
		if i == 0 {
			p.line()
		}
		p.paragraph(p.look.warn.Render("clock: "), Safe(SkewText(s)), p.look.title.UnsetBold())
	}
}

// SkewText tells whose clock is ahead of whose, and by how much.
func SkewText(s coverage.Skew) string {
	ahead := "ahead of"
	if s.Millis < 0 {
		ahead = "behind"
	}
	return fmt.Sprintf("that of %s is %d ms %s that of %s", s.B, max(s.Millis, -s.Millis), ahead, s.A)
}

func (p *Page) file(f coverage.File) {
	layers := string(f.Format)
	if len(f.Wrappers) > 0 {
		layers += " in " + strings.Join(f.Wrappers, ", ")
	}
	p.line("  ", Safe(f.Path), "  ", p.look.accent.Render(layers))
	if f.Skipped != "" {
		p.line("    ", p.look.warn.Render("not read: "), Safe(f.Skipped))
	}
	if f.Records+f.Rejected == 0 {
		return
	}
	text := count(f.Records, "record", "records")
	for _, loss := range []struct {
		n    int64
		name string
	}{{f.Rejected, "rejected"}, {f.Truncated, "truncated"}, {f.Duplicates, "given twice"}} {
		if loss.n > 0 {
			text += fmt.Sprintf(", %d %s", loss.n, loss.name)
		}
	}
	if !f.From.IsZero() {
		text += fmt.Sprintf(", %s to %s", p.clock.Stamp(f.From), p.clock.Stamp(f.To))
	}
	p.line("    ", text)
}

func ofKnative(r coverage.ResourceKey) bool {
	return strings.HasSuffix(r.Group, "knative.dev") || strings.HasSuffix(r.Group, "kserve.io") ||
		r.Group == "apps" && r.Resource == "deployments" || r.Group == "" && r.Resource == "pods"
}

// resourceText names a resource as resource/subresource.group.
func resourceText(r coverage.ResourceKey) string {
	name := r.Resource
	if r.Subresource != "" {
		name += "/" + r.Subresource
	}
	if r.Group != "" {
		name += "." + r.Group
	}
	return name
}

func (p *Page) resource(r coverage.Resource) {
	name := resourceText(r.ResourceKey)
	const longest = 58
	counts := fmt.Sprintf("%7d  ", r.Records) + p.look.faint.Render(shares(r.Levels))
	room := min(longest, p.width-28)
	if name = Safe(name); lipgloss.Width(name) > room {
		p.line("  ", name)
		name = ""
	}
	p.line("  ", pad(name, room), counts)
}

// shares lists counts by name; the number is left out where there is one name.
func shares(counts map[string]int64) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		if len(counts) == 1 {
			return Safe(name)
		}
		parts = append(parts, fmt.Sprintf("%s %d", Safe(name), counts[name]))
	}
	return strings.Join(parts, ", ")
}
