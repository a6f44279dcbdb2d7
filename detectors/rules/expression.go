package rules

import (
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
	"go.yaml.in/yaml/v3"
)

// expression is a piece of a scalar that is CEL.
type expression struct {
	node *yaml.Node
	at   int // the first character, in the value of the scalar
	text string
	over Subject // of which each record is asked; empty if only that of a finding is
}

// compile makes a program of an expression of one of some types; what is wrong
// with it is added to the mistakes, at its place in the file.
func (p *parser) compile(env *cel.Env, e expression, want ...*cel.Type) (*cel.Ast, cel.Program) {
	checked, issues := env.Compile(e.text)
	if issues.Err() != nil {
		for _, err := range issues.Errors() {
			line, column := p.text.place(e.node, e.at+characters(e.text, err.Location.Line(), err.Location.Column()))
			p.add(line, column, "%s", strings.TrimSuffix(err.Message, " (in container '')"))
		}
		return nil, nil
	}
	wrong := func(format string, args ...any) (*cel.Ast, cel.Program) {
		line, column := p.text.place(e.node, e.at)
		p.add(line, column, format, args...)
		return nil, nil
	}
	if out := checked.OutputType(); !slices.ContainsFunc(want, out.IsExactType) {
		return wrong("the expression gives %s, and not %s", out, names(want))
	}
	if tooCostly, err := costly(env, checked, e.over); err != nil {
		return wrong("%s", err)
	} else if tooCostly != "" {
		return wrong("%s", tooCostly)
	}
	program, err := env.Program(checked, append(limit(checked), cel.EvalOptions(cel.OptOptimize))...)
	if err != nil {
		return wrong("%s", err)
	}
	return checked, program
}

func names(list []*cel.Type) string {
	var names []string
	for _, t := range list {
		names = append(names, t.String())
	}
	return strings.Join(names, ", ")
}

// characters returns how many characters of a text are before a line, from 1,
// and column, from 0.
func characters(text string, line, column int) int {
	n := max(column, 0)
	for l := range strings.Lines(text) {
		if line--; line < 1 {
			break
		}
		n += utf8.RuneCountInString(l)
	}
	return n
}

// expressions compiles what a rule says in CEL.
func (p *parser) expressions(r *Rule, keys map[string]*yaml.Node) {
	env := p.environments[r.Over]
	p.scalar(keys["when"], "when", func(n *yaml.Node) {
		r.When = n.Value
		_, r.when = p.compile(env.record, expression{n, 0, n.Value, r.Over}, cel.BoolType)
	})
	r.by = groupings[r.By]
	p.scalar(keys["by"], "by", func(n *yaml.Node) {
		r.By = strings.TrimSpace(n.Value)
		if r.by = groupings[r.By]; r.by == nil {
			_, program := p.compile(env.record, expression{n, 0, n.Value, r.Over}, cel.StringType)
			r.by = byExpression(program)
		}
	})
	p.scalar(keys["message"], "message", func(n *yaml.Node) {
		r.Message = strings.TrimSpace(n.Value)
		r.message = p.template(n, env.message)
	})
}

// groupings are the names for what rules are grouped by most.
var groupings = map[string]func(*origin, cel.Activation) (string, error){
	"object":    func(m *origin, _ cel.Activation) (string, error) { return m.object.String(), nil },
	"namespace": func(m *origin, _ cel.Activation) (string, error) { return m.object.Namespace, nil },
	"user":      variableOf("user.username"),
	"component": variableOf("component"),
}

// variableOf groups by a variable, which is text.
func variableOf(name string) func(*origin, cel.Activation) (string, error) {
	return func(_ *origin, record cel.Activation) (string, error) {
		value, _ := record.ResolveName(name)
		return string(value.(types.String)), nil
	}
}

// byExpression groups by what an expression gives.
func byExpression(program cel.Program) func(*origin, cel.Activation) (string, error) {
	return func(_ *origin, record cel.Activation) (string, error) {
		value, _, err := program.Eval(record)
		if err != nil {
			return "", err
		}
		text, ok := value.(types.String)
		if !ok {
			return "", errors.New("no text to group by")
		}
		return string(text), nil
	}
}
