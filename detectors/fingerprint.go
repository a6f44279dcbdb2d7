package detectors

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
)

// Fingerprint identifies a finding across runs, machines and copies of the
// logs: it is made of the detector, the object and the decisive IDs, never of
// file names or line numbers. It has 32 hexadecimal digits.
func (f *Finding) Fingerprint() string {
	parts := []string{f.Detector, f.Object.Kind, f.Object.Namespace, f.Object.Name, f.UID}
	if f.Cluster != "" {
		parts = append(parts, "cluster "+f.Cluster)
	}
	decisive := slices.Clone(f.Decisive)
	slices.Sort(decisive)
	sum := sha256.Sum256([]byte(strings.Join(append(parts, decisive...), "\x00")))
	return hex.EncodeToString(sum[:16])
}

// ID returns the ID of a record that a fingerprint can be made of: the audit
// ID, else the trace ID, else that of the Event or object.
func (e Evidence) ID() string {
	switch {
	case e.AuditID != "":
		return e.AuditID
	case e.TraceID != "":
		return e.TraceID
	}
	return e.EventID
}
