package timeline

import "time"

// ProgressDeadline returns how long a Revision may take to get its Pods ready:
// its annotation, else config-deployment, else 10 minutes (knative/serving
// pkg/deployment/config.go, ProgressDeadlineDefault).
func (r *Revision) ProgressDeadline(t time.Time) time.Duration {
	const fallback = 600 * time.Second
	for state := range r.annotated(t) {
		if d, ok := deadlineOf(state.Annotations.Get(deadlineKey)); ok {
			return d
		}
	}
	if value, known := r.Family.Cluster.Setting("config-deployment", "progress-deadline", t); known {
		if d, ok := deadlineOf(value); ok {
			return d
		}
	}
	return fallback
}

const deadlineKey = "serving.knative.dev/progress-deadline"

// deadlineOf reads a progress deadline; ok is false if it is none.
func deadlineOf(value string) (d time.Duration, ok bool) {
	d, err := time.ParseDuration(value)
	return d, err == nil && d > 0
}
