package rules

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"go.yaml.in/yaml/v3"
)

// template is a message: text, and expressions in braces.
type template struct {
	parts []part
	uses  []string // the variables that the expressions name, sorted
}

// part is a stretch of text, or an expression.
type part struct {
	text    string
	program cel.Program
}

// scalars are what an expression in a message may give.
var scalars = []*cel.Type{cel.StringType, cel.IntType, cel.UintType, cel.DoubleType, cel.BoolType, cel.TimestampType, cel.DurationType}

// template reads a message. {expression} stands for its value, {{ and }} for
// braces; an expression holds no braces itself.
func (p *parser) template(n *yaml.Node, env *cel.Env) (t template) {
	wrong := func(at int, format string, args ...any) {
		line, column := p.text.place(n, utf8.RuneCountInString(n.Value[:at]))
		p.add(line, column, format, args...)
	}
	var text strings.Builder
	value := strings.TrimRight(n.Value, " \t\n")
	for i := 0; i < len(value); i++ {
		switch rest := value[i:]; {
		case strings.HasPrefix(rest, "{{"), strings.HasPrefix(rest, "}}"):
			text.WriteByte(rest[0])
			i++
		case rest[0] == '\n':
			wrong(i, "a message is one line; start it with >- to write it in several")
			return t
		case rest[0] == '}':
			wrong(i, "a } without a {; }} stands for a brace")
			return t
		case rest[0] == '{':
			end := strings.IndexByte(rest, '}')
			if end < 0 {
				wrong(i, "a { without a }; {{ stands for a brace")
				return t
			}
			t.parts = append(t.parts, part{text: text.String()})
			text.Reset()
			ast, program := p.compile(env, expression{node: n, at: utf8.RuneCountInString(value[:i+1]), text: rest[1:end]}, scalars...)
			t.parts = append(t.parts, part{program: program})
			t.uses = append(t.uses, variablesOf(ast)...)
			i += end
		default:
			text.WriteByte(rest[0])
		}
	}
	t.parts = append(t.parts, part{text: text.String()})
	slices.Sort(t.uses)
	t.uses = slices.Compact(t.uses)
	return t
}

// variablesOf lists the variables that an expression names.
func variablesOf(checked *cel.Ast) (names []string) {
	if checked == nil {
		return nil
	}
	for _, r := range checked.NativeRep().ReferenceMap() {
		if r.Name != "" {
			names = append(names, r.Name)
		}
	}
	return names
}

// keep returns the values that the message needs of a record, without the memory
// of the record.
func (t template) keep(record cel.Activation) (values []any) {
	for _, name := range t.uses {
		v, _ := record.ResolveName(name)
		if s, isText := v.(types.String); isText {
			v = types.String(own(clip(string(s))))
		}
		values = append(values, v)
	}
	return values
}

// fill writes the message with the values that were kept, and with those that
// hold for all matches. What cannot be told is a question mark.
func (t template) fill(kept []any, all map[string]any) string {
	for i, name := range t.uses {
		if kept[i] != nil {
			all[name] = kept[i]
		}
	}
	var b strings.Builder
	for _, p := range t.parts {
		if p.program == nil {
			b.WriteString(p.text)
			continue
		}
		value, _, err := p.program.Eval(all)
		if err != nil {
			b.WriteByte('?')
			continue
		}
		b.WriteString(clip(plain(value)))
	}
	return b.String()
}

// plain writes a value for people: times in UTC, durations as Go does.
func plain(v ref.Val) string {
	switch v := v.(type) {
	case types.Timestamp:
		return v.UTC().Format(time.RFC3339Nano)
	case types.Duration:
		return v.Duration.String()
	}
	return fmt.Sprint(v.Value())
}

// clip shortens what a record says to what a sentence can hold.
func clip(s string) string {
	const longest = 300
	if len(s) <= longest {
		return s
	}
	end := longest
	for end > 0 && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + "…"
}
