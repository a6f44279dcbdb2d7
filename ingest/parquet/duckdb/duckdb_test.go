// Package duckdb holds against DuckDB, another reader of Parquet, what the
// program exports.
package duckdb

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	_ "github.com/duckdb/duckdb-go/v2"

	"github.com/knforensics/knforensics/ingest"
	"github.com/knforensics/knforensics/ingest/coverage"
	"github.com/knforensics/knforensics/ingest/export"
	"github.com/knforensics/knforensics/ingest/source"
	"github.com/knforensics/knforensics/ingest/table"
)

// TestDuckDBReadsTheSame compares every value of every row of every table.
func TestDuckDBReadsTheSame(t *testing.T) {
	inputs, err := source.Find([]string{"../../../samples/latched", "../../../samples/route-race"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "export")
	folder, err := export.Create(dir, "parquet")
	if err != nil {
		t.Fatal(err)
	}
	var want [table.Kinds][][]any
	records := int64(0)
	keep := func(raw []byte, _ coverage.Format, _ *table.AuditEvent) bool { return len(raw)%2 == 0 }
	_, err = ingest.Read(t.Context(), inputs, ingest.Options{Jobs: 2, Keep: keep}, func(b *table.Batch) error {
		var packers [table.Kinds]*table.Packer
		for k := range packers {
			packers[k] = table.Kind(k).NewPacker(table.Kind(k).Exported())
		}
		err := b.ByRecord(func(r *table.Rows) error {
			for k := range table.Kinds {
				for i := range r.Count(k) {
					packers[k].Note(table.Pick{Row: int32(r.First[k] + i)}, table.Mark{Number: records})
				}
			}
			records++
			return nil
		})
		if err != nil {
			return err
		}
		for k, packer := range packers {
			packer.Take(b)
			want[k] = append(want[k], values(packer.Record())...)
		}
		return folder.Add(b)
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := folder.Finish(); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("duckdb", "")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	for k := range table.Kinds {
		got := query(t, db, fmt.Sprintf("select * from '%s'", filepath.Join(dir, k.String()+".parquet")))
		if len(want[k]) == 0 || len(got) != len(want[k]) {
			t.Errorf("%s: DuckDB reads %d rows, want %d", k, len(got), len(want[k]))
			continue
		}
		for i := range got {
			if !reflect.DeepEqual(got[i], want[k][i]) {
				t.Fatalf("%s, row %d: DuckDB reads\n%v\nwant\n%v", k, i, got[i], want[k][i])
			}
		}
		t.Logf("%s: %d rows are the same", k, len(got))
	}
}

func query(t *testing.T, db *sql.DB, text string) (list [][]any) {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), text)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	for rows.Next() {
		row, to := make([]any, len(columns)), make([]any, len(columns))
		for i := range row {
			to[i] = &row[i]
		}
		if err := rows.Scan(to...); err != nil {
			t.Fatal(err)
		}
		for i, v := range row {
			if at, ok := v.(time.Time); ok {
				row[i] = at.UTC()
			}
		}
		list = append(list, row)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return list
}

// values returns the rows of a record batch as DuckDB's driver returns them.
func values(rec arrow.Record) [][]any {
	rows := make([][]any, rec.NumRows())
	for i := range rows {
		for _, column := range rec.Columns() {
			rows[i] = append(rows[i], value(column, i))
		}
	}
	return rows
}

func value(a arrow.Array, i int) any {
	if a.IsNull(i) {
		return nil
	}
	switch a := a.(type) {
	case *array.String:
		return a.Value(i)
	case *array.Int64:
		return a.Value(i)
	case *array.Boolean:
		return a.Value(i)
	case *array.Timestamp:
		return time.Unix(0, int64(a.Value(i))).UTC()
	case *array.Struct:
		members := map[string]any{}
		for m, f := range a.DataType().(*arrow.StructType).Fields() {
			members[f.Name] = value(a.Field(m), i)
		}
		return members
	case *array.List:
		from, to := a.ValueOffsets(i)
		list := []any{}
		for k := from; k < to; k++ {
			list = append(list, value(a.ListValues(), int(k)))
		}
		return list
	}
	panic(a.DataType())
}
