package main

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"github.com/knforensics/knforensics/ingest/audit"
	"github.com/knforensics/knforensics/ingest/controllerlog"
	"github.com/knforensics/knforensics/ingest/document"
	"github.com/knforensics/knforensics/ingest/jsonscan"
	"github.com/knforensics/knforensics/ingest/object"
	"github.com/knforensics/knforensics/ingest/synthetic"
	"github.com/knforensics/knforensics/ingest/table"
)

// decoders read one line each.
var decoders = []struct {
	name       string
	controller bool // it reads the controller's log
	decode     func() func(line []byte) error
}{
	{name: "json", decode: func() func([]byte) error {
		var s jsonscan.Scanner
		return func(line []byte) error {
			s.Reset(line)
			s.Skip()
			return s.Err()
		}
	}},
	{name: "audit", decode: func() func([]byte) error {
		var d audit.Decoder
		var event table.AuditEvent
		return func(line []byte) error {
			_, err := d.Decode(line, &event)
			return err
		}
	}},
	{name: "controller", controller: true, decode: func() func([]byte) error {
		var d controllerlog.Decoder
		var row table.ControllerLog
		return func(line []byte) error { return d.Zap(line, &row) }
	}},
}

// decodeAll returns a function that decodes all lines of a log, and how many
// lines and bytes those are.
func decodeAll(tb testing.TB, controller bool, decode func([]byte) error) (run func(), lines int, size int64) {
	tb.Helper()
	log, other := synthetic.Lines(synthetic.Options{Audit: 4 << 20, Controller: 4 << 20})
	if controller {
		log = other
	}
	for _, line := range log {
		size += int64(len(line))
	}
	return func() {
		for _, line := range log {
			if err := decode(line); err != nil {
				tb.Fatalf("%s: %v", line, err)
			}
		}
	}, len(log), size
}

func BenchmarkDecode(b *testing.B) {
	for _, d := range decoders {
		b.Run(d.name, func(b *testing.B) {
			run, _, size := decodeAll(b, d.controller, d.decode())
			loop(b, size, run)
		})
	}
}

// BenchmarkBodies reads the objects that writes were answered with.
func BenchmarkBodies(b *testing.B) {
	lines, _ := synthetic.Lines(synthetic.Options{Audit: 4 << 20})
	var events audit.Decoder
	var bodies [][]byte
	var size int64
	for _, line := range lines {
		var e table.AuditEvent
		found, err := events.Decode(line, &e)
		if err != nil {
			b.Fatal(err)
		}
		if found.Response != nil && e.Code < 300 {
			bodies = append(bodies, found.Response)
			size += int64(len(found.Response))
		}
	}
	var d object.Decoder
	var o table.Object
	loop(b, size, func() {
		for _, body := range bodies {
			header, err := d.Header(body)
			if err != nil {
				b.Fatal(err)
			}
			if err := d.Decode(body, header, &o); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkLines cuts a log into its lines.
func BenchmarkLines(b *testing.B) {
	log := auditLog()
	want := 1 + bytes.Count(log, []byte("\n"))
	loop(b, logSize, func() {
		n := 0
		for r := document.NewLines(bytes.NewReader(log)); ; {
			block, err := r.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				b.Fatal(err)
			}
			block.Split(func([]byte, table.Location) { n++ })
		}
		if n != want {
			b.Fatalf("%d lines, want %d", n, want)
		}
	})
}
