package ingest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/knforensics/knforensics/ingest/casefolder"
	"github.com/knforensics/knforensics/ingest/coverage"
	"github.com/knforensics/knforensics/ingest/document"
	"github.com/knforensics/knforensics/ingest/source"
	"github.com/knforensics/knforensics/ingest/table"
	"github.com/knforensics/knforensics/ingest/wrapper"
)

// Fetch reads records again, which batches name by place only: it calls fn
// with each place and the bytes of the record there, as JSON where it is an
// object, else as they are; nil where a case did not keep them. The places are
// sorted by input and offset.
func Fetch(inputs []source.Input, places []*table.Location, fn func(*table.Location, []byte)) error {
	byFile := map[string][]*table.Location{}
	for _, l := range places {
		byFile[l.File] = append(byFile[l.File], l)
	}
	for i := range inputs {
		if inputs[i].Case {
			if err := fetchKept(inputs[i].Path, byFile, fn); err != nil {
				return err
			}
			continue
		}
		if !wanted(byFile, coverage.Text(inputs[i].Path)) {
			continue
		}
		err := inputs[i].Each(false, func(path string, stream *source.Stream) error {
			file := coverage.Text(path)
			here := byFile[file]
			delete(byFile, file)
			if len(here) == 0 || stream.Archive {
				return nil
			}
			return fetch(stream, here, fn)
		})
		if err != nil {
			return fmt.Errorf("read %s again: %w", inputs[i].Path, err)
		}
	}
	return nil
}

// fetchKept reads the records that are in a case.
func fetchKept(path string, byFile map[string][]*table.Location, fn func(*table.Location, []byte)) error {
	kept, err := casefolder.Open(path)
	if err != nil {
		return err
	}
	return kept.Each(casefolder.Selection{Tables: []table.Kind{table.Records}}, func(b *table.Batch) error {
		b.EachRecord(func(r *table.Record) {
			for _, l := range byFile[r.File] {
				switch {
				case l.Place() != r.Place():
				case r.Raw == "":
					fn(l, nil)
				default:
					fn(l, []byte(r.Raw))
				}
			}
		})
		return nil
	})
}

// wanted reports whether one of the files is an input or a member of it.
func wanted(byFile map[string][]*table.Location, path string) bool {
	for file := range byFile {
		if file == path || strings.HasPrefix(file, path+"/") {
			return true
		}
	}
	return false
}

func fetch(stream *source.Stream, places []*table.Location, fn func(*table.Location, []byte)) error {
	var pos int64
	var last []byte
	var lastStart int64
	var rec fetched
	for _, l := range places {
		if l.Offset < pos { // within, or the same as, the record before
			from := l.Offset - lastStart
			if more := from + l.Length - int64(len(last)); more > 0 { // the parts of two records stand between each other
				last = append(last, make([]byte, more)...)
				if _, err := io.ReadFull(stream, last[int64(len(last))-more:]); err != nil {
					return err
				}
				pos += more
			}
			fn(l, rec.part(l, last[from:from+l.Length]))
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
		fn(l, rec.part(l, last))
	}
	return nil
}

// fetched is the record that was asked for last. Often its parts are asked for
// one after the other.
type fetched struct {
	offset, length int64
	data           []byte         // as JSON where it is an object
	leaves         []wrapper.Leaf // what is in its wrappers, once a part was asked for
}

// part returns what a location names of the text there.
func (f *fetched) part(l *table.Location, text []byte) []byte {
	if f.data == nil || f.offset != l.Offset || f.length != l.Length {
		*f = fetched{offset: l.Offset, length: l.Length, data: plain(text)}
	}
	if l.Part > 0 && f.leaves == nil {
		f.leaves = new(wrapper.Opener).Leaves(f.data)
	}
	if l.Part > 0 && int(l.Part) <= len(f.leaves) {
		return f.leaves[l.Part-1].Data
	}
	return f.data
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
