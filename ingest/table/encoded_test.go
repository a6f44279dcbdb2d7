package table

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"
)

// everyRow returns a batch with a record for each table, and one with rows of several,
// in which every column has a value.
func everyRow() *Batch {
	at := func(file string, offset int64) Location {
		return Location{File: file, Cluster: "east", Line: 3, Lines: 1, Offset: offset, Length: 77, Part: 2}
	}
	when := time.Date(2026, 3, 2, 9, 0, 0, 123456000, time.UTC)
	b := NewBuilder()
	event := AuditEvent{AuditID: "id", Code: 201, Received: when, StageTime: when.Add(time.Second), DryRun: true, ResponseLength: 1 << 40}
	fillTexts(&event)
	object := Object{Generation: -1, Created: when, HasStatus: true, Labels: []Pair{{"a", "b"}, {"c", strings.Repeat("long", 100)}},
		Owners: []Owner{{"Revision", "r", "u", "true"}}, Conditions: []Condition{{Type: "Ready", Status: "True"}, {Message: "m", Transition: "t"}}, Removed: []Path{{"spec"}}}
	fillTexts(&object)
	log := ControllerLog{Time: when, Duration: 5}
	fillTexts(&log)
	note := KubeEvent{Count: 3, LastTime: when}
	fillTexts(&note)

	event.Location, object.Location, note.Location = at("a", 0), at("a", 0), at("a", 0)
	object.AuditID, note.AuditID = event.AuditID, event.AuditID
	b.AuditEvent(&event)
	b.Object(&object)
	object.Labels, object.Conditions = object.Labels[:1], nil
	b.Object(&object)
	b.KubeEvent(&note)
	log.Location = at("a", 100)
	b.Log(&log)
	object.Location, object.AuditID = at("a", 200), "its own"
	b.Object(&object)
	event = AuditEvent{Location: at("a", 300)}
	b.AuditEvent(&event)
	note.Location, note.AuditID = at("a", 400), ""
	b.KubeEvent(&note)
	return b.Batch()
}

// fillTexts sets the texts of a row that has none.
func fillTexts(row any) {
	v := reflect.ValueOf(row).Elem()
	for i := range v.NumField() {
		if f := v.Field(i); f.Kind() == reflect.String && f.Len() == 0 {
			f.SetString(v.Type().Field(i).Name)
		}
	}
}

func encode(b *Batch, names *Names) (list [][]byte) {
	e := NewEncoder(names)
	b.EachRows(func(r *Rows) { list = append(list, e.Append(nil, r)) })
	return list
}

func TestEncoded(t *testing.T) {
	var names Names
	b := everyRow()
	list := encode(b, &names)
	if len(list) != 5 {
		t.Fatalf("%d records", len(list))
	}
	var d Decoder
	for range 2 { // the second time in the memory of the first
		d.Reset()
		for _, data := range list {
			if err := d.Add(data, &names); err != nil {
				t.Fatal(err)
			}
		}
		got := d.Batch()
		if !reflect.DeepEqual(got.audit, b.audit) || !reflect.DeepEqual(got.logs, b.logs) || !reflect.DeepEqual(got.events, b.events) {
			t.Errorf("got %+v\nwant %+v", got, b)
		}
		for i := range b.objects {
			// a list without elements may be one of none
			if got, want := fmtRow(&got.objects[i]), fmtRow(&b.objects[i]); got != want {
				t.Errorf("object %d: %s\nwant %s", i, got, want)
			}
		}
	}
	allocations := testing.AllocsPerRun(10, func() {
		d.Reset()
		_ = d.Add(list[0], &names)
	})
	if allocations > 1 {
		t.Errorf("%v allocations", allocations)
	}
}

// FuzzEncoded holds that damaged rows are an error at most.
func FuzzEncoded(f *testing.F) {
	var names Names
	for _, data := range encode(everyRow(), &names) {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var d Decoder
		if d.Add(data, &names) != nil {
			return
		}
		again := encode(d.Batch(), &names)
		if len(again) > 1 {
			t.Errorf("one record became %d", len(again))
		}
	})
}

func fmtRow(o *Object) string { return fmt.Sprintf("%+v", *o) }
