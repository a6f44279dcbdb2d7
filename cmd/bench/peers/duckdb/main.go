// Command duckdb runs SQL statements in DuckDB, one after the other, and prints
// how many rows each gives. It is what knforensics is measured against.
package main

import (
	"database/sql"
	"fmt"
	"os"

	_ "github.com/duckdb/duckdb-go/v2"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintf(os.Stderr, "duckdb: %s\n", err)
		os.Exit(2)
	}
}

func run(statements []string) error {
	db, err := sql.Open("duckdb", "")
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }()
	for _, s := range statements {
		n, err := count(db, s)
		if err != nil {
			return fmt.Errorf("%s: %w", s, err)
		}
		fmt.Println(n)
	}
	return nil
}

// count reads all rows with all their values.
func count(db *sql.DB, statement string) (n int, err error) {
	rows, err := db.Query(statement)
	if err != nil {
		return 0, err
	}
	defer func() { _ = rows.Close() }()
	columns, err := rows.Columns()
	if err != nil {
		return 0, err
	}
	values, to := make([]any, len(columns)), make([]any, len(columns))
	for i := range values {
		to[i] = &values[i]
	}
	for rows.Next() {
		if err := rows.Scan(to...); err != nil {
			return n, err
		}
		n++
	}
	return n, rows.Err()
}
