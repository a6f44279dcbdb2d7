package object

import (
	"bytes"
	"strconv"

	"github.com/knforensics/knforensics/ingest/table"
)

// walk keeps the selected scalars of one top-level member.
func (d *Decoder) walk(name string, raw []byte, tree *node, o *table.Object) {
	at, _ := tree.member(name)
	if at == nil || len(raw) == 0 {
		return
	}
	d.scan.Reset(raw)
	d.path = append(d.path[:0], name...)
	d.descend(at, o)
}

func (d *Decoder) descend(at *node, o *table.Object) {
	s, base := &d.scan, len(d.path)
	switch {
	case o.Patch != "" && s.Peek() == 'n':
		s.Pass()
		d.remove(o)
	case at.keep:
		if value, ok := s.Scalar(); ok {
			o.Fields = append(o.Fields, table.Pair{Key: d.pathSoFar(), Value: s.Share(value)})
		}
	case at.element != nil && o.Patch == MergePatch && isMergedByKey(o):
		s.Pass()
		d.remove(o)
	case at.element != nil && s.BeginArray():
		if o.Patch != "" {
			d.remove(o)
		}
		for i := 0; s.Element(); i++ {
			d.path = append(d.path, '[')
			d.path = strconv.AppendInt(d.path, int64(i), 10)
			d.path = append(d.path, ']')
			d.descend(at.element, o)
			d.path = d.path[:base]
		}
	case s.BeginObject():
		for {
			key, ok := s.Member()
			if !ok {
				return
			}
			d.follow(at, key, o)
			d.path = d.path[:base]
		}
	default:
		s.Pass()
	}
}

// follow goes on to the value of a member, and leaves the path at it.
func (d *Decoder) follow(at *node, key []byte, o *table.Object) {
	next, known := at.member(string(key))
	switch {
	case next == nil || string(key) == "_example":
		d.scan.Pass()
		return
	case known:
		d.path = append(append(d.path, '.'), key...)
	default:
		d.path = appendStep(d.path, key)
	}
	d.descend(next, o)
}

// appendStep writes a member name as a step of a path: .name, or [name] where
// the name holds a dot or a slash.
func appendStep(path, key []byte) []byte {
	if bytes.IndexByte(key, '.') >= 0 || bytes.IndexByte(key, '/') >= 0 {
		path = append(path, '[')
		path = append(path, key...)
		return append(path, ']')
	}
	path = append(path, '.')
	return append(path, key...)
}
