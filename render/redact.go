package render

import (
	"bytes"
	"encoding/json"
	"strings"
)

const blanked = "(redacted; --show-secrets shows it)"

// Redact blanks what a record holds of Secrets and of tokens, unless it is
// wanted: data of Secrets, also in patches and in what kubectl apply notes
// down, and the tokens in requests for them.
func (r *Record) Redact(show bool) {
	if show || !bytes.Contains(r.Raw, []byte("ecret")) && !bytes.Contains(r.Raw, []byte("oken")) {
		return
	}
	d := json.NewDecoder(bytes.NewReader(r.Raw))
	d.UseNumber()
	var doc any
	if d.Decode(&doc) != nil {
		return
	}
	if !redact(doc, false) {
		return
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if enc.Encode(doc) == nil {
		r.Raw = bytes.TrimRight(out.Bytes(), "\n")
	}
}

// redact blanks in place and tells whether there was anything to blank; secret
// says that v is about a Secret already.
func redact(v any, secret bool) (changed bool) {
	switch v := v.(type) {
	case []any:
		for i, e := range v {
			if op, ok := e.(map[string]any); ok && secret && op["op"] != nil { // a JSON patch
				op["value"], changed = blanked, true
				continue
			}
			changed = redact(v[i], secret) || changed
		}
	case map[string]any:
		kind, _ := v["kind"].(string)
		secret = secret || kind == "Secret" || kind == "SecretList" || aboutSecret(v["objectRef"])
		for key, value := range v {
			if blanks(key, kind, secret) && value != nil {
				v[key], changed = blank(value), true
				continue
			}
			changed = redact(value, secret) || changed
		}
	}
	return changed
}

// aboutSecret reports whether an objectRef names Secrets or tokens.
func aboutSecret(ref any) bool {
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

// blank keeps the names of members and hides their values.
func blank(value any) any {
	m, ok := value.(map[string]any)
	if !ok {
		return blanked
	}
	for name := range m {
		m[name] = blanked
	}
	return m
}
