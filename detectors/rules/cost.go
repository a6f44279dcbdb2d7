package rules

import (
	"cel.dev/cel-go/cel"
	celast "cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/cost"
	"cel.dev/cel-go/common/types"
)

// costliest is what an expression may cost for one record, in steps as CEL counts
// them: about a hundredth of a second.
const costliest = 100_000

// costly reports whether an expression can cost too much, given records of a
// common size.
func costly(env *cel.Env, checked *cel.Ast) (bool, error) {
	estimate, err := env.EstimateCost(checked, sizes{})
	return estimate.Max > costliest, err
}

// limit bounds what an expression with a loop takes for a record that is larger
// than common. Others take no more steps than they have parts, and counting would
// make them four times as slow.
func limit(checked *cel.Ast) []cel.ProgramOption {
	loops := celast.MatchDescendants(celast.NavigateAST(checked.NativeRep()), celast.KindMatcher(celast.ComprehensionKind))
	if len(loops) == 0 {
		return nil
	}
	return []cel.ProgramOption{cel.CostLimit(costliest)}
}

// sizes is how large the values of records commonly are at most: texts in
// characters, maps in entries.
type sizes struct{}

// EstimateSize implements cost.Estimator.
func (sizes) EstimateSize(n cost.AstNode) *cost.SizeEstimate {
	const text, entries = 300, 100
	var size cost.SizeEstimate
	switch n.Type().Kind() {
	case types.StringKind:
		size = cost.RangedSizeEstimate(0, text)
	case types.MapKind:
		size = cost.RangedSizeEstimate(0, entries)
	default:
		return nil
	}
	return &size
}

// EstimateCallCost implements cost.Estimator.
func (sizes) EstimateCallCost(string, string, *cost.AstNode, []cost.AstNode) *cost.CallEstimate {
	return nil
}
