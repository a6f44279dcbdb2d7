package rules

import "testing"

// BenchmarkRequest asks rules about one request: one rule that it is not of, one
// that it is of, one with a loop, and all of the samples.
func BenchmarkRequest(b *testing.B) {
	row := at(1, func(r *request) { r.Verb, r.Resource, r.Code, r.User = "get", "endpoints", 200, "system:node:n1" })
	for _, bench := range []struct {
		name string
		set  *Set
	}{
		{"other", parse(b, one(`when: verb == "update" && responseStatus.code == 409`))},
		{"match", parse(b, one(`when: verb == "get" && objectRef.resource == "endpoints"`))},
		{"regexp", parse(b, one(`when: user.username.matches("^system:(admin|masters)$")`))},
		{"loop", parse(b, one(`when: '["exec", "attach", "log"].exists(s, objectRef.subresource == s)'`))},
		{"samples", readSamples(b)},
	} {
		b.Run(bench.name, func(b *testing.B) {
			w := bench.set.Watch(nil, "")
			b.ReportAllocs()
			for b.Loop() {
				w.Request(row)
			}
		})
	}
}
