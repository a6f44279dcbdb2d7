// Package wrapper opens what container runtimes, shippers and clouds put around
// the records of a log: a prefix on each line, or an envelope in JSON.
//
// A wrapper is told by its structure, never by a file's name, and is opened one
// layer at a time; MaxLayers is how many are opened.
package wrapper

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/knforensics/knforensics/ingest/controllerlog"
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
	// Cluster is the name of the cluster that the record is of, as far as the
	// wrapper tells.
	Cluster string
}

// Opener opens wrappers. It is not safe for concurrent use.
type Opener struct {
	// Cut tells that a batch among the wrappers opened last is cut, and that no
	// element of it shows that.
	Cut     bool
	scan    jsonscan.Scanner
	members map[string][]byte
	data    []byte
	partial bool // the members end where the text is cut or broken
	passed  bool // and what is under way there is among the elements
}

// prefix is a wrapper that stands before a record on its line.
type prefix struct {
	name string
	cut  func(line []byte) (rest []byte, ok bool)
}

// envelope is a wrapper in JSON. open returns nil if the members are not those
// of the wrapper.
type envelope struct {
	name  string
	open  func(o *Opener) []Inner
	batch bool // it can hold several records; those before a cut can be read
}

// prefixes and envelopes are all wrappers there are, the most telling first.
var (
	prefixes  = []prefix{{"kubectl-prefix", cutKubectl}, {"kubectl-prefix", cutStern}, {"node-prefix", cutNode}, {"", cutCSV}}
	envelopes []envelope
)

func init() {
	envelopes = []envelope{
		{"docker", docker, false}, {"vector", vector, false}, {"loki", loki, true}, {"elasticsearch", elasticsearch, true},
		{"eventhub", eventHub, true}, {"eventhub", aksRow, false}, {"cloudwatch", cloudWatch, true}, {"gcp-logentry", logEntry, false},
		{"otlp", otlp, true}, {"viaq", viaq, false}, {"", watchEvent, false}, {"fluent", fluent, false},
	}
}

// Open opens the outermost wrapper of a record; name is empty if it has none.
func (o *Opener) Open(data []byte) (name string, inner []Inner) {
	o.partial, o.passed = false, false
	data = bytes.TrimLeft(data, " \t")
	if len(data) == 0 {
		return "", nil
	}
	if parts := dockerParts(data); parts != nil {
		return "docker", whole(parts)
	}
	if data[0] != '{' {
		return openPrefix(data)
	}
	if !o.read(data) {
		return "", nil
	}
	for _, e := range envelopes {
		if o.partial && !e.batch {
			continue
		}
		if inner := e.open(o); inner != nil {
			return e.name, of(o.members, inner)
		}
	}
	return "", nil
}

func openPrefix(data []byte) (name string, inner []Inner) {
	if controllerlog.IsKlog(data) {
		return "", nil
	}
	if data[0] == '[' {
		if inner := pairs(data); inner != nil {
			return "fluent", inner
		}
	}
	if parts := criParts(data); parts != nil {
		return "cri", whole(parts)
	}
	for _, p := range prefixes {
		if rest, ok := p.cut(data); ok {
			return p.name, []Inner{{Data: rest}}
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
	o.Cut = false
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
			leaves = append(leaves, Leaf{Inner: Inner{Data: piece, Cluster: leaf.Cluster}, Wrappers: leaf.Wrappers})
		}
		return leaves
	}
	o.Cut = o.Cut || o.partial && !o.passed
	chain := append(slices.Clone(leaf.Wrappers), name)
	for _, in := range inner {
		in.Data, in.Cluster = slices.Clone(in.Data), cmp.Or(in.Cluster, leaf.Cluster)
		leaves = o.descend(leaves, Leaf{Inner: in, Wrappers: chain})
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
