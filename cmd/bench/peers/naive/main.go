// Command naive finds the events about a Revision as one would do it in an
// afternoon: encoding/json into the types of Kubernetes, event by event. It is
// what knforensics is measured against.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	auditv1 "k8s.io/apiserver/pkg/apis/audit/v1"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "naive: want FILE and NAME")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintf(os.Stderr, "naive: %s\n", err)
		os.Exit(2)
	}
}

func run(path, name string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	dec := json.NewDecoder(bufio.NewReaderSize(f, 1<<20))
	var found []auditv1.Event
	for {
		var e auditv1.Event
		err := dec.Decode(&e)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return fmt.Errorf("read %s: %w", path, err)
		}
		if e.ObjectRef != nil && (e.ObjectRef.Name == name || strings.HasPrefix(e.ObjectRef.Name, name+"-")) {
			found = append(found, e)
		}
	}
	slices.SortStableFunc(found, func(a, b auditv1.Event) int { return a.StageTimestamp.Compare(b.StageTimestamp.Time) })
	for _, e := range found {
		fmt.Println(e.StageTimestamp.Time, e.Verb, e.ObjectRef.Resource, e.ObjectRef.Name, e.ResponseStatus)
	}
	return nil
}
