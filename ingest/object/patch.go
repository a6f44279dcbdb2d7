package object

import (
	"strconv"
	"strings"

	"github.com/knforensics/knforensics/ingest/table"
)

// The values of table.Object.Patch.
const (
	MergePatch = "merge" // JSON merge patch, strategic merge patch or apply: a partial object
	JSONPatch  = "json"  // RFC 6902: a list of operations
)

// Patch fills o from the body of a patch of the object called name. Of a
// partial object the parts it holds are taken as those of an object; a JSON
// patch gives the same parts as far as its add and replace operations set
// them.
func (d *Decoder) Patch(data []byte, header Header, name string, o *table.Object) error {
	d.scan.Reset(data)
	if d.scan.Peek() != '[' {
		o.Patch = MergePatch
		return d.decode(data, header, name, o)
	}
	*o = table.Object{Location: o.Location, Origin: o.Origin, AuditID: o.AuditID, Patch: JSONPatch,
		Group: header.Group(), Version: header.Version(), Kind: header.Kind}
	ops, err := d.operations()
	if err != nil {
		return err
	}
	tree := treeOf(o.Group, o.Kind, name)
	for _, op := range ops {
		if op.name == "add" || op.name == "replace" {
			d.set(op, tree, o)
		}
	}
	return d.scan.Err()
}

// operation is one of a JSON patch.
type operation struct {
	name, path string
	value      []byte
}

func (d *Decoder) operations() (ops []operation, err error) {
	s := &d.scan
	s.BeginArray()
	for s.Element() {
		if !s.BeginObject() {
			s.Skip()
			continue
		}
		var op operation
		for {
			key, ok := s.Member()
			if !ok {
				break
			}
			switch string(key) {
			case "op":
				op.name = d.scalar()
			case "path":
				op.path = d.scalar()
			case "value":
				op.value = s.Raw()
			default:
				s.Skip()
			}
		}
		ops = append(ops, op)
	}
	s.End()
	return ops, s.Err()
}

// set takes over what an operation sets.
func (d *Decoder) set(op operation, tree *node, o *table.Object) {
	path, ok := strings.CutPrefix(op.path, "/")
	if !ok || op.value == nil {
		return
	}
	steps := strings.Split(path, "/")
	for i, step := range steps {
		steps[i] = unescapePointer.Replace(step)
	}
	d.scan.Reset(op.value)
	if steps[0] == "metadata" {
		d.setMetadata(steps[1:], o)
		return
	}
	at := tree.member(steps[0])
	d.path = append(d.path[:0], steps[0]...)
	for _, step := range steps[1:] {
		switch {
		case at == nil || step == "_example":
			return
		case at.element != nil && isIndex(step):
			at = at.element
			d.path = append(append(append(d.path, '['), step...), ']')
		default:
			at = at.member(step)
			d.path = appendStep(d.path, []byte(step))
		}
	}
	if at != nil {
		d.descend(at, o)
	}
}

func (d *Decoder) setMetadata(steps []string, o *table.Object) {
	if len(steps) == 0 {
		return
	}
	to, keep := &o.Labels, func(string) bool { return true }
	switch steps[0] {
	case "labels":
	case "annotations":
		to, keep = &o.Annotations, keepAnnotation
	default:
		return
	}
	switch {
	case len(steps) == 1:
		*to = append(*to, d.pairs(keep)...)
	case len(steps) == 2 && keep(steps[1]):
		*to = append(*to, table.Pair{Key: d.own([]byte(steps[1])), Value: d.scalar()})
	}
}

// isIndex reports whether a step of a JSON pointer is one into an array.
func isIndex(step string) bool {
	_, err := strconv.ParseUint(step, 10, 31)
	return err == nil || step == "-"
}

// unescapePointer resolves the escapes of a JSON pointer (RFC 6901).
var unescapePointer = strings.NewReplacer("~1", "/", "~0", "~")
