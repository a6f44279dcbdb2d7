package rules

import (
	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types/ref"
)

// variable is a name that expressions can use, and where its value is from.
type variable[Row any] struct {
	name  string
	typ   *cel.Type
	doc   string
	value func(*Row) ref.Val
}

// vocabulary is what expressions can say of one kind of record.
type vocabulary[Row any] struct {
	variables []variable[Row]
	index     map[string]int
}

func newVocabulary[Row any](variables ...variable[Row]) *vocabulary[Row] {
	v := &vocabulary[Row]{variables: variables, index: map[string]int{}}
	for i, known := range variables {
		v.index[known.name] = i
	}
	return v
}

// environment is in which expressions are compiled: those about one record, and
// those of messages, which also tell of all matches of a finding.
type environment struct{ record, message *cel.Env }

func (v *vocabulary[Row]) environment() (e environment, err error) {
	options := []cel.EnvOption{cel.OptionalTypes(), cel.ASTValidators(
		cel.ValidateRegexLiterals(), cel.ValidateTimestampLiterals(), cel.ValidateDurationLiterals())}
	for _, known := range v.variables {
		options = append(options, cel.VariableWithDoc(known.name, known.typ, known.doc))
	}
	if e.record, err = cel.NewEnv(options...); err != nil {
		return e, err
	}
	e.message, err = e.record.Extend(cel.Variable("group", cel.StringType), cel.Variable("count", cel.IntType),
		cel.Variable("from", cel.TimestampType), cel.Variable("to", cel.TimestampType))
	return e, err
}

// facts offers one record to expressions: a cel.Activation without a map. A
// value is made when an expression first asks for it, and kept for the others.
type facts[Row any] struct {
	*vocabulary[Row]
	row    *Row
	values []ref.Val
}

func (v *vocabulary[Row]) facts() *facts[Row] {
	return &facts[Row]{vocabulary: v, values: make([]ref.Val, len(v.variables))}
}

// of returns the facts as those of another record.
func (f *facts[Row]) of(row *Row) *facts[Row] {
	f.row = row
	clear(f.values)
	return f
}

// ResolveName implements cel.Activation.
func (f *facts[Row]) ResolveName(name string) (any, bool) {
	i, ok := f.index[name]
	if !ok {
		return nil, false
	}
	if f.values[i] == nil {
		f.values[i] = f.variables[i].value(f.row)
	}
	return f.values[i], true
}

// Parent implements cel.Activation.
func (f *facts[Row]) Parent() cel.Activation { return nil }
