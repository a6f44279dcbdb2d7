package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/knforensics/knforensics/ingest"
	"github.com/knforensics/knforensics/ingest/table"
	"github.com/knforensics/knforensics/render"
)

// diffs fills in the difference of each audit record to the state before it:
// that of the last earlier answer about the same object.
func (o *options) diffs(ctx context.Context, found []render.Record, paths []string, opts ingest.Options) error {
	before := make([]*render.Record, len(found))
	targets := make([]target, len(found))
	for i := range found {
		targets[i] = targetOf(found[i].Raw)
	}
	_, err := o.read(ctx, paths, opts, func(b *table.Batch) error {
		b.EachAuditEvent(func(row *table.AuditEvent) {
			for i, t := range targets {
				if t.precedes(row, &found[i]) && (before[i] == nil || row.StageTime.After(before[i].Time)) {
					l := row.Location
					l.File = strings.Clone(l.File)
					before[i] = &render.Record{Location: l, Time: row.StageTime, AuditID: strings.Clone(row.AuditID)}
				}
			}
		})
		return nil
	})
	if err != nil {
		return err
	}
	for i := range found {
		if err := o.diffOne(&found[i], before[i], paths); err != nil {
			return err
		}
	}
	return nil
}

func (o *options) diffOne(r, before *render.Record, paths []string) error {
	if before != nil {
		list := []render.Record{*before}
		if err := o.fetch(list, paths); err != nil {
			return err
		}
		before = &list[0]
	}
	compare(r, before, "")
	return nil
}

// compare fills in the difference of a record to the one before it, which is nil if
// there is none, or what is said instead if it is elsewhere.
func compare(r, before *render.Record, elsewhere string) {
	state, ok := stateOf(r.Raw)
	switch code := codeOf(r.Raw); {
	case r.Format != "audit":
	case code >= 400 && code < 500:
		r.DiffTo = fmt.Sprintf("refused with %d: it changed nothing", code)
	case !ok:
		r.DiffTo = "the record shows no state of an object"
	case elsewhere != "":
		r.DiffTo = elsewhere
	case before == nil:
		r.DiffTo = "no earlier state of the object is in the inputs"
		r.Diff = lineDiff(nil, state)
	default:
		old, _ := stateOf(before.Raw)
		r.DiffTo = fmt.Sprintf("difference to %s:%d  %s", before.File, before.Line, before.AuditID)
		r.Diff = lineDiff(old, state)
	}
}

// target is the object that a record is about.
type target struct{ group, resource, namespace, name string }

func targetOf(raw []byte) target {
	var ev struct {
		ObjectRef struct {
			APIGroup, Resource, Namespace, Name string
		} `json:"objectRef"`
	}
	_ = json.Unmarshal(raw, &ev) // what is no audit event has no target
	return target{ev.ObjectRef.APIGroup, ev.ObjectRef.Resource, ev.ObjectRef.Namespace, ev.ObjectRef.Name}
}

// codeOf returns the code a request was answered with, 0 if the record tells
// none.
func codeOf(raw []byte) int {
	var ev struct {
		ResponseStatus struct{ Code int } `json:"responseStatus"`
	}
	_ = json.Unmarshal(raw, &ev)
	return ev.ResponseStatus.Code
}

// precedes reports whether an event shows the object of a record before it.
func (t target) precedes(row *table.AuditEvent, r *render.Record) bool {
	return t.name != "" && row.Name == t.name && row.Namespace == t.namespace && row.Resource == t.resource && row.Group == t.group &&
		row.ResponseLength > 0 && row.Code/100 == 2 && row.StageTime.Before(r.Time)
}

// stateOf returns the object in an audit record, as indented lines without
// managedFields, which repeat what the rest says.
func stateOf(raw []byte) ([]string, bool) {
	var ev struct{ ResponseObject, RequestObject json.RawMessage }
	if json.Unmarshal(raw, &ev) != nil {
		return nil, false
	}
	body := ev.ResponseObject
	if len(body) == 0 {
		body = ev.RequestObject
	}
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	var object map[string]any
	if d.Decode(&object) != nil {
		return nil, false
	}
	if meta, ok := object["metadata"].(map[string]any); ok {
		delete(meta, "managedFields")
	}
	text, err := json.MarshalIndent(object, "", "  ")
	if err != nil {
		return nil, false
	}
	return strings.Split(string(text), "\n"), true
}

// lineDiff lists what was removed and added, with two lines around it.
func lineDiff(old, now []string) (diff []string) {
	const around = 2
	ops := editScript(old, now)
	near := make([]bool, len(ops))
	for i, op := range ops {
		if op[0] == ' ' {
			continue
		}
		for j := max(0, i-around); j <= min(len(ops)-1, i+around); j++ {
			near[j] = true
		}
	}
	for i, op := range ops {
		switch {
		case near[i]:
			diff = append(diff, op)
		case i > 0 && near[i-1]:
			diff = append(diff, "  …")
		}
	}
	return diff
}

// editScript finds the lines that two texts share in order, from the longest
// common subsequence of what differs between their common start and end.
func editScript(old, now []string) (ops []string) {
	start := 0
	for start < len(old) && start < len(now) && old[start] == now[start] {
		ops = append(ops, "  "+old[start])
		start++
	}
	end := 0
	for end < len(old)-start && end < len(now)-start && old[len(old)-1-end] == now[len(now)-1-end] {
		end++
	}
	a, b := old[start:len(old)-end], now[start:len(now)-end]
	if len(a)*len(b) > 4_000_000 { // too large to compare line by line
		for _, l := range a {
			ops = append(ops, "- "+l)
		}
		for _, l := range b {
			ops = append(ops, "+ "+l)
		}
	} else {
		ops = append(ops, common(a, b)...)
	}
	for _, l := range old[len(old)-end:] {
		ops = append(ops, "  "+l)
	}
	return ops
}

func common(a, b []string) (ops []string) {
	length := make([][]int32, len(a)+1)
	for i := range length {
		length[i] = make([]int32, len(b)+1)
	}
	for i := range slices.Backward(a) {
		for j := range slices.Backward(b) {
			if a[i] == b[j] {
				length[i][j] = length[i+1][j+1] + 1
			} else {
				length[i][j] = max(length[i+1][j], length[i][j+1])
			}
		}
	}
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			ops = append(ops, "  "+a[i])
			i, j = i+1, j+1
		case i < len(a) && (j == len(b) || length[i+1][j] >= length[i][j+1]):
			ops = append(ops, "- "+a[i])
			i++
		default:
			ops = append(ops, "+ "+b[j])
			j++
		}
	}
	return ops
}
