package render

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"strings"
	"unicode"

	"go.yaml.in/yaml/v3"
)

// WriteYAML writes the document that WriteJSON writes as YAML. Texts are in double
// quotes, as in JSON, so that no reader takes one for a number, a time or a
// boolean.
func WriteYAML(w io.Writer, doc any) error {
	text, err := json.Marshal(doc)
	if err != nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	node, err := yamlNode(d)
	if err != nil {
		return err
	}
	var buf bytes.Buffer
	enc := yaml.NewEncoder(&buf)
	enc.SetIndent(2)
	if err := enc.Encode(node); err != nil {
		return err
	}
	_, err = io.WriteString(w, escapeYAML(buf.String()))
	return err
}

// escapeYAML writes what is unsafe in YAML as escapes. All of it is between double quotes,
// where they mean the same.
func escapeYAML(text string) string {
	isUnsafe := func(r rune) bool { return unsafe(r) && r != '\n' && r != unicode.ReplacementChar }
	if strings.IndexFunc(text, isUnsafe) < 0 {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if isUnsafe(r) {
			b.WriteString(escape(r))
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// yamlNode reads the next value of JSON text, and keeps its order.
func yamlNode(d *json.Decoder) (*yaml.Node, error) {
	token, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch v := token.(type) {
	case json.Delim:
		return yamlList(d, v)
	case string:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: v, Style: yaml.DoubleQuotedStyle}, nil
	case nil:
		return &yaml.Node{Kind: yaml.ScalarNode, Value: "null"}, nil
	}
	return &yaml.Node{Kind: yaml.ScalarNode, Value: fmt.Sprint(token)}, nil
}

// plainKey are keys that need no quotes for any reader; YAML 1.1 takes some words
// for booleans.
var plainKey = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9]*$`)
var boolWord = regexp.MustCompile(`^(?i:y|n|yes|no|on|off|true|false|null)$`)

// yamlList reads the rest of an object or an array.
func yamlList(d *json.Decoder, start json.Delim) (*yaml.Node, error) {
	list := &yaml.Node{Kind: yaml.SequenceNode}
	if start == '{' {
		list.Kind = yaml.MappingNode
	}
	for d.More() {
		node, err := yamlNode(d)
		if err != nil {
			return nil, err
		}
		if isKey := start == '{' && len(list.Content)%2 == 0; isKey && plainKey.MatchString(node.Value) && !boolWord.MatchString(node.Value) {
			node.Style = 0
		}
		list.Content = append(list.Content, node)
	}
	_, err := d.Token()
	return list, err
}
