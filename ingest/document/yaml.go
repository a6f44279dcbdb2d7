package document

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"go.yaml.in/yaml/v3"

	"github.com/knforensics/knforensics/ingest/table"
)

// MaxYAML is the largest YAML document that is read: unlike JSON, a document
// has to be in memory as a whole.
const MaxYAML = 64 << 20

var errYAMLTooLong = errors.New("YAML document longer than 64 MiB: give it as JSON (kubectl get -o json)")

// YAML yields the documents of a YAML stream, and of a document with a
// sequence "items" its elements, as JSON.
type YAML struct {
	r      *bufio.Reader
	line   int64
	offset int64
	err    error
}

// NewYAML reads YAML documents from r.
func NewYAML(r io.Reader) *YAML { return &YAML{r: bufio.NewReader(r), line: 1} }

// Next returns the records of the next document.
func (y *YAML) Next() (*Block, error) {
	if y.err != nil {
		return nil, io.EOF
	}
	b := &Block{Line: y.line, Offset: y.offset}
	if err := y.document(b); err != nil {
		b.Data = nil
		b.Err = err
		return b, nil
	}
	text := b.Data
	b.Data = nil
	b.Records, b.Err = yamlRecords(text, b.Line, b.Offset)
	return b, nil
}

// document reads the lines up to the next "---".
func (y *YAML) document(b *Block) error {
	var tooLong bool
	for {
		line, err := y.r.ReadBytes('\n')
		y.offset += int64(len(line))
		y.line++
		if err != nil && err != io.EOF {
			y.err = err
			return err
		}
		if separator(line) && len(bytes.TrimSpace(b.Data)) == 0 {
			b.Line, b.Offset, b.Data = y.line-1, y.offset-int64(len(line)), nil
		}
		if !tooLong {
			b.Data = append(b.Data, line...)
		}
		if len(b.Data) > MaxYAML {
			tooLong, b.Data = true, nil
		}
		if err == io.EOF {
			y.err = err
			break
		}
		if next, _ := y.r.Peek(4); separator(next) && len(bytes.TrimSpace(b.Data)) > 0 {
			break
		}
	}
	if tooLong {
		return errYAMLTooLong
	}
	return nil
}

// separator reports whether a line starts a document.
func separator(line []byte) bool {
	return bytes.HasPrefix(line, []byte("---")) && (len(line) == 3 || bytes.ContainsAny(line[3:4], " \t\r\n"))
}

// yamlRecords parses one document that starts at the given place.
func yamlRecords(text []byte, line, offset int64) ([]Record, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil {
		return nil, fmt.Errorf("document at line %d: %w", line, err)
	}
	if len(doc.Content) == 0 {
		return nil, nil
	}
	root := doc.Content[0]
	nodes := []*yaml.Node{root}
	if items := member(root, "items"); items != nil && items.Kind == yaml.SequenceNode {
		nodes = items.Content
	} else if root.Kind == yaml.SequenceNode {
		nodes = root.Content
	}
	starts := lineStarts(text)
	var records []Record
	for i, node := range nodes {
		end := len(starts)
		if i+1 < len(nodes) {
			end = nodes[i+1].Line
		}
		from := starts[node.Line-1]
		to := len(text)
		if end-1 < len(starts) && end > node.Line {
			to = starts[end-1]
		}
		raw, err := YAMLToJSON(node)
		if err != nil {
			return records, fmt.Errorf("line %d: %w", line+int64(node.Line)-1, err)
		}
		records = append(records, Record{JSON: raw, Location: table.Location{
			Line: line + int64(node.Line) - 1, Lines: int64(max(1, bytes.Count(text[from:to], []byte{'\n'}))),
			Offset: offset + int64(from), Length: int64(to - from),
		}})
	}
	return records, nil
}

func member(node *yaml.Node, key string) *yaml.Node {
	if node.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(node.Content); i += 2 {
		if node.Content[i].Value == key {
			return node.Content[i+1]
		}
	}
	return nil
}

func lineStarts(text []byte) []int {
	starts := []int{0}
	for i, c := range text {
		if c == '\n' && i+1 < len(text) {
			starts = append(starts, i+1)
		}
	}
	return starts
}

// maxExpansion bounds what aliases can blow a document up to.
const maxExpansion = 4 * MaxYAML

// YAMLToJSON writes a YAML node as JSON. Scalars that YAML takes for numbers,
// booleans or null keep their text where JSON can write it, others become
// strings, times among them.
func YAMLToJSON(node *yaml.Node) ([]byte, error) { return appendJSON(nil, node, 0) }

func appendJSON(out []byte, node *yaml.Node, depth int) (_ []byte, err error) {
	if depth > 1000 || len(out) > maxExpansion {
		return nil, errors.New("YAML nests or expands without end")
	}
	switch node.Kind {
	case yaml.AliasNode:
		return appendJSON(out, node.Alias, depth+1)
	case yaml.MappingNode:
		out = append(out, '{')
		for i := 0; i+1 < len(node.Content); i += 2 {
			if i > 0 {
				out = append(out, ',')
			}
			out = appendString(out, node.Content[i].Value)
			out = append(out, ':')
			if out, err = appendJSON(out, node.Content[i+1], depth+1); err != nil {
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
			if out, err = appendJSON(out, item, depth+1); err != nil {
				return nil, err
			}
		}
		return append(out, ']'), nil
	}
	switch node.ShortTag() {
	case "!!null":
		return append(out, "null"...), nil
	case "!!bool", "!!int", "!!float":
		if json.Valid([]byte(node.Value)) {
			return append(out, node.Value...), nil
		}
	}
	return appendString(out, node.Value), nil
}

func appendString(out []byte, s string) []byte {
	text, err := json.Marshal(s)
	if err != nil { // json.Marshal does not fail on strings
		return append(out, `""`...)
	}
	return append(out, text...)
}
