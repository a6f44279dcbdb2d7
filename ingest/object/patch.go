package object

import (
	"strings"

	"github.com/knforensics/knforensics/ingest/table"
)

// The values of table.Object.Patch.
const (
	MergePatch = "merge" // JSON merge patch, strategic merge patch or apply: a partial object
	JSONPatch  = "json"  // RFC 6902: a list of operations
)

// Patch fills o from the body of a patch request. A JSON patch gives the
// fields that its add and replace operations set to scalars; of a partial
// object the parts it holds are taken as those of an object.
func (d *Decoder) Patch(data []byte, header Header, o *table.Object) error {
	d.scan.Reset(data)
	if d.scan.Peek() != '[' {
		o.Patch = MergePatch
		return d.Decode(data, header, o)
	}
	*o = table.Object{Location: o.Location, Origin: o.Origin, AuditID: o.AuditID, Patch: JSONPatch,
		Group: header.Group(), Version: header.Version(), Kind: header.Kind}
	s := &d.scan
	s.BeginArray()
	for s.Element() {
		var op, path, value string
		d.members(func(key string) *string {
			switch key {
			case "op":
				return &op
			case "path":
				return &path
			case "value":
				return &value
			}
			return nil
		})
		if (op == "add" || op == "replace") && value != "" {
			o.Fields = append(o.Fields, table.Pair{Key: pointerPath(path), Value: value})
		}
	}
	s.End()
	return s.Err()
}

var unescapePointer = strings.NewReplacer("~1", "/", "~0", "~")

// pointerPath turns a JSON pointer (RFC 6901) into the notation of
// table.Object.Fields.
func pointerPath(pointer string) string {
	var path []byte
	for i, step := range strings.Split(strings.TrimPrefix(pointer, "/"), "/") {
		name := unescapePointer.Replace(step)
		switch {
		case i == 0:
			path = append(path, name...)
		case name != "" && strings.Trim(name, "0123456789") == "":
			path = append(append(append(path, '['), name...), ']')
		default:
			path = appendStep(path, []byte(name))
		}
	}
	return string(path)
}
