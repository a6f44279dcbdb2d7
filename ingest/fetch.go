package ingest

import (
	"bytes"
	"fmt"
	"io"

	"go.yaml.in/yaml/v3"

	"github.com/knforensics/knforensics/ingest/document"
	"github.com/knforensics/knforensics/ingest/source"
	"github.com/knforensics/knforensics/ingest/table"
)

// Fetch reads records again, which batches name by place only: it calls fn
// with each place and the bytes of the record there, as JSON where it is an
// object, else as they are. The places are sorted by input and offset.
func Fetch(inputs []source.Input, places []*table.Location, fn func(*table.Location, []byte)) error {
	for i := range inputs {
		var here []*table.Location
		for _, l := range places {
			if l.File == inputs[i].Path {
				here = append(here, l)
			}
		}
		if len(here) == 0 {
			continue
		}
		if err := fetch(&inputs[i], here, fn); err != nil {
			return fmt.Errorf("read %s again: %w", inputs[i].Path, err)
		}
	}
	return nil
}

func fetch(in *source.Input, places []*table.Location, fn func(*table.Location, []byte)) error {
	stream, err := in.Open(false)
	if err != nil {
		return err
	}
	defer stream.Close()
	var pos int64
	var last []byte
	var lastStart int64
	for _, l := range places {
		if l.Offset < pos { // within, or the same as, the record before
			from := l.Offset - lastStart
			if from < 0 || from+l.Length > int64(len(last)) {
				return fmt.Errorf("records overlap at byte %d", l.Offset)
			}
			fn(l, plain(last[from:from+l.Length]))
			continue
		}
		if _, err := io.CopyN(io.Discard, stream, l.Offset-pos); err != nil {
			return err
		}
		last, lastStart = make([]byte, l.Length), l.Offset
		if _, err := io.ReadFull(stream, last); err != nil {
			return err
		}
		pos = l.Offset + l.Length
		fn(l, plain(last))
	}
	return nil
}

// plain turns an object in YAML into JSON, and leaves anything else alone.
func plain(data []byte) []byte {
	trimmed := bytes.TrimSpace(data)
	if len(trimmed) == 0 || trimmed[0] == '{' || !bytes.Contains(trimmed, []byte(":")) || bytes.IndexByte(trimmed, '\n') < 0 {
		return trimmed
	}
	var doc yaml.Node
	if yaml.Unmarshal(trimmed, &doc) != nil || len(doc.Content) == 0 {
		return trimmed
	}
	node := doc.Content[0]
	if node.Kind == yaml.SequenceNode && len(node.Content) == 1 {
		node = node.Content[0]
	}
	if out, err := document.YAMLToJSON(node); err == nil && node.Kind == yaml.MappingNode {
		return out
	}
	return trimmed
}
