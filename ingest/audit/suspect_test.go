package audit

import "testing"

func TestSuspect(t *testing.T) {
	for text, want := range map[string]bool{
		event(): true, `{"apiVersion":"audit.k8s.io/v1","kind":"Event"}`: true, `{"auditID":"a"}`: true, `{"\u0061uditID":"a"}`: true,
		`{"severity":"INFO","message":"a line\nof \"a\" log"}`: false, `{"a":"aud","it":1}`: false, `{}`: false, "{\n\"auditID\":1}": true,
	} {
		if got := Suspect([]byte(text)); got != want {
			t.Errorf("%v, want %v: %s", got, want, text)
		}
	}
}
