package document

import (
	"encoding/json"
	"errors"
	"strings"

	"go.yaml.in/yaml/v3"
)

var errYAMLExpands = errors.New("YAML nests or expands without end")

// YAMLToJSON writes a YAML node as JSON. Scalars that YAML takes for numbers,
// booleans or null keep their text where JSON can write it, others become
// strings, times among them.
func YAMLToJSON(node *yaml.Node) ([]byte, error) {
	w := writer{left: MaxYAML}
	return w.json(node)
}

// writer writes YAML nodes as JSON, up to a number of bytes in all: aliases
// can make little text very long.
type writer struct{ left int }

func (w *writer) json(node *yaml.Node) ([]byte, error) {
	out, err := w.append(nil, node, 0)
	w.left -= len(out)
	return out, err
}

func (w *writer) append(out []byte, node *yaml.Node, depth int) (_ []byte, err error) {
	if depth > 1000 || len(out) > w.left {
		return nil, errYAMLExpands
	}
	switch node.Kind {
	case yaml.AliasNode:
		return w.append(out, node.Alias, depth+1)
	case yaml.MappingNode:
		out = append(out, '{')
		for i := 0; i+1 < len(node.Content); i += 2 {
			if i > 0 {
				out = append(out, ',')
			}
			key := node.Content[i]
			if key.Kind == yaml.AliasNode {
				key = key.Alias
			}
			out = appendString(out, key.Value)
			out = append(out, ':')
			if out, err = w.append(out, node.Content[i+1], depth+1); err != nil {
				return nil, err
			}
		}
		return append(out, '}'), nil
	case yaml.SequenceNode:
		out = append(out, '[')
		for i, item := range node.Content {
			if i > 0 {
				out = append(out, ',')
			}
			if out, err = w.append(out, item, depth+1); err != nil {
				return nil, err
			}
		}
		return append(out, ']'), nil
	}
	return appendScalar(out, node), nil
}

func appendScalar(out []byte, node *yaml.Node) []byte {
	switch node.ShortTag() {
	case "!!null":
		return append(out, "null"...)
	case "!!bool":
		if text := strings.ToLower(node.Value); text == "true" || text == "false" {
			return append(out, text...)
		}
	case "!!int", "!!float":
		if json.Valid([]byte(node.Value)) {
			return append(out, node.Value...)
		}
	}
	return appendString(out, node.Value)
}

func appendString(out []byte, s string) []byte {
	text, err := json.Marshal(s)
	if err != nil { // json.Marshal does not fail on strings
		return append(out, `""`...)
	}
	return append(out, text...)
}
