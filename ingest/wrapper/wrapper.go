// Package wrapper opens what container runtimes, shippers and clouds put around
// the records of a log: a prefix on each line, or an envelope in JSON.
//
// A wrapper is told by its structure, never by a file's name, and is opened one
// layer at a time; MaxLayers is how many are opened.
package wrapper

import (
	"bytes"
	"slices"

	"github.com/knforensics/knforensics/ingest/jsonscan"
)

// MaxLayers is how many wrappers around one record are opened: container
// runtime, shipper, cloud, and one to spare.
const MaxLayers = 4

// Inner is a record that was found in a wrapper.
type Inner struct {
	Data []byte // as it was written
	// Audit is the record in the terms of audit.k8s.io/v1, where Data is an
	// audit event in the terms of a cloud.
	Audit []byte
}

// Opener opens wrappers. It is not safe for concurrent use.
type Opener struct {
	scan    jsonscan.Scanner
	members map[string][]byte
	data    []byte
}

// prefix is a wrapper that stands before a record on its line.
type prefix struct {
	name string
	cut  func(line []byte) (rest []byte, ok bool)
}

// envelope is a wrapper in JSON. open returns nil if the members are not those
// of the wrapper.
type envelope struct {
	name string
	open func(o *Opener) []Inner
}

// prefixes and envelopes are all wrappers there are, the most telling first.
var (
	prefixes  = []prefix{{"cri", cutCRI}, {"kubectl-prefix", cutKubectl}, {"kubectl-prefix", cutStern}, {"node-prefix", cutNode}, {"", cutCSV}}
	envelopes []envelope
)

func init() {
	envelopes = []envelope{
		{"docker", docker}, {"vector", vector}, {"loki", loki}, {"elasticsearch", elasticsearch},
		{"eventhub", eventHub}, {"eventhub", aksRow}, {"cloudwatch", cloudWatch}, {"gcp-logentry", logEntry},
		{"otlp", otlp}, {"viaq", viaq}, {"", watchEvent}, {"fluent", fluent},
	}
}

// Open opens the outermost wrapper of a record; name is empty if it has none.
func (o *Opener) Open(data []byte) (name string, inner []Inner) {
	data = bytes.TrimLeft(data, " \t")
	if len(data) == 0 {
		return "", nil
	}
	if text := joinDocker(data); text != nil {
		return "docker", []Inner{{Data: text}}
	}
	if data[0] == '[' {
		if inner := pairs(data); inner != nil {
			return "fluent", inner
		}
	}
	if data[0] != '{' {
		for _, p := range prefixes {
			if rest, ok := p.cut(data); ok {
				return p.name, []Inner{{Data: rest}}
			}
		}
		return "", nil
	}
	if !o.read(data) {
		return "", nil
	}
	for _, e := range envelopes {
		if inner := e.open(o); inner != nil {
			return e.name, inner
		}
	}
	return "", nil
}

// Leaf is a record without its wrappers.
type Leaf struct {
	Inner
	Wrappers []string // outermost first
}

// Leaves opens all wrappers around a record. It returns nil if there are none.
func (o *Opener) Leaves(data []byte) []Leaf {
	return o.descend(nil, Leaf{Inner: Inner{Data: data}})
}

func (o *Opener) descend(leaves []Leaf, leaf Leaf) []Leaf {
	if leaf.Audit != nil {
		return append(leaves, leaf)
	}
	var name string
	var inner []Inner
	if len(leaf.Wrappers) < MaxLayers {
		name, inner = o.Open(leaf.Data)
	}
	if inner == nil {
		if leaf.Wrappers == nil {
			return leaves
		}
		for _, piece := range o.pieces(leaf.Data) {
			leaves = append(leaves, Leaf{Inner: Inner{Data: piece}, Wrappers: leaf.Wrappers})
		}
		return leaves
	}
	chain := append(slices.Clone(leaf.Wrappers), name)
	for _, in := range inner {
		leaves = o.descend(leaves, Leaf{Inner: Inner{Data: slices.Clone(in.Data), Audit: in.Audit}, Wrappers: chain})
	}
	return leaves
}

// pieces takes apart what holds several records: a list, or objects without
// breaks between them.
func (o *Opener) pieces(data []byte) [][]byte {
	list, rest := jsonscan.Values(data)
	switch {
	case len(list) == 0:
		return [][]byte{data}
	case len(rest) > 0:
		return append(list, rest)
	case len(list) > 1 || !bytes.Contains(data, []byte(`"items"`)) || !o.read(list[0]):
		return list
	}
	if kind, _ := o.text("kind"); !bytes.HasSuffix(kind, []byte("List")) {
		return list
	}
	if items := elements(o.members["items"]); items != nil {
		return items
	}
	return list
}

// Suspect reports whether the message of a log line looks like a record that
// someone wrapped.
func Suspect(message string) bool { return len(message) > 1 && message[0] == '{' && message[1] == '"' }

// maxMembers bounds the members of an envelope; none has so many.
const maxMembers = 256

// read takes the members of an object apart.
func (o *Opener) read(data []byte) bool {
	if o.members == nil {
		o.members = map[string][]byte{}
	}
	clear(o.members)
	o.data = data
	s := &o.scan
	s.Reset(data)
	if !s.BeginObject() {
		return false
	}
	for {
		key, ok := s.Member()
		if !ok {
			return s.End()
		}
		name := string(key)
		o.members[name] = s.Raw()
		if len(o.members) > maxMembers {
			return false
		}
	}
}

// has reports whether the object has all of some members.
func (o *Opener) has(names ...string) bool {
	for _, name := range names {
		if _, ok := o.members[name]; !ok {
			return false
		}
	}
	return true
}

// text returns the content of a string member; ok is false if it is none.
func (o *Opener) text(name string) (text []byte, ok bool) { return content(o.members[name]) }

// content returns the content of a JSON string, without line ends at its end.
func content(raw []byte) (text []byte, ok bool) {
	if len(raw) == 0 || raw[0] != '"' {
		return nil, false
	}
	var s jsonscan.Scanner
	s.Reset(raw)
	text = bytes.TrimRight(s.Text(), "\r\n")
	return text, s.Err() == nil && len(bytes.TrimSpace(text)) > 0
}

// record returns a value as a record: the content of a string, or an object as
// it is.
func record(raw []byte) []Inner {
	if text, ok := content(raw); ok {
		return []Inner{{Data: text}}
	}
	if len(raw) > 0 && raw[0] == '{' {
		return []Inner{{Data: raw}}
	}
	return nil
}

// recordOr returns what was found in an element of a batch, or the element itself,
// so that what is not understood is counted.
func recordOr(found []Inner, element []byte) []Inner {
	if found == nil {
		return []Inner{{Data: element}}
	}
	return found
}

// object returns the members of an object, nil if raw is none.
func object(raw []byte) map[string][]byte {
	var o Opener
	if len(raw) == 0 || raw[0] != '{' || !o.read(raw) {
		return nil
	}
	return o.members
}

// elements returns the elements of an array, nil if raw is none.
func elements(raw []byte) (list [][]byte) {
	var s jsonscan.Scanner
	s.Reset(raw)
	if !s.BeginArray() {
		return nil
	}
	for s.Element() {
		list = append(list, s.Raw())
	}
	if s.Err() != nil {
		return nil
	}
	return list
}

// isRecord reports whether a text looks like a record of its own rather than a
// message for people: an object in JSON, or a line that some wrapper holds.
func isRecord(text []byte) bool {
	text = bytes.TrimLeft(text, " \t")
	return len(text) > 1 && text[0] == '{' && (text[1] == '"' || text[1] == ' ' || text[1] == '\n')
}
