package explore

import "fmt"

// group is a part of the help: keys with what they do.
type group struct {
	name string
	keys [][2]string
}

// manual lists all keys. They are those of k9s and less.
var manual = []group{
	{"Go", [][2]string{
		{"enter", "open what is selected"},
		{"esc, q", "back; q on the first page leaves"},
		{"Q, :q", "leave"},
		{"ctrl-c", "leave with exit status 130"},
		{"F", "all findings"},
		{"t", "from a finding to the timeline of its object"},
		{"C", "coverage: what the inputs can and cannot prove"},
		{"?, h", "this page"},
		{":", "a command: q, revisions, findings, coverage, help, or the number of a line"},
	}},
	{"Move", [][2]string{
		{"j k ↓ ↑", "a line"},
		{"space b", "a page; also pgdn pgup, ctrl-f ctrl-b"},
		{"ctrl-d ctrl-u", "half a page"},
		{"g G", "to the first line, to the last; also home end"},
		{"/", "search; the search before, if nothing is typed"},
		{"n N", "the next match, the one before; in a timeline the next finding as long as nothing was searched for"},
	}},
	{"Choose", [][2]string{
		{"&", "list only what has all these words in it. kind:error, object:route/rt and actor:webhook look at one thing only, !word is what must not be there, \"two words\" belong together"},
		{"esc", "take the filter off; what is selected stays selected"},
		{"o a t", "in a timeline: only this object, this actor, this kind of rows"},
		{"i", "in a timeline: what is known of the Revision, and what stayed undecided"},
		{"v", "in a timeline: rows that matter less, too"},
		{"N R T S A", "in the list of Revisions: sort by name (unless something was searched for), missing replicas, traffic, severity, age; once more turns it round"},
	}},
	{"Records", [][2]string{
		{"enter, y", "the record, indented"},
		{"r", "the record as it was written"},
		{"d", "what the write changed"},
		{"c", "copy the audit ID (or trace ID) with OSC 52. Terminals can refuse that, so it is shown as well"},
	}},
}

// newHelp lists the keys.
func newHelp(m *Model) screen {
	return &text{name: "Help", look: m.look, make: m.look.help}
}

// help writes the keys beside what they do, or above it where that is narrow.
func (l look) help(width int) (lines []string) {
	const keys = 16
	for i, g := range manual {
		if i > 0 {
			lines = append(lines, "")
		}
		lines = append(lines, l.title.Render(g.name))
		for _, k := range g.keys {
			room := width - keys
			if room < 30 {
				lines = append(lines, "  "+l.accent.Render(k[0]))
				for _, part := range l.wrap(k[1], width-4) {
					lines = append(lines, "    "+part)
				}
				continue
			}
			for n, part := range l.wrap(k[1], room) {
				lead := ""
				if n == 0 {
					lead = k[0]
				}
				lines = append(lines, l.accent.Render(fmt.Sprintf("  %-*s", keys-2, lead))+part)
			}
		}
	}
	return lines
}

// hints are the keys that matter most on a page.
func hints(p *page) string {
	switch p.screen.(type) {
	case *revisions:
		return "enter timeline  / search  & filter  F findings  C coverage  ? help  q leave"
	case *story:
		return "enter open  d diff  c copy ID  i about  n finding  / search  & filter  ? help"
	case *record:
		return "d diff  y pretty  r raw  c copy ID  / search  space page  ? help  q back"
	case *finding:
		return "enter record  t timeline  c copy ID  / search  ? help  q back"
	case *findings:
		return "enter open  / search  & filter  ? help  q back"
	}
	return "/ search  space page  g top  G end  q back"
}
