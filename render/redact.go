package render

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
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
	d := json.NewDecoder(bytes.NewReader(r.Raw))
	d.UseNumber()
	var doc any
	if d.Decode(&doc) != nil || d.More() {
		if bytes.ContainsAny(r.Raw, "{[") && secretWords.Match(r.Raw) {
			r.Raw = []byte("(withheld: it is no whole JSON, and may hold a secret; --show-secrets shows it)")
		}
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

// secretWords are in every audit event about Secrets or tokens, and in every
// object that is one.
var secretWords = regexp.MustCompile(`(?i)"secrets"|/secrets\b|\bSecret(List)?\b|tokenreviews|"token"|/token\b`)

// quoted redacts the JSON that a string holds, as some exports have it.
func quoted(text string, secret bool) (string, bool) {
	if trimmed := strings.TrimSpace(text); !strings.HasPrefix(trimmed, "{") && !strings.HasPrefix(trimmed, "[") {
		return text, false
	}
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var inner any
	if d.Decode(&inner) != nil || d.More() {
		return blanked, secret || secretWords.MatchString(text)
	}
	if !redact(inner, secret) {
		return text, false
	}
	out, err := json.Marshal(inner)
	if err != nil {
		return blanked, true
	}
	return string(out), true
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
			if text, ok := e.(string); ok {
				if text, blanked := quoted(text, secret); blanked {
					v[i], changed = text, true
				}
				continue
			}
			changed = redact(v[i], secret) || changed
		}
	case map[string]any:
		kind, _ := v["kind"].(string)
		name, _ := v["resourceName"].(string) // of Google's audit logs
		secret = secret || kind == "Secret" || kind == "SecretList" || aboutSecret(v["objectRef"]) || aboutSecret(v["ObjectRef"]) ||
			strings.Contains(name, "/secrets") || strings.HasSuffix(name, "/token")
		for key, value := range v {
			if blanks(key, kind, secret) && value != nil {
				v[key], changed = blank(value), true
				continue
			}
			if text, ok := value.(string); ok {
				if text, blanked := quoted(text, secret); blanked {
					v[key], changed = text, true
				}
				continue
			}
			changed = redact(value, secret) || changed
		}
	}
	return changed
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
