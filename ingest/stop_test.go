package ingest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/knforensics/knforensics/ingest/source"
	"github.com/knforensics/knforensics/ingest/table"
)

// settled waits until no more goroutines run than before.
func settled(t *testing.T, before int) {
	t.Helper()
	for range 200 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	stacks := make([]byte, 1<<16)
	t.Errorf("%d goroutines, %d before:\n%s", runtime.NumGoroutine(), before, stacks[:runtime.Stack(stacks, true)])
}

func manyFiles(t *testing.T) []source.Input {
	files := map[string]string{}
	for i := range 40 {
		files[fmt.Sprintf("%02d.log", i)] = auditLine(i) + strings.Repeat(zapLine(i), 5000)
	}
	return folder(t, files)
}

func TestCancel(t *testing.T) {
	inputs := manyFiles(t)
	cause := errors.New("that is enough")
	for _, jobs := range []int{1, 4} {
		before := runtime.NumGoroutine()
		ctx, cancel := context.WithCancelCause(t.Context())
		var batches int
		_, err := Read(ctx, inputs, Options{Jobs: jobs}, func(*table.Batch) error {
			if batches++; batches == 3 {
				cancel(cause)
			}
			return nil
		})
		if err != cause {
			t.Errorf("with %d jobs: %v, want %v", jobs, err, cause)
		}
		if batches != 3 {
			t.Errorf("with %d jobs: %d batches after the end was asked for", jobs, batches-3)
		}
		settled(t, before)
		if _, err := Read(ctx, inputs, Options{Jobs: jobs}, nil); err != cause {
			t.Errorf("cancelled before: %v", err)
		}
		settled(t, before)
	}
}

func TestSinkFails(t *testing.T) {
	inputs := manyFiles(t)
	full := errors.New("disk full")
	for _, jobs := range []int{1, 4} {
		before := runtime.NumGoroutine()
		var batches int
		_, err := Read(t.Context(), inputs, Options{Jobs: jobs}, func(*table.Batch) error {
			batches++
			return full
		})
		if err != full || batches != 1 {
			t.Errorf("with %d jobs: %v after %d batches", jobs, err, batches)
		}
		settled(t, before)
	}
}

// TestCancelWhileInputWaits: a read of standard input cannot be ended, but
// Read does not wait for it.
func TestCancelWhileInputWaits(t *testing.T) {
	r, w := io.Pipe()
	inputs, err := source.Find([]string{source.Stdin}, r)
	if err != nil {
		t.Fatal(err)
	}
	before := runtime.NumGoroutine()
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		_, _ = w.Write([]byte(auditLine(1)))
		cancel()
	}()
	done := make(chan error)
	go func() {
		_, err := Read(ctx, inputs, Options{Jobs: 2}, func(*table.Batch) error { return nil })
		done <- err
	}()
	select {
	case err := <-done:
		if !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("Read waits for its input")
	}
	_ = w.Close()
	settled(t, before)
}

// TestCancelEndsReading: what is left of the inputs is not read.
func TestCancelEndsReading(t *testing.T) {
	inputs, err := source.Find([]string{source.Stdin}, endless(zapLine(1)))
	if err != nil {
		t.Fatal(err)
	}
	before := runtime.NumGoroutine()
	full := errors.New("disk full")
	if _, err := Read(t.Context(), inputs, Options{Jobs: 2}, func(*table.Batch) error { return full }); err != full {
		t.Errorf("got %v", err)
	}
	settled(t, before)
}

type endless string

func (e endless) Read(p []byte) (n int, err error) {
	for n+len(e) <= len(p) {
		n += copy(p[n:], e)
	}
	return n, nil
}
