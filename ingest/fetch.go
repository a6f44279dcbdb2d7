package ingest

import (
	"bytes"
	"encoding/json"
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
	read := map[string]bool{}
	for i := range inputs {
		if read[inputs[i].Path] {
			continue
		}
		read[inputs[i].Path] = true
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
	if !maybeYAML(trimmed) || json.Valid(trimmed) {
		return data
	}
	var doc yaml.Node
	if yaml.Unmarshal(data, &doc) != nil || len(doc.Content) == 0 {
		return data
	}
	node := doc.Content[0]
	if node.Kind == yaml.SequenceNode && len(node.Content) == 1 {
		node = node.Content[0]
	}
	if out, err := document.YAMLToJSON(node); err == nil && node.Kind == yaml.MappingNode {
		return out
	}
	return data
}

// maybeYAML tells a mapping, or an element of a sequence, from a line of a log.
func maybeYAML(text []byte) bool {
	return bytes.IndexByte(text, '\n') >= 0 || bytes.HasPrefix(text, []byte("{")) || bytes.HasPrefix(text, []byte("- "))
}
