package timeline

import (
	"encoding/binary"
	"hash/maphash"
	"slices"
	"strings"
	"time"

	"github.com/knforensics/knforensics/ingest/table"
)

// copies has one copy of what records repeat: words, and the labels, conditions and
// fields that most writes of an object leave as they were. What it returns refers to
// no memory of a batch, is shared, and must not be changed.
type copies struct {
	words      map[string]string
	terms      map[said]*Terms
	pairs      map[digest]Pairs
	owners     map[digest][]Owner
	conditions map[digest][]Condition
	hash       hasher
	last       string // file
}

func newCopies() copies {
	return copies{words: map[string]string{}, terms: map[said]*Terms{}, pairs: map[digest]Pairs{}, owners: map[digest][]Owner{}, conditions: map[digest][]Condition{}}
}

// digest stands for some texts: those of equal digests are equal. It differs from
// run to run, so that nobody can make logs in which that is not so.
type digest [2]uint64

var seeds = [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}

// hasher makes digests. Its zero value is ready for use.
type hasher struct{ texts []byte }

func (h *hasher) add(text string) {
	h.texts = append(binary.AppendUvarint(h.texts, uint64(len(text))), text...)
}

func (h *hasher) addNumber(n int64) { h.texts = binary.LittleEndian.AppendUint64(h.texts, uint64(n)) }

// sum returns the digest of what was added, and begins anew.
func (h *hasher) sum() digest {
	d := digest{maphash.Bytes(seeds[0], h.texts), maphash.Bytes(seeds[1], h.texts)}
	h.texts = h.texts[:0]
	return d
}

// file returns a copy of the name of a file, which is mostly that of the row before.
func (c *copies) file(name string) string {
	if name != c.last {
		c.last = c.keep(name)
	}
	return c.last
}

// keep returns a copy of a word.
func (c *copies) keep(s string) string {
	if s == "" {
		return ""
	}
	kept, ok := c.words[s]
	if !ok {
		kept = strings.Clone(s)
		c.words[kept] = kept
	}
	return kept
}

// once returns what is kept under the digest of what was added to c.hash, and makes
// it the first time.
func once[T any](c *copies, kept map[digest]T, make func() T) T {
	key := c.hash.sum()
	v, ok := kept[key]
	if !ok {
		v = make()
		kept[key] = v
	}
	return v
}

// pairsOf returns a copy of labels, annotations or fields, nil if there are none.
func (c *copies) pairsOf(list []table.Pair) Pairs {
	if len(list) == 0 {
		return nil
	}
	for _, p := range list {
		c.hash.add(p.Key)
		c.hash.add(p.Value)
	}
	return once(c, c.pairs, func() Pairs {
		copied := make([]table.Pair, len(list))
		for i, p := range list {
			copied[i] = table.Pair{Key: c.keep(p.Key), Value: c.keep(p.Value)}
		}
		return PairsOf(copied...)
	})
}

func (c *copies) ownersOf(list []table.Owner) []Owner {
	if len(list) == 0 {
		return nil
	}
	for _, o := range list {
		c.hash.add(o.Kind)
		c.hash.add(o.Name)
		c.hash.add(o.UID)
		c.hash.add(o.Controller)
	}
	return once(c, c.owners, func() (owners []Owner) {
		for _, o := range list {
			owners = append(owners, Owner{c.keep(o.Kind), c.keep(o.Name), c.keep(o.UID), o.Controller == "true"})
		}
		return slices.Clip(owners)
	})
}

func (c *copies) conditionsOf(list []table.Condition) []Condition {
	if len(list) == 0 {
		return nil
	}
	for i := range list {
		for _, text := range []string{list[i].Type, list[i].Status, list[i].Reason, list[i].Message, list[i].Transition} {
			c.hash.add(text)
		}
	}
	return once(c, c.conditions, func() []Condition {
		conditions := make([]Condition, len(list))
		for i, of := range list {
			conditions[i] = Condition{c.keep(of.Type), c.keep(of.Status), c.keep(of.Reason), c.keep(of.Message), transition(of.Transition)}
		}
		return conditions
	})
}

func transition(text string) time.Time {
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return time.Time{}
	}
	return t.UTC()
}

// said is what a stage of a request tells that many others tell as well.
type said struct {
	verb, subresource, level, stage string
	user, as, userAgent, pod        string
	reason, message                 string
	code                            int64
}

// termsOf returns a copy of what a stage has in common with others.
func (c *copies) termsOf(row *table.AuditEvent) *Terms {
	key := said{row.Verb, row.Subresource, row.Level, row.Stage, row.User, row.ImpersonatedUser, row.UserAgent, row.Pod, row.Reason, row.Message, row.Code}
	if t := c.terms[key]; t != nil {
		return t
	}
	for _, s := range []*string{&key.verb, &key.subresource, &key.level, &key.stage, &key.user, &key.as, &key.userAgent, &key.pod, &key.reason, &key.message} {
		*s = c.keep(*s)
	}
	t := &Terms{Verb: key.verb, Subresource: key.subresource, Level: key.level, Stage: key.stage, Code: int(key.code), Reason: key.reason, Message: key.message,
		Actor: Actor{Component: c.keep(Component(key.user, key.userAgent)), User: key.user, UserAgent: key.userAgent, Pod: key.pod}}
	if key.as != "" {
		t.Actor.User = c.keep(key.user + " as " + key.as)
	}
	c.terms[key] = t
	return t
}
