// Package parquet writes the tables of package table as Parquet files, for
// tools that do not read Arrow.
package parquet

import (
	"fmt"
	"reflect"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/parquet-go/parquet-go"
)

// group is a group of fields in their order. That of the library sorts them.
type group struct {
	parquet.Group
	fields []parquet.Field
}

func (g group) Fields() []parquet.Field { return g.fields }

// field is a node with a name. Its values are written by column, never taken
// from Go values.
type field struct {
	parquet.Node
	name string
}

func (f field) Name() string                             { return f.name }
func (f field) Value(reflect.Value) (none reflect.Value) { return none }

func groupOf(fields []arrow.Field) (parquet.Node, error) {
	g := group{Group: parquet.Group{}}
	for _, f := range fields {
		node, err := nodeOf(f.Type)
		if err != nil {
			return nil, fmt.Errorf("column %s: %w", f.Name, err)
		}
		if f.Nullable {
			node = parquet.Optional(node)
		}
		g.Group[f.Name] = node
		g.fields = append(g.fields, field{node, f.Name})
	}
	return g, nil
}

// nodeOf translates the types that the tables have.
func nodeOf(typ arrow.DataType) (parquet.Node, error) {
	switch typ := typ.(type) {
	case *arrow.StringType:
		return parquet.String(), nil
	case *arrow.Int64Type:
		return parquet.Int(64), nil
	case *arrow.BooleanType:
		return parquet.Leaf(parquet.BooleanType), nil
	case *arrow.TimestampType:
		if typ.Unit == arrow.Nanosecond {
			// Not marked as UTC: as such, DuckDB would cut them to microseconds
			// and print them in the reader's time zone.
			return parquet.TimestampAdjusted(parquet.Nanosecond, false), nil
		}
	case *arrow.ListType:
		element, err := nodeOf(typ.Elem())
		if err != nil {
			return nil, err
		}
		return parquet.List(element), nil
	case *arrow.StructType:
		return groupOf(typ.Fields())
	}
	return nil, fmt.Errorf("no Parquet type for %s", typ)
}
