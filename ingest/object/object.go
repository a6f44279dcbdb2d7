// Package object reads Kubernetes objects in JSON into rows: what every object
// has (identity, owners, labels, conditions) and, for the kinds of the
// Knative family, the scalars named in its selection. Bodies stay where they
// are.
package object

import (
	"cmp"
	"errors"
	"hash/fnv"
	"strconv"
	"strings"
	"time"

	"github.com/zeebo/xxh3"

	"github.com/knforensics/knforensics/ingest/jsonscan"
	"github.com/knforensics/knforensics/ingest/table"
	"github.com/knforensics/knforensics/ingest/timestamp"
)

// ErrNoKind says that a JSON object is no Kubernetes object.
var ErrNoKind = errors.New("no apiVersion and kind: not a Kubernetes object")

// Header is what an object says of its type.
type Header struct{ APIVersion, Kind string }

// Group returns the API group, "" for the core group.
func (h Header) Group() string {
	if group, _, ok := strings.Cut(h.APIVersion, "/"); ok {
		return group
	}
	return ""
}

// Version returns the version within the group.
func (h Header) Version() string {
	if _, version, ok := strings.Cut(h.APIVersion, "/"); ok {
		return version
	}
	return h.APIVersion
}

// IsEvent reports whether the object is a Kubernetes Event.
func (h Header) IsEvent() bool {
	return h.Kind == "Event" && (h.APIVersion == "v1" || h.Group() == "events.k8s.io")
}

// IsList reports whether the object is a list of objects.
func (h Header) IsList() bool { return strings.HasSuffix(h.Kind, "List") }

// Decoder reads objects. The strings it reads share memory with the text. It looks
// into what it takes something of, and does not check the rest. It is not safe for
// concurrent use.
type Decoder struct {
	scan  jsonscan.Scanner
	path  []byte
	paths map[string]string // those met, by themselves
	parts parts
	specs map[uint64]string // digests, by hash

	pairLists, fieldLists slab[table.Pair]
	conditionLists        slab[table.Condition]
	ownerLists            slab[table.Owner]
}

// parts are the top-level members of an object, as written.
type parts struct {
	Header
	metadata, spec, status, data []byte
}

// Header reads the type of an object, and fails where it has none.
func (d *Decoder) Header(data []byte) (Header, error) {
	if err := d.split(data); err != nil {
		return Header{}, err
	}
	if d.parts.APIVersion == "" || d.parts.Kind == "" {
		return Header{}, ErrNoKind
	}
	return d.parts.Header, nil
}

func (d *Decoder) split(data []byte) error {
	d.parts = parts{}
	s := &d.scan
	s.Reset(data)
	if !s.BeginObject() {
		if s.Skip(); s.Err() != nil {
			return s.Err()
		}
		return ErrNoKind
	}
	for {
		key, ok := s.Member()
		if !ok {
			break
		}
		switch string(key) {
		case "apiVersion":
			d.parts.APIVersion = d.scalar()
		case "kind":
			d.parts.Kind = d.scalar()
		case "metadata":
			d.parts.metadata = s.Passed()
		case "spec":
			d.parts.spec = s.Passed()
		case "status":
			d.parts.status = s.Passed()
		case "data":
			d.parts.data = s.Passed()
		default:
			s.Pass()
		}
	}
	s.End()
	return s.Err()
}

// scalar reads a scalar as a string.
func (d *Decoder) scalar() string {
	if text, ok := d.scan.Plain(); ok {
		return text
	}
	text, _ := d.scan.Scalar()
	return d.scan.Share(text)
}

// pathSoFar returns the path as a string of its own; equal paths share one.
func (d *Decoder) pathSoFar() string {
	if s, ok := d.paths[string(d.path)]; ok {
		return s
	}
	const most = 1 << 12
	if d.paths == nil || len(d.paths) >= most {
		d.paths = make(map[string]string)
	}
	s := string(d.path)
	d.paths[s] = s
	return s
}

// Decode fills o from an object. Where the body does not tell its type, header
// does. o.Location, o.Origin, o.AuditID and o.Patch are left alone.
func (d *Decoder) Decode(data []byte, header Header, o *table.Object) error {
	if err := d.split(data); err != nil {
		return err
	}
	return d.object(header, "", o)
}

// Object is Decode of the object whose Header was read last.
func (d *Decoder) Object(header Header, o *table.Object) error { return d.object(header, "", o) }

// object decodes the object that was split last. It is called name, which its body
// need not say.
func (d *Decoder) object(header Header, name string, o *table.Object) error {
	*o = table.Object{Location: o.Location, Origin: o.Origin, AuditID: o.AuditID, Patch: o.Patch}
	switch {
	case d.parts.Kind == "":
		d.parts.Header = header
	case d.parts.APIVersion == "" && d.parts.Kind == header.Kind:
		d.parts.APIVersion = header.APIVersion
	}
	if d.parts.Kind == "" {
		return ErrNoKind
	}
	o.Group, o.Version, o.Kind = d.parts.Group(), d.parts.Version(), d.parts.Kind
	if err := d.metadata(o); err != nil {
		return err
	}
	tree := treeOf(o.Group, o.Kind, cmp.Or(o.Name, name))
	if d.parts.spec != nil {
		o.SpecDigest = d.digest(d.parts.spec)
	}
	o.Fields = d.fieldLists.begin()
	d.walk("spec", d.parts.spec, tree, o)
	d.walk("data", d.parts.data, tree, o)
	if len(d.parts.status) > 0 && d.parts.status[0] == '{' {
		o.HasStatus = true
		d.status(tree, o)
	}
	o.Fields = d.fieldLists.end(o.Fields)
	return d.scan.Err()
}

// digest returns the FNV-1a hash of a text in hex. Specs repeat: another hash,
// which is faster, tells those that were seen.
func (d *Decoder) digest(data []byte) string {
	key := xxh3.Hash(data)
	if text, ok := d.specs[key]; ok {
		return text
	}
	const most = 1 << 12
	if d.specs == nil || len(d.specs) >= most {
		d.specs = make(map[uint64]string)
	}
	h := fnv.New64a()
	h.Write(data)
	text := strconv.FormatUint(h.Sum64(), 16)
	d.specs[key] = text
	return text
}

func number(text string) int64 {
	n, _ := strconv.ParseInt(text, 10, 64)
	return n
}

// instant reads an RFC 3339 time, with any number of digits in its fraction.
// Year 1, which Go writes for no time, is no time.
func instant(text string) time.Time {
	t, ok := timestamp.Parse([]byte(text))
	if !ok || t.Year() <= 1 {
		return time.Time{}
	}
	return t
}
