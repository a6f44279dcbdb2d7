package rules

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/knforensics/knforensics/detectors"
	"github.com/knforensics/knforensics/ingest/lazyregexp"
)

// largest is the size up to which a file is taken for one of rules, in bytes.
const largest = 1 << 20

// parser reads one file of rules.
type parser struct {
	*Mistakes
	environments map[Subject]environment
	taken        map[string]string // ID to what has it
}

// Parse reads the text of a file of rules; path names it in mistakes. reserved
// are the IDs that no rule may have. The error is a *Mistakes where the text is
// wrong.
func Parse(path string, data []byte, reserved []string) (*Set, error) {
	rules, err := rulesOf(path, data, take(reserved))
	if err != nil {
		return nil, err
	}
	return &Set{rules}, nil
}

// take returns the IDs that detectors have, each with what has it.
func take(reserved []string) map[string]string {
	taken := map[string]string{}
	for _, id := range reserved {
		taken[id] = "a detector"
	}
	return taken
}

func rulesOf(path string, data []byte, taken map[string]string) (rules []*Rule, err error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff")) // columns are counted without it
	p := &parser{Mistakes: &Mistakes{file: path, text: newSource(data), said: map[Mistake]bool{}}, taken: taken}
	p.environments = map[Subject]environment{}
	if p.environments[Requests], err = requests.environment(); err != nil {
		return nil, err
	}
	if p.environments[Objects], err = states.environment(); err != nil {
		return nil, err
	}
	rules = p.list(data)
	if len(p.List) > 0 {
		p.sort()
		return nil, p.Mistakes
	}
	return rules, nil
}

func (p *parser) list(data []byte) (rules []*Rule) {
	if len(data) > largest {
		p.add(1, 1, "larger than %d bytes: no file of rules", largest)
		return nil
	}
	doc, more, err := decode(data)
	if err != nil {
		p.unreadable(data, err)
		return nil
	}
	if more.Kind != 0 {
		p.at(&more, "a second document: a file of rules has one")
	}
	if len(doc.Content) == 0 {
		p.add(1, 1, "no rules")
		return nil
	}
	top := p.mapping(doc.Content[0], "rules")
	list := top["rules"]
	switch {
	case top == nil:
	case list == nil, list.Kind == yaml.SequenceNode && len(list.Content) == 0:
		p.at(doc.Content[0], "no rules")
	case list.Kind != yaml.SequenceNode:
		p.at(list, "rules is a list")
	default:
		for _, n := range list.Content {
			rules = append(rules, p.rule(n))
		}
	}
	return rules
}

// mergeTag is that of the key <<, which takes over another mapping (YAML 1.1).
const mergeTag = "!!merge"

// mapping returns the values of a mapping by key, what is merged into it by
// mergeTag. It is nil for anything else.
func (p *parser) mapping(n *yaml.Node, known ...string) map[string]*yaml.Node {
	n = resolved(n)
	if n.Kind != yaml.MappingNode {
		p.at(n, "expected a mapping with %s", strings.Join(known, ", "))
		return nil
	}
	values := map[string]*yaml.Node{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], resolved(n.Content[i+1])
		switch {
		case key.Tag == mergeTag:
			p.at(key, "merge keys are not supported: write out what is the same")
			values[mergeTag] = value
		case !slices.Contains(known, key.Value):
			p.at(key, "unknown key %q; known: %s", key.Value, strings.Join(known, ", "))
		case values[key.Value] != nil:
			p.at(key, "%s stands twice", key.Value)
		default:
			values[key.Value] = value
		}
	}
	return values
}

// resolved returns what an alias stands for.
func resolved(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

var validID = lazyregexp.New(`^[a-z0-9]+(-[a-z0-9]+)*$`)

func (p *parser) rule(n *yaml.Node) *Rule {
	r := &Rule{Over: Requests, By: "object"}
	keys := p.mapping(n, "id", "description", "severity", "over", "when", "window", "by", "message")
	if keys == nil {
		return r
	}
	for _, key := range []string{"id", "severity", "when", "message"} {
		if keys[key] == nil && keys[mergeTag] == nil {
			p.at(n, "rule without %s", key)
		}
	}
	p.scalar(keys["id"], "id", func(n *yaml.Node) {
		r.ID = n.Value
		switch by := p.taken[r.ID]; {
		case !validID().MatchString(r.ID):
			p.at(n, "an id is lower case words and digits joined by hyphens, not %q", r.ID)
		case by != "":
			p.at(n, "the id %s is taken by %s", r.ID, by)
		}
		p.taken[r.ID] = fmt.Sprintf("the rule at %s:%d", p.file, n.Line)
	})
	p.scalar(keys["description"], "description", func(n *yaml.Node) { r.Description = n.Value })
	p.scalar(keys["severity"], "severity", func(n *yaml.Node) {
		if r.Severity = detectors.Severity(n.Value); !slices.Contains(detectors.Severities, r.Severity) {
			p.at(n, "severity is critical, high, medium, low or info, not %q", n.Value)
		}
	})
	p.scalar(keys["over"], "over", func(n *yaml.Node) {
		if r.Over = Subject(n.Value); r.Over != Requests && r.Over != Objects {
			p.at(n, "over is requests or objects, not %q", n.Value)
			r.Over = Requests
		}
	})
	p.scalar(keys["window"], "window", func(n *yaml.Node) { r.Window = p.window(n) })
	p.expressions(r, keys)
	return r
}

// scalar hands the node of a key that is there to fn, if it is a scalar.
func (p *parser) scalar(n *yaml.Node, key string, fn func(*yaml.Node)) {
	switch {
	case n == nil:
	case n.Kind != yaml.ScalarNode:
		p.at(n, "%s is text, not a list or mapping; one that starts with { or [ is quoted", key)
	case strings.TrimSpace(n.Value) == "":
		p.at(n, "%s is empty", key)
	default:
		fn(n)
	}
}

// window reads "N within D".
func (p *parser) window(n *yaml.Node) (w Window) {
	fields := strings.Fields(n.Value)
	if len(fields) != 3 || fields[1] != "within" {
		p.at(n, "a window is a number and a duration, such as \"20 within 1m\", not %q", n.Value)
		return w
	}
	var err error
	if w.Count, err = strconv.Atoi(fields[0]); err != nil || w.Count < 2 || w.Count > most {
		p.at(n, "a window counts from 2 to %d matches, not %q", most, fields[0])
	}
	if w.Within, err = time.ParseDuration(fields[2]); err != nil || w.Within <= 0 {
		p.at(n, "a duration is like 30s, 10m or 1h30m, not %q", fields[2])
	}
	return w
}
