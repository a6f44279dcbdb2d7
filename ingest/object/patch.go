package object

import (
	"slices"
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
// partial object the parts it holds are taken as those of an object, and what is
// null as removed; a JSON patch gives the same parts as far as its operations
// set or remove them.
func (d *Decoder) Patch(data []byte, header Header, name string, o *table.Object) error {
	d.scan.Reset(data)
	if d.scan.Peek() != '[' {
		o.Patch = MergePatch
		if err := d.split(data); err != nil {
			return err
		}
		return d.object(header, name, o)
	}
	*o = table.Object{Location: o.Location, Origin: o.Origin, AuditID: o.AuditID, Patch: JSONPatch,
		Group: header.Group(), Version: header.Version(), Kind: header.Kind}
	ops, err := d.operations()
	if err != nil {
		return err
	}
	tree := treeOf(o.Group, o.Kind, name)
	for _, op := range ops {
		d.apply(op, tree, o)
	}
	return d.scan.Err()
}

// operation is one of a JSON patch.
type operation struct {
	name, path, from string
	value            []byte
}

func (d *Decoder) operations() (ops []operation, err error) {
	s := &d.scan
	s.BeginArray()
	for s.Element() {
		if !s.BeginObject() {
			s.Pass()
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
			case "from":
				op.from = d.scalar()
			case "value":
				op.value = s.Passed()
			default:
				s.Pass()
			}
		}
		ops = append(ops, op)
	}
	s.End()
	return ops, s.Err()
}

// apply takes over what an operation does.
func (d *Decoder) apply(op operation, tree *node, o *table.Object) {
	switch op.name {
	case "add", "replace":
		if op.value != nil {
			d.set(op, tree, o)
		}
	case "remove":
		d.unset(op.path, tree, o)
	case "move":
		d.unset(op.from, tree, o)
		d.forget(op.path, tree, o)
	case "copy":
		d.forget(op.path, tree, o)
	}
}

// forget takes over that what is at a path now is not known.
func (d *Decoder) forget(path string, tree *node, o *table.Object) {
	steps := pointer(path)
	if len(steps) == 3 && steps[0] == "metadata" {
		d.path = append(append(append(append(d.path[:0], "metadata."...), steps[1]...), '['), steps[2]...)
		d.path = append(d.path, ']')
		d.remove(o)
		return
	}
	d.unset(path, tree, o)
}

// forgetAll takes over that nothing of before is known to be left.
func (d *Decoder) forgetAll(o *table.Object) {
	for _, path := range []string{"spec", "status", "data"} {
		d.path = append(d.path[:0], path...)
		d.remove(o)
	}
	d.setMetadata(nil, o)
}

// set takes over what an operation sets.
func (d *Decoder) set(op operation, tree *node, o *table.Object) {
	steps := pointer(op.path)
	if len(steps) == 0 {
		if op.path == "" {
			d.forgetAll(o)
		}
		return
	}
	if steps[0] == "metadata" {
		d.scan.Reset(op.value)
		d.setMetadata(steps[1:], o)
		return
	}
	if op.name == "add" && isIndex(steps[len(steps)-1]) && d.find(tree, steps[:len(steps)-1]) != nil {
		d.remove(o) // what follows in the list has moved
		return
	}
	at := d.find(tree, steps)
	if at == nil {
		return
	}
	if !at.keep {
		d.remove(o)
	}
	d.scan.Reset(op.value)
	d.descend(at, o)
}

// unset takes over that what is at a path is removed.
func (d *Decoder) unset(path string, tree *node, o *table.Object) {
	steps := pointer(path)
	switch {
	case len(steps) == 0:
	case steps[0] == "metadata":
		d.scan.Reset([]byte(`""`))
		d.setMetadata(steps[1:], o)
	default:
		if isIndex(steps[len(steps)-1]) {
			steps = steps[:len(steps)-1] // what follows in the list has moved
		}
		if d.find(tree, steps) != nil {
			d.remove(o)
		}
	}
}

// pointer returns the steps of a JSON pointer, nil if it is none, or is that to
// the whole.
func pointer(path string) []string {
	path, ok := strings.CutPrefix(path, "/")
	if !ok {
		return nil
	}
	steps := strings.Split(path, "/")
	for i, step := range steps {
		steps[i] = unescapePointer.Replace(step)
	}
	return steps
}

// find goes down the tree, and has the path be the way. It returns nil where
// nothing is kept.
func (d *Decoder) find(tree *node, steps []string) *node {
	if len(steps) == 0 {
		return nil
	}
	at, _ := tree.member(steps[0])
	d.path = append(d.path[:0], steps[0]...)
	for _, step := range steps[1:] {
		switch {
		case at == nil || step == "_example":
			return nil
		case at.element != nil && isIndex(step):
			at = at.element
			d.path = append(append(append(d.path, '['), step...), ']')
		default:
			at, _ = at.member(step)
			d.path = appendStep(d.path, []byte(step))
		}
	}
	return at
}

// remove notes that nothing of before is left at the path, nor what the patch
// itself set there.
func (d *Decoder) remove(o *table.Object) {
	path := table.Path{Path: d.pathSoFar()}
	o.Fields = slices.DeleteFunc(o.Fields, func(f table.Pair) bool { return path.Holds(f.Key) })
	if !slices.Contains(o.Removed, path) {
		o.Removed = append(o.Removed, path)
	}
}

// isMergedByKey reports whether lists in a partial object can be merged with
// what was there element by element, as a strategic merge patch does: such
// patches are for the kinds that are built in. Where an element ends up cannot
// be told.
func isMergedByKey(o *table.Object) bool {
	group, domain, _ := strings.Cut(o.Group, ".")
	return domain == "" || group != "" && domain == "k8s.io"
}

// setMetadata sets what is at the end of some steps below metadata: all labels or
// annotations, or one of them.
func (d *Decoder) setMetadata(steps []string, o *table.Object) {
	if len(steps) == 0 {
		d.removeMetadata("labels", o)
		d.removeMetadata("annotations", o)
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
		d.removeMetadata(steps[0], o)
		*to = d.pairs(keep)
	case len(steps) == 2 && keep(steps[1]):
		*to = append(*to, table.Pair{Key: steps[1], Value: d.scalar()})
	}
}

// removeMetadata notes that no label, or no annotation, of before is left, nor what
// the patch itself set.
func (d *Decoder) removeMetadata(name string, o *table.Object) {
	if name == "labels" {
		o.Labels = nil
	} else {
		o.Annotations = nil
	}
	d.path = append(append(d.path[:0], "metadata."...), name...)
	d.remove(o)
}

// isIndex reports whether a step of a JSON pointer is one into an array.
func isIndex(step string) bool {
	_, err := strconv.ParseUint(step, 10, 31)
	return err == nil || step == "-"
}

// unescapePointer resolves the escapes of a JSON pointer (RFC 6901).
var unescapePointer = strings.NewReplacer("~1", "/", "~0", "~")
