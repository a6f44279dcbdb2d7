package render

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"

	"github.com/knforensics/knforensics/ingest/lazyregexp"
)

const blanked = "(redacted; --show-secrets shows it)"

// Redact blanks what a record holds of Secrets and of tokens, unless it is
// wanted: data of Secrets, also in patches and in what kubectl apply notes
// down, and the tokens in requests for them. JSON that cannot be read whole, and
// may be about one, is withheld.
func (r *Record) Redact(show bool) {
	if show || !bytes.Contains(r.Raw, []byte("ecret")) && !bytes.Contains(r.Raw, []byte("oken")) {
		return
	}
	doc, whole := parse(r.Raw)
	if !whole {
		if bytes.ContainsAny(r.Raw, "{[") && secretWords().Match(r.Raw) {
			r.Raw = []byte("(withheld: it is no whole JSON, and may hold a secret; --show-secrets shows it)")
		}
		return
	}
	doc, changed := redact(doc, false)
	if !changed {
		return
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if enc.Encode(doc) == nil {
		r.Raw = bytes.TrimRight(out.Bytes(), "\n")
	}
}

// parse reads a text that is JSON as a whole.
func parse(text []byte) (doc any, whole bool) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if d.Decode(&doc) != nil {
		return nil, false
	}
	_, err := d.Token()
	return doc, err == io.EOF
}

// secretWords are in every audit event about Secrets or tokens, and in every
// object that is one.
var secretWords = lazyregexp.New(`(?i)"secrets"|/secrets\b|\bSecret(List)?\b|tokenreviews|"token"|/token\b`)

// quoted redacts the JSON that a string holds, as some exports have it.
func quoted(text string, secret bool) (string, bool) {
	if trimmed := strings.TrimSpace(text); !strings.HasPrefix(trimmed, "{") && !strings.HasPrefix(trimmed, "[") {
		return text, false
	}
	inner, whole := parse([]byte(text))
	if !whole {
		if secret || secretWords().MatchString(text) {
			return blanked, true
		}
		return text, false
	}
	inner, changed := redact(inner, secret)
	if !changed {
		return text, false
	}
	out, err := json.Marshal(inner)
	if err != nil {
		return blanked, true
	}
	return string(out), true
}

// redact returns a value with what is to be hidden blanked, partly in place, and
// tells whether there was anything; secret says that it is about a Secret already.
func redact(v any, secret bool) (blank any, changed bool) {
	switch v := v.(type) {
	case string:
		return quoted(v, secret)
	case []any:
		for i, e := range v {
			if op, ok := e.(map[string]any); ok && secret && op["op"] != nil { // a JSON patch
				op["value"], changed = blanked, true
				continue
			}
			var did bool
			v[i], did = redact(e, secret)
			changed = changed || did
		}
	case map[string]any:
		kind, _ := v["kind"].(string)
		secret = secret || isAboutSecret(v, kind)
		for key, value := range v {
			var did bool
			if blanks(key, kind, secret) && value != nil {
				v[key], did = hide(value), true
			} else {
				v[key], did = redact(value, secret)
			}
			changed = changed || did
		}
	}
	return v, changed
}

// isAboutSecret reports whether an object is a Secret, or a record of a request
// about one, in the terms of Kubernetes, Azure or Google.
func isAboutSecret(v map[string]any, kind string) bool {
	name, _ := v["resourceName"].(string)
	return kind == "Secret" || kind == "SecretList" || aboutSecret(v["objectRef"]) || aboutSecret(v["ObjectRef"]) ||
		strings.Contains(name, "/secrets") || strings.HasSuffix(name, "/token")
}

// aboutSecret reports whether an objectRef names Secrets or tokens.
func aboutSecret(ref any) bool {
	if text, ok := ref.(string); ok {
		var inner map[string]any
		if json.Unmarshal([]byte(text), &inner) != nil {
			return strings.Contains(text, "secrets") || strings.Contains(text, "token")
		}
		ref = inner
	}
	m, ok := ref.(map[string]any)
	return ok && (m["resource"] == "secrets" || m["resource"] == "tokenreviews" || m["subresource"] == "token")
}

// blanks tells the members that hold secrets.
func blanks(key, kind string, secret bool) bool {
	switch key {
	case "data", "stringData", "kubectl.kubernetes.io/last-applied-configuration":
		return secret
	case "token":
		return secret || strings.HasPrefix(kind, "Token")
	}
	return false
}

// hide keeps the names of members and blanks their values.
func hide(value any) any {
	m, ok := value.(map[string]any)
	if !ok {
		return blanked
	}
	for name := range m {
		m[name] = blanked
	}
	return m
}
