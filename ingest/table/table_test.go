package table

import (
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/apache/arrow/go/v17/arrow/memory"
)

// fill sets every field of a row to a value of its own, so that a column that
// is forgotten or crossed with another shows.
func fill(v reflect.Value, next *int) {
	*next++
	switch v.Interface().(type) {
	case string:
		v.SetString(fmt.Sprintf("text %d", *next))
	case int64:
		v.SetInt(int64(*next))
	case bool:
		v.SetBool(true)
	case time.Time:
		v.Set(reflect.ValueOf(time.Unix(int64(*next), 123456789).UTC()))
	default:
		switch v.Kind() {
		case reflect.Struct:
			for i := range v.NumField() {
				fill(v.Field(i), next)
			}
		case reflect.Slice:
			v.Set(reflect.MakeSlice(v.Type(), 2, 2))
			fill(v.Index(0), next)
			fill(v.Index(1), next)
		default:
			panic("no way to fill a " + v.Type().String())
		}
	}
}

func filled[Row any](next *int) (row Row) {
	fill(reflect.ValueOf(&row).Elem(), next)
	return row
}

// copyOf returns a row whose slices are its own: rows are reused.
func copyOf[Row any](row *Row) Row {
	c := *row
	v := reflect.ValueOf(&c).Elem()
	for i := range v.NumField() {
		if f := v.Field(i); f.Kind() == reflect.Slice && !f.IsNil() {
			f.Set(reflect.AppendSlice(reflect.MakeSlice(f.Type(), 0, f.Len()), f))
		}
	}
	return c
}

// roundTrip writes rows with add and holds what each reads back against them.
func roundTrip[Row any](t *testing.T, add func(*Builder, *Row), each func(*Batch, func(*Row))) {
	t.Helper()
	mem := memory.NewCheckedAllocator(memory.NewGoAllocator())
	defer mem.AssertSize(t, 0)
	b := NewBuilder(mem)
	var next int
	var zero Row
	want := []Row{filled[Row](&next), zero, filled[Row](&next), zero}
	for i := range want {
		add(b, &want[i])
	}
	batch := b.Batch()
	defer batch.Release()
	var got []Row
	each(batch, func(row *Row) { got = append(got, copyOf(row)) })
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%+v\nwant\n%+v", got, want)
	}
}

func TestRoundTrip(t *testing.T) {
	t.Run("audit_events", func(t *testing.T) { roundTrip(t, (*Builder).AuditEvent, (*Batch).EachAuditEvent) })
	t.Run("controller_logs", func(t *testing.T) { roundTrip(t, (*Builder).Log, (*Batch).EachLog) })
	t.Run("kube_events", func(t *testing.T) { roundTrip(t, (*Builder).KubeEvent, (*Batch).EachKubeEvent) })
	t.Run("objects", func(t *testing.T) { roundTrip(t, (*Builder).Object, (*Batch).EachObject) })
}

func TestEmptyValuesAreNull(t *testing.T) {
	b := NewBuilder(memory.NewGoAllocator())
	b.AuditEvent(&AuditEvent{})
	b.Log(&ControllerLog{})
	b.KubeEvent(&KubeEvent{})
	b.Object(&Object{})
	batch := b.Batch()
	defer batch.Release()
	never := []string{"line", "lines", "offset", "length", "dry_run", "truncated", "has_status"}
	for _, rec := range batch.records() {
		for i, f := range rec.Schema().Fields() {
			if got, want := rec.Column(i).IsNull(0), !slices.Contains(never, f.Name); got != want {
				t.Errorf("%s: null is %v, want %v", f.Name, got, want)
			}
		}
	}
}

func TestTimesThatDoNotFit(t *testing.T) {
	for text, fits := range map[string]bool{
		"0001-01-01T00:00:00Z": false, "1600-01-01T00:00:00Z": false, "1678-01-01T00:00:00Z": true, "1969-12-31T23:59:59.999999999Z": true,
		"2262-04-11T00:00:00Z": true, "2263-01-01T00:00:00Z": false, "9999-12-31T23:59:59Z": false,
	} {
		at, err := time.Parse(time.RFC3339Nano, text)
		if err != nil {
			t.Fatal(err)
		}
		b := NewBuilder(memory.NewGoAllocator())
		b.Log(&ControllerLog{Time: at})
		batch := b.Batch()
		batch.EachLog(func(row *ControllerLog) {
			if want := map[bool]time.Time{true: at}[fits]; !row.Time.Equal(want) {
				t.Errorf("%s is read back as %v", text, row.Time)
			}
		})
		batch.Release()
	}
}

func TestBuilderStartsOver(t *testing.T) {
	mem := memory.NewCheckedAllocator(memory.NewGoAllocator())
	defer mem.AssertSize(t, 0)
	b := NewBuilder(mem)
	for _, want := range []int64{2, 0, 1} {
		for range want {
			b.Log(&ControllerLog{Message: "x"})
		}
		batch := b.Batch()
		var got int64
		batch.EachLog(func(*ControllerLog) { got++ })
		if got != want || (batch.Logs == nil) != (want == 0) || batch.Audit != nil || batch.Events != nil || batch.Objects != nil {
			t.Errorf("%d rows, want %d: %+v", got, want, batch)
		}
		batch.Release()
	}
}

func TestWithout(t *testing.T) {
	mem := memory.NewCheckedAllocator(memory.NewGoAllocator())
	defer mem.AssertSize(t, 0)
	b := NewBuilder(mem)
	for i := range int64(4) {
		at := Location{Offset: 100 * i}
		b.AuditEvent(&AuditEvent{Location: at, AuditID: fmt.Sprint("a", i)})
		b.Log(&ControllerLog{Location: at, Message: fmt.Sprint("l", i)})
		b.KubeEvent(&KubeEvent{Location: at, Name: fmt.Sprint("e", i)})
		b.Object(&Object{Location: at, Name: fmt.Sprint("o", i), Labels: []Pair{{"a", "b"}}})
	}
	var dropped, got []string
	rest := b.Batch().Without(map[Place]bool{{Offset: 0}: true, {Offset: 200}: true, {Offset: 999}: true}, func(e *AuditEvent) { dropped = append(dropped, e.AuditID) })
	rest.EachAuditEvent(func(r *AuditEvent) { got = append(got, r.AuditID) })
	rest.EachLog(func(r *ControllerLog) { got = append(got, r.Message) })
	rest.EachKubeEvent(func(r *KubeEvent) { got = append(got, r.Name) })
	rest.EachObject(func(r *Object) { got = append(got, r.Name+r.Labels[0].Key) })
	rest.Release()
	if want := []string{"a1", "a3", "l1", "l3", "e1", "e3", "o1a", "o3a"}; !slices.Equal(got, want) {
		t.Errorf("left %v, want %v", got, want)
	}
	if want := []string{"a0", "a2"}; !slices.Equal(dropped, want) {
		t.Errorf("dropped %v, want %v", dropped, want)
	}
	b.Log(&ControllerLog{})
	none := b.Batch().Without(map[Place]bool{{}: true}, func(*AuditEvent) { t.Error("no audit event was dropped") })
	if none.Logs != nil {
		t.Errorf("%d rows left of one that was dropped", none.Logs.NumRows())
	}
	none.Release()
}
