package timeline

import "strings"

// behaviour returns what the history of a family tells of the release of Knative
// that reconciled it, where no label does.
func (f *Family) behaviour() (signs []Sign) {
	for _, look := range []func(*Family) (Sign, bool){scaledBySubresource, hashedDeployment, copiedAnnotations, conflictLogged, healthyUnheard, classAdded} {
		if s, ok := look(f); ok {
			signs = append(signs, s)
		}
	}
	return signs
}

// scaledBySubresource: from 1.22 the autoscaler patches deployments/scale, before
// the Deployment (knative/serving pkg/reconciler/autoscaling/kpa/scaler.go,
// applyScale).
func scaledBySubresource(f *Family) (Sign, bool) {
	for _, r := range f.Revisions {
		for _, d := range r.Deployments {
			for _, w := range d.Writes {
				if w.Verb == "patch" && w.Subresource == "scale" && w.Actor.Component == "autoscaler" {
					return Sign{What: "the autoscaler patches deployments/scale, as from 1.22 on", Classes: []Class{ClassD}, Source: w.Source}, true
				}
			}
		}
	}
	return Sign{}, false
}

// hashedDeployment: from 1.22 Deployments carry a hash of what they were made of
// (knative/serving pkg/apis/serving/register.go).
func hashedDeployment(f *Family) (Sign, bool) {
	for _, r := range f.Revisions {
		for _, d := range r.Deployments {
			for _, v := range d.Views() {
				if v.State != nil && v.State.Labels.Get("serving.knative.dev/deployment-hash") != "" {
					return Sign{What: "the Deployment has the label serving.knative.dev/deployment-hash, as from 1.22 on", Classes: []Class{ClassD}, Source: v.Source}, true
				}
			}
		}
	}
	return Sign{}, false
}

// copiedAnnotations: up to 1.20 the Deployment has the scale annotations of its
// Revision, from 1.21 on it has not (knative/serving
// pkg/reconciler/revision/resources/meta.go).
func copiedAnnotations(f *Family) (Sign, bool) {
	scales := func(s *State) bool {
		for key := range s.Annotations.All() {
			if strings.HasPrefix(key, "autoscaling.knative.dev/") {
				return true
			}
		}
		return false
	}
	for _, r := range f.Revisions {
		for _, d := range r.Deployments {
			w := d.BornBy
			switch {
			case w == nil || !w.BodySeen || !w.After.Whole:
			case r.At(w.Time) == nil || !scales(r.At(w.Time)): // it had none then
			case scales(w.After):
				return Sign{What: "the Deployment was made with the scale annotations of its Revision, as up to 1.20", Classes: []Class{ClassA, ClassB, ClassC}, Source: w.Source}, true
			default:
				return Sign{What: "the Deployment was made without the scale annotations of its Revision, as from 1.21 on", Classes: []Class{ClassD}, Source: w.Source}, true
			}
		}
	}
	return Sign{}, false
}

// conflictLogged: from 1.21 a reconcile that ends in a conflict is logged at debug
// level, and no longer as an error (knative/pkg controller/controller.go,
// handleErr; the generated reconciler.go).
func conflictLogged(f *Family) (Sign, bool) {
	for _, a := range f.Attempts {
		if l := a.Line(conflictMessage); l != nil {
			return Sign{What: "a conflict is logged at debug level, as from 1.21 on", Classes: []Class{ClassD}, Source: l.Source}, true
		}
		if l := a.ErrorLine(); l != nil && l.Message == "Returned an error" && strings.Contains(l.Error, "Operation cannot be fulfilled") {
			return Sign{What: "a conflict is logged as an error, as up to 1.20", Classes: []Class{ClassA, ClassB, ClassC}, Source: l.Source}, true
		}
	}
	return Sign{}, false
}

// healthyUnheard: in class A only what the autoscaler says sets ContainerHealthy
// True, together with Active (knative/serving
// pkg/apis/serving/v1/revision_lifecycle.go, PropagateAutoscalerStatus).
func healthyUnheard(f *Family) (Sign, bool) {
	for _, r := range f.Revisions {
		for _, w := range r.Writes {
			if _, heard := w.After.Condition("Active"); w.Subresource == "status" && w.BodySeen && w.Outcome == Applied && !heard && w.After.Is("ContainerHealthy", "True") {
				return Sign{What: "ContainerHealthy is True without a word of the autoscaler, as from 1.15.3 and 1.16.1 on", Classes: []Class{ClassB, ClassC, ClassD}, Source: w.Source}, true
			}
		}
	}
	return Sign{}, false
}

// classAdded: from 1.20 the PodAutoscaler is made with its class as an annotation,
// whether or not the Revision has it (knative/serving
// pkg/reconciler/revision/cruds.go, createPA; #16141).
func classAdded(f *Family) (Sign, bool) {
	for _, r := range f.Revisions {
		if s := r.Last(); s == nil || !s.Whole || s.Annotations.Get(classKey) != "" {
			continue
		}
		for _, pa := range r.PodAutoscalers {
			if w := pa.BornBy; w != nil && w.sent != nil && w.sent.state.Annotations.Get(classKey) != "" {
				return Sign{What: "the PodAutoscaler was made with a class that its Revision does not name, as from 1.20 on", Classes: []Class{ClassC, ClassD}, Source: w.Source}, true
			}
		}
	}
	return Sign{}, false
}
