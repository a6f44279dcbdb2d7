package timeline

import "time"

// ProgressDeadline returns how long a Revision may take to get its Pods ready:
// its annotation, else config-deployment, else 10 minutes (knative/serving
// pkg/deployment/config.go, ProgressDeadlineDefault).
func (r *Revision) ProgressDeadline(t time.Time) time.Duration {
	const fallback = 600 * time.Second
	for state := range r.annotated(t) {
		if d, err := time.ParseDuration(state.Annotations.Get("serving.knative.dev/progress-deadline")); err == nil && d > 0 {
			return d
		}
	}
	if value, known := r.Family.Cluster.Setting("config-deployment", "progress-deadline", t); known {
		if d, err := time.ParseDuration(value); err == nil && d > 0 {
			return d
		}
	}
	return fallback
}
