package document

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/knforensics/knforensics/ingest/lazyregexp"
	"github.com/knforensics/knforensics/ingest/table"
)

// MaxYAML is the largest YAML document that is read: unlike JSON, a document
// has to be in memory as a whole.
const MaxYAML = 64 << 20

var errYAMLTooLong = errors.New("YAML document longer than 64 MiB: give it as JSON (kubectl get -o json)")

// YAML yields the documents of a YAML stream, and of a document with a
// sequence "items" its elements, as JSON. The place of an element that starts
// a line of its own begins with that line, indentation and dash included.
type YAML struct {
	r      *bufio.Reader
	limit  int
	line   int64
	offset int64
	err    error
}

// NewYAML reads YAML documents from r.
func NewYAML(r io.Reader) *YAML { return &YAML{r: bufio.NewReader(r), limit: MaxYAML, line: 1} }

// Next returns the records of the next document. The line of a block with an
// Err is that of the document that is broken.
func (y *YAML) Next() (*Block, error) {
	if y.err != nil {
		return nil, io.EOF
	}
	b := &Block{Line: y.line, Offset: y.offset}
	var text []byte
	if text, b.Err = y.document(b); b.Err == nil {
		b.Records, b.Err = yamlRecords(text, b.Line, b.Offset)
	}
	return b, nil
}

// document reads the lines up to the start or the end of a document.
func (y *YAML) document(b *Block) (text []byte, err error) {
	var content, tooLong bool
	for y.err == nil {
		line, err := y.r.ReadBytes('\n')
		if err != nil && err != io.EOF {
			y.err = err
			return nil, err
		}
		if marker(line, "---") && !content {
			b.Line, b.Offset, text = y.line, y.offset, nil
		}
		content = content || !prologue(line)
		y.offset += int64(len(line))
		y.line++
		if tooLong = tooLong || len(text)+len(line) > y.limit; tooLong {
			text = nil
		} else {
			text = append(text, line...)
		}
		y.err = err
		if next, _ := y.r.Peek(4); marker(line, "...") || content && marker(next, "---") {
			break
		}
	}
	if tooLong {
		return nil, errYAMLTooLong
	}
	return text, nil
}

// marker reports whether a line is the start "---" or the end "..." of a
// document.
func marker(line []byte, text string) bool {
	rest, ok := bytes.CutPrefix(line, []byte(text))
	return ok && (len(rest) == 0 || bytes.IndexByte([]byte(" \t\r\n"), rest[0]) >= 0)
}

// prologue reports whether a line can stand before the "---" of a document:
// it is blank, a comment or a directive.
func prologue(line []byte) bool {
	line = bytes.TrimSpace(line)
	return len(line) == 0 || line[0] == '#' || line[0] == '%'
}

// yamlRecords parses one document that starts at the given place.
func yamlRecords(text []byte, line, offset int64) ([]Record, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil {
		return nil, yamlError(err, line)
	}
	if len(doc.Content) == 0 || doc.Content[0].ShortTag() == "!!null" {
		return nil, nil
	}
	root := doc.Content[0]
	nodes, list := []*yaml.Node{root}, List{}
	items, after := member(root, "items")
	if items != nil && items.Kind == yaml.SequenceNode {
		nodes, list = items.Content, List{APIVersion: scalar(root, "apiVersion"), Kind: scalar(root, "kind")}
	} else if after = nil; root.Kind == yaml.SequenceNode {
		nodes = root.Content
	}
	places := newPlaces(text, nodes, after)
	out := writer{left: 8*len(text) + 1<<20}
	var records []Record
	mark := 0 // where line is
	for i, node := range nodes {
		from, to := places.of(i)
		line += int64(bytes.Count(text[min(mark, from):from], []byte{'\n'})) - int64(bytes.Count(text[from:max(mark, from)], []byte{'\n'}))
		mark = from
		at := table.Location{
			Line: line, Lines: 1 + int64(bytes.Count(text[from:to], []byte{'\n'})),
			Offset: offset + int64(from), Length: int64(to - from),
		}
		raw, err := out.json(node)
		if err != nil {
			return records, fmt.Errorf("line %d: %w", at.Line, err)
		}
		records = append(records, Record{JSON: raw, Location: at, List: list})
	}
	return records, nil
}

var yamlErrorLine = lazyregexp.New(`^yaml: line (\d+): `)

// yamlError words an error of the yaml package, whose lines count from the
// start of the document.
func yamlError(err error, line int64) error {
	text := err.Error()
	if m := yamlErrorLine().FindStringSubmatch(text); m != nil {
		n, _ := strconv.ParseInt(m[1], 10, 64)
		return fmt.Errorf("invalid YAML at line %d: %s", line+n-1, text[len(m[0]):])
	}
	return fmt.Errorf("invalid YAML: %s", strings.TrimPrefix(text, "yaml: "))
}

// member returns a member of a mapping, and the name of the next one, if any.
func member(node *yaml.Node, key string) (value, after *yaml.Node) {
	if node.Kind != yaml.MappingNode {
		return nil, nil
	}
	for i := 0; i+1 < len(node.Content); i += 2 {
		if node.Content[i].Value != key {
			continue
		}
		if i+2 < len(node.Content) {
			after = node.Content[i+2]
		}
		return node.Content[i+1], after
	}
	return nil, nil
}

func scalar(node *yaml.Node, key string) string {
	if m, _ := member(node, key); m != nil && m.Kind == yaml.ScalarNode {
		return m.Value
	}
	return ""
}
