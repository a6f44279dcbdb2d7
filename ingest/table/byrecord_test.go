package table

import (
	"errors"
	"fmt"
	"slices"
	"testing"
)

// TestByRecord holds that the rows of each record are found, wherever they begin.
func TestByRecord(t *testing.T) {
	at := func(offset, part int64) Location { return Location{File: "f", Offset: offset, Part: part} }
	b := NewBuilder()
	b.Object(&Object{Location: at(0, 0), Name: "a"})
	b.Object(&Object{Location: at(0, 0), Name: "b"})
	b.AuditEvent(&AuditEvent{Location: at(0, 0), Verb: "update"})
	b.Record(&Record{Location: at(0, 0)})
	b.Log(&ControllerLog{Location: at(9, 1), Message: "one"})
	b.Record(&Record{Location: at(9, 1)})
	b.Record(&Record{Location: at(9, 2)})
	b.AuditEvent(&AuditEvent{Location: at(9, 3), Verb: "delete"})
	b.KubeEvent(&KubeEvent{Location: at(9, 3), Reason: "Why"})
	b.Record(&Record{Location: at(9, 3)})
	batch := b.Batch()
	var got []string
	err := batch.ByRecord(func(r *Rows) error {
		got = append(got, fmt.Sprint(r.Record.Offset, r.Record.Part, r.Count(AuditEvents), r.Count(ControllerLogs), r.Count(KubeEvents), r.Count(Objects), r.First))
		return nil
	})
	want := []string{"0 0 1 0 0 2 [0 0 0 0 0]", "9 1 0 1 0 0 [1 0 0 2 1]", "9 2 0 0 0 0 [1 1 0 2 2]", "9 3 1 0 1 0 [1 1 0 2 3]"}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%q %v\nwant %q", got, err, want)
	}
	stop := errors.New("stop")
	if err := batch.ByRecord(func(*Rows) error { return stop }); err != stop {
		t.Errorf("%v, want %v", err, stop)
	}
	b.Log(&ControllerLog{Location: at(1, 0)})
	b.Record(&Record{Location: at(2, 0)})
	if err := b.Batch().ByRecord(func(*Rows) error { return nil }); err == nil {
		t.Error("a row of no record is not seen")
	}
}
