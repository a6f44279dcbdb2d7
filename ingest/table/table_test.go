package table

import (
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/apache/arrow/go/v17/arrow"
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

// roundTrip stores rows as an Arrow table and holds what is read back against
// them.
func roundTrip[Row any](t *testing.T, k Kind, add func(*Builder, *Row), each func(*Batch, func(*Row))) {
	t.Helper()
	b := NewBuilder()
	var next int
	var zero Row
	want := []Row{filled[Row](&next), zero, filled[Row](&next), zero}
	for i := range want {
		add(b, &want[i])
	}
	batch := b.Batch()
	for name, order := range map[string][]int32{"as they came": nil, "backwards": {3, 2, 1, 0}, "in any order": {2, 0, 3, 1}} {
		packer := pack(k, k.Stored(), batch)
		ordered := want
		if order != nil {
			packer.Sort(order)
			ordered = nil
		}
		for _, i := range order {
			ordered = append(ordered, want[i])
		}
		stored := k.Read(packer.Record())
		for i := range ordered {
			stored.Copy(b, i, nil)
		}
		var got []Row
		each(b.Batch(), func(row *Row) { got = append(got, *row) })
		if !reflect.DeepEqual(got, ordered) {
			t.Errorf("%s: got\n%+v\nwant\n%+v", name, got, ordered)
		}
	}
}

// pack returns the rows of a table in a batch, each as of a record of its own.
func pack(k Kind, schema *arrow.Schema, b *Batch) *Packer {
	p := k.NewPacker(schema)
	for i := range k.Rows(b) {
		p.Note(Pick{Row: int32(i)}, Mark{Number: int64(i)})
	}
	p.Take(b)
	return p
}

func TestRoundTrip(t *testing.T) {
	t.Run("audit_events", func(t *testing.T) { roundTrip(t, AuditEvents, (*Builder).AuditEvent, (*Batch).EachAuditEvent) })
	t.Run("controller_logs", func(t *testing.T) { roundTrip(t, ControllerLogs, (*Builder).Log, (*Batch).EachLog) })
	t.Run("kube_events", func(t *testing.T) { roundTrip(t, KubeEvents, (*Builder).KubeEvent, (*Batch).EachKubeEvent) })
	t.Run("objects", func(t *testing.T) { roundTrip(t, Objects, (*Builder).Object, (*Batch).EachObject) })
	t.Run("records", func(t *testing.T) { roundTrip(t, Records, (*Builder).Record, (*Batch).EachRecord) })
}

// TestAlike: rows that agree in the columns of few values lie together, whatever the
// columns of many values have, in the order in which they came.
func TestAlike(t *testing.T) {
	b := NewBuilder()
	for i := range 2 * few {
		verb := []string{"get", "update", "get", "watch"}[i%4]
		b.AuditEvent(&AuditEvent{Verb: verb, Name: fmt.Sprint(i)})
	}
	order := pack(AuditEvents, AuditEvents.Stored(), b.batch).Alike()
	var want []int32
	for _, places := range [][]int32{{0, 2}, {1}, {3}} {
		for i := range int32(2 * few) {
			if slices.Contains(places, i%4) {
				want = append(want, i)
			}
		}
	}
	if !slices.Equal(order, want) {
		t.Errorf("order %v, want %v", order, want)
	}
}

func TestEmptyValuesAreNull(t *testing.T) {
	b := NewBuilder()
	b.AuditEvent(&AuditEvent{})
	b.Log(&ControllerLog{})
	b.KubeEvent(&KubeEvent{})
	b.Object(&Object{})
	b.Record(&Record{})
	batch := b.Batch()
	never := []string{"line", "lines", "offset", "length", "dry_run", "truncated", "has_status", "record"}
	for k := range Kinds {
		rec := pack(k, k.Stored(), batch).Record()
		for i, f := range rec.Schema().Fields() {
			if got, want := rec.Column(i).IsNull(0), !slices.Contains(never, f.Name); got != want {
				t.Errorf("%s: null is %v, want %v", f.Name, got, want)
			}
		}
	}
}

// TestTextIsUTF8 holds that rows have no text that an Arrow table could not.
func TestTextIsUTF8(t *testing.T) {
	b := NewBuilder()
	b.Object(&Object{Name: "a\xff\xfeb", Labels: []Pair{{"k\xff", "v"}}})
	b.Batch().EachObject(func(o *Object) {
		if o.Name != "a\uFFFDb" || o.Labels[0].Key != "k\uFFFD" {
			t.Errorf("name %q, labels %q", o.Name, o.Labels)
		}
	})
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
		b := NewBuilder()
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
	b := NewBuilder()
	for _, want := range []int{2, 0, 1} {
		for range want {
			b.Log(&ControllerLog{Message: "x"})
		}
		batch := b.Batch()
		for k := range Kinds {
			if got := k.Rows(batch); k == ControllerLogs && got != want || k != ControllerLogs && got != 0 {
				t.Errorf("%d rows of %s, want %d of controller_logs", got, k, want)
			}
		}
	}
}

// TestRelease holds that the memory of a batch is given back once, when nobody
// holds it.
func TestRelease(t *testing.T) {
	b := NewBuilder()
	b.Log(&ControllerLog{})
	batch := b.Batch()
	spent := 0
	batch.OnRelease(func() { spent++ })
	batch.Retain()
	batch.Release()
	if spent != 0 {
		t.Error("given back while it is held")
	}
	if batch.Release(); spent != 1 {
		t.Errorf("given back %d times", spent)
	}
}

// four returns a batch of four records with a row in four tables each.
func four() *Batch {
	b := NewBuilder()
	for i := range int64(4) {
		at := Location{Offset: 100 * i, Cluster: fmt.Sprint("c", i%2)}
		b.AuditEvent(&AuditEvent{Location: at, AuditID: fmt.Sprint("a", i)})
		b.Log(&ControllerLog{Location: at, Message: fmt.Sprint("l", i)})
		b.KubeEvent(&KubeEvent{Location: at, Name: fmt.Sprint("e", i)})
		b.Object(&Object{Location: at, Name: fmt.Sprint("o", i), Labels: []Pair{{"a", "b"}}})
		b.Record(&Record{Location: at, Raw: fmt.Sprint("r", i)})
	}
	return b.Batch()
}

func namesIn(b *Batch) (got []string) {
	b.EachAuditEvent(func(r *AuditEvent) { got = append(got, r.AuditID) })
	b.EachLog(func(r *ControllerLog) { got = append(got, r.Message) })
	b.EachKubeEvent(func(r *KubeEvent) { got = append(got, r.Name) })
	b.EachObject(func(r *Object) { got = append(got, r.Name+r.Labels[0].Key) })
	b.EachRecord(func(r *Record) { got = append(got, r.Raw) })
	return got
}

func TestDrop(t *testing.T) {
	var dropped []string
	b := four()
	b.Drop(map[Place]bool{{Offset: 0}: true, {Offset: 200}: true, {Offset: 999}: true}, func(e *AuditEvent) { dropped = append(dropped, e.AuditID) })
	if got, want := namesIn(b), []string{"a1", "a3", "l1", "l3", "e1", "e3", "o1a", "o3a", "r1", "r3"}; !slices.Equal(got, want) {
		t.Errorf("left %v, want %v", got, want)
	}
	if want := []string{"a0", "a2"}; !slices.Equal(dropped, want) {
		t.Errorf("dropped %v, want %v", dropped, want)
	}
}

func TestClusters(t *testing.T) {
	b := four()
	if got, want := b.Clusters(), []string{"c0", "c1"}; !slices.Equal(got, want) {
		t.Errorf("clusters %v, want %v", got, want)
	}
	if got, want := namesIn(b.OfCluster("c1")), []string{"a1", "a3", "l1", "l3", "e1", "e3", "o1a", "o3a", "r1", "r3"}; !slices.Equal(got, want) {
		t.Errorf("of one cluster %v, want %v", got, want)
	}
}
