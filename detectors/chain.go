package detectors

// Step is a link of the chain that leads from a trigger to the harm: what happened,
// and the record that shows it. Its Role is one of the constants below.
type Step struct {
	What string
	Evidence
}

// The roles of steps, in the order in which they come.
const (
	Trigger    = "trigger"     // what made it happen: a quota, a conflict, a shortage of nodes
	Phase      = "phase"       // the phase of the reconcile that was skipped or aborted
	Gate       = "gate"        // the gate of the autoscaler that let a Revision pass, or was not asked
	ReadyWrite = "ready-write" // Ready=True was written
	Latch      = "latch"       // the Configuration moved
	Traffic    = "traffic"     // the Ingress or the Route moved
	Users      = "users"       // what users got
	Abandoned  = "abandoned"   // what became of the Revision before
)

// NewStep makes a Step of evidence.
func NewStep(role, what string, e Evidence) Step {
	e.Role = role
	return Step{What: what, Evidence: e}
}

// Hypothesis is a cause that the inputs leave possible, and what would settle
// whether it was that one.
type Hypothesis struct{ Cause, SettledBy string }

// link makes the chain of a finding that has steps: those of its causes come first.
func (f *Finding) link() {
	if len(f.Steps) == 0 {
		return
	}
	for _, cause := range f.CausedBy {
		f.Chain = append(f.Chain, cause.Chain...)
	}
	f.Chain = append(f.Chain, f.Steps...)
}
