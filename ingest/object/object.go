// Package object reads Kubernetes objects in JSON into rows: what every object
// has (identity, owners, labels, conditions) and, for the kinds of the
// Knative family, the scalars named in its selection. Bodies stay where they
// are.
package object

import (
	"errors"
	"hash/fnv"
	"strconv"
	"strings"
	"time"

	"github.com/knforensics/knforensics/ingest/jsonscan"
	"github.com/knforensics/knforensics/ingest/table"
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

// Decoder reads objects. It is not safe for concurrent use.
type Decoder struct {
	scan   jsonscan.Scanner
	path   []byte
	intern map[string]string
	parts  parts
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
			d.parts.metadata = s.Raw()
		case "spec":
			d.parts.spec = s.Raw()
		case "status":
			d.parts.status = s.Raw()
		case "data":
			d.parts.data = s.Raw()
		default:
			s.Skip()
		}
	}
	s.End()
	return s.Err()
}

// scalar reads a scalar as a string of its own.
func (d *Decoder) scalar() string {
	text, _ := d.scan.Scalar()
	return d.own(text)
}

// own returns a string with the content of text; equal short texts share one.
func (d *Decoder) own(text []byte) string {
	if len(text) > 64 {
		return string(text)
	}
	if s, ok := d.intern[string(text)]; ok {
		return s
	}
	if d.intern == nil || len(d.intern) > 1<<14 {
		d.intern = make(map[string]string)
	}
	s := string(text)
	d.intern[s] = s
	return s
}

// Decode fills o from an object, or from the part of one that a merge patch
// holds. Where the body does not tell its type, header does. o.Location,
// o.Origin, o.AuditID and o.Patch are left alone.
func (d *Decoder) Decode(data []byte, header Header, o *table.Object) error {
	*o = table.Object{Location: o.Location, Origin: o.Origin, AuditID: o.AuditID, Patch: o.Patch}
	if err := d.split(data); err != nil {
		return err
	}
	if d.parts.Kind == "" {
		d.parts.Header = header
	}
	if d.parts.Kind == "" {
		return ErrNoKind
	}
	o.Group, o.Version, o.Kind = d.parts.Group(), d.parts.Version(), d.parts.Kind
	tree := selection[o.Group+"/"+o.Kind]
	if err := d.metadata(o); err != nil {
		return err
	}
	if o.Kind == "ConfigMap" && !strings.HasPrefix(o.Name, "config-") {
		tree = nil // only Knative's own settings; other ConfigMaps may hold secrets
	}
	if d.parts.spec != nil {
		o.SpecDigest = digest(d.parts.spec)
	}
	d.walk("spec", d.parts.spec, tree, o)
	d.walk("data", d.parts.data, tree, o)
	if len(d.parts.status) > 0 && d.parts.status[0] == '{' {
		o.HasStatus = true
		d.status(o)
		d.walk("status", d.parts.status, tree, o)
	}
	return d.scan.Err()
}

func digest(data []byte) string {
	h := fnv.New64a()
	h.Write(data)
	return strconv.FormatUint(h.Sum64(), 16)
}

func (d *Decoder) metadata(o *table.Object) error {
	s := &d.scan
	s.Reset(d.parts.metadata)
	if !s.BeginObject() {
		return nil
	}
	for {
		key, ok := s.Member()
		if !ok {
			return s.Err()
		}
		switch string(key) {
		case "name":
			o.Name = d.scalar()
		case "namespace":
			o.Namespace = d.scalar()
		case "uid":
			o.UID = d.scalar()
		case "resourceVersion":
			o.ResourceVersion = d.scalar()
		case "generation":
			o.Generation = number(d.scalar())
		case "creationTimestamp":
			o.Created = instant(d.scalar())
		case "deletionTimestamp":
			o.Deleted = instant(d.scalar())
		case "labels":
			o.Labels = d.pairs(func(string) bool { return true })
		case "annotations":
			o.Annotations = d.pairs(keepAnnotation)
		case "ownerReferences":
			o.Owners = d.owners()
		default:
			s.Skip()
		}
	}
}

func (d *Decoder) pairs(keep func(string) bool) (list []table.Pair) {
	s := &d.scan
	if !s.BeginObject() {
		s.Skip()
		return nil
	}
	for {
		key, ok := s.Member()
		if !ok {
			return list
		}
		name := d.own(key)
		if !keep(name) {
			s.Skip()
			continue
		}
		list = append(list, table.Pair{Key: name, Value: d.scalar()})
	}
}

func (d *Decoder) owners() (list []table.Owner) {
	s := &d.scan
	if !s.BeginArray() {
		s.Skip()
		return nil
	}
	for s.Element() {
		var o table.Owner
		d.members(func(key string) *string {
			switch key {
			case "kind":
				return &o.Kind
			case "name":
				return &o.Name
			case "uid":
				return &o.UID
			case "controller":
				return &o.Controller
			}
			return nil
		})
		list = append(list, o)
	}
	return list
}

// members reads an object and puts its scalars where at tells, nil for those
// to be skipped.
func (d *Decoder) members(at func(key string) *string) {
	s := &d.scan
	if !s.BeginObject() {
		s.Skip()
		return
	}
	for {
		key, ok := s.Member()
		if !ok {
			return
		}
		if to := at(d.own(key)); to != nil {
			*to = d.scalar()
		} else {
			s.Skip()
		}
	}
}

func (d *Decoder) status(o *table.Object) {
	s := &d.scan
	s.Reset(d.parts.status)
	if !s.BeginObject() {
		return
	}
	for {
		key, ok := s.Member()
		if !ok {
			return
		}
		switch string(key) {
		case "observedGeneration":
			o.Observed = number(d.scalar())
		case "conditions":
			o.Conditions = d.conditions()
		default:
			s.Skip()
		}
	}
}

func (d *Decoder) conditions() (list []table.Condition) {
	s := &d.scan
	if !s.BeginArray() {
		s.Skip()
		return nil
	}
	for s.Element() {
		var c table.Condition
		d.members(func(key string) *string {
			switch key {
			case "type":
				return &c.Type
			case "status":
				return &c.Status
			case "reason":
				return &c.Reason
			case "message":
				return &c.Message
			case "severity":
				return &c.Severity
			case "lastTransitionTime":
				return &c.Transition
			}
			return nil
		})
		list = append(list, c)
	}
	return list
}

// walk keeps the selected scalars of one top-level member.
func (d *Decoder) walk(name string, raw []byte, tree *node, o *table.Object) {
	at := tree.member(name)
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
	case at.keep:
		if value, ok := s.Scalar(); ok {
			o.Fields = append(o.Fields, table.Pair{Key: d.own(d.path), Value: d.own(value)})
		}
	case at.element != nil && s.BeginArray():
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
			next := at.member(string(key))
			if next == nil || string(key) == "_example" {
				s.Skip()
				continue
			}
			d.path = appendStep(d.path, key)
			d.descend(next, o)
			d.path = d.path[:base]
		}
	default:
		s.Skip()
	}
}

// appendStep writes a member name as a step of a path: .name, or [name] where
// the name holds a dot or a slash.
func appendStep(path, key []byte) []byte {
	if strings.ContainsAny(string(key), "./") {
		path = append(path, '[')
		path = append(path, key...)
		return append(path, ']')
	}
	path = append(path, '.')
	return append(path, key...)
}

func number(text string) int64 {
	n, _ := strconv.ParseInt(text, 10, 64)
	return n
}

// instant reads an RFC 3339 time, with any number of digits in its fraction.
// Year 1, which Go writes for no time, is no time.
func instant(text string) time.Time {
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil || t.Year() <= 1 {
		return time.Time{}
	}
	return t.UTC()
}
