package rules

import (
	"fmt"

	"cel.dev/cel-go/cel"
	celast "cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/cost"
	"cel.dev/cel-go/common/types"
)

// What an expression may cost for one record, in steps as CEL counts them. A step
// of a loop takes about 0.1 µs; what is no loop is much faster.
const (
	costliest     = 100_000 // about a hundredth of a second
	costliestLoop = 1_000   // of requests, of which there are many: a tenth of a millisecond
)

// costly says that an expression can cost too much, given records of a common
// size. It is empty for one that does not.
func costly(env *cel.Env, checked *cel.Ast, over Subject) (string, error) {
	estimate, err := env.EstimateCost(checked, sizes{})
	switch {
	case estimate.Max > costliest:
		return fmt.Sprintf("the expression can take more than %d steps a record", costliest), err
	case estimate.Max > costliestLoop && over == Requests && loops(checked):
		return fmt.Sprintf("the loop can take more than %d steps a request; x in [...] is none", costliestLoop), err
	}
	return "", err
}

func loops(checked *cel.Ast) bool {
	found := celast.MatchDescendants(celast.NavigateAST(checked.NativeRep()), celast.KindMatcher(celast.ComprehensionKind))
	return len(found) > 0
}

// limit bounds what an expression with a loop takes for a record that is larger
// than common. Others take no more steps than they have parts, and counting would
// make them four times as slow.
func limit(checked *cel.Ast) []cel.ProgramOption {
	if !loops(checked) {
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
