//go:build unix

package main

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/knforensics/knforensics/ingest"
	"github.com/knforensics/knforensics/ingest/source"
	"github.com/knforensics/knforensics/ingest/synthetic"
	"github.com/knforensics/knforensics/ingest/table"
)

// started is the program, run by this test's binary (see testscript.Main).
func started(t *testing.T, stdin io.Reader, args ...string) (cmd *exec.Cmd, stderr *bufio.Reader) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd = exec.Command(self) //nolint:gosec // ourselves
	cmd.Args = append([]string{"knforensics"}, args...)
	cmd.Stdin = stdin
	pipe, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	return cmd, bufio.NewReader(pipe)
}

// interrupt sends Ctrl-C, and fails if that does not end the program soon, or
// ends it with another exit code.
func interrupt(t *testing.T, cmd *exec.Cmd, stderr *bufio.Reader) {
	t.Helper()
	begin := time.Now()
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	timer := time.AfterFunc(10*time.Second, func() { _ = cmd.Process.Kill() })
	defer timer.Stop()
	_, _ = io.Copy(io.Discard, stderr)
	_ = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != exitInterrupted {
		t.Errorf("%v: exit %d after %s", cmd.Args[1:], code, time.Since(begin))
	}
	t.Logf("%s ended after %s", cmd.Args[1], time.Since(begin).Round(time.Millisecond))
}

// write makes a file.
func write(t *testing.T, path string, what func(io.Writer) error) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(what(f), f.Close()); err != nil {
		t.Fatal(err)
	}
}

func TestInterruptReading(t *testing.T) {
	many(t)
	log := filepath.Join(t.TempDir(), "audit.log")
	write(t, log, func(w io.Writer) error {
		return synthetic.Write(w, io.Discard, synthetic.Options{Audit: 64 << 20}) // enough to be interrupted in
	})
	dir := filepath.Join(t.TempDir(), "made")
	for _, args := range [][]string{
		{"timeline", "--rev", synthetic.Revision, log},
		{"detect", "-j", "1", log},
		{"ingest", "-o", filepath.Join(dir, "case"), log},
		{"export", "--to", "arrow", "-o", filepath.Join(dir, "arrow"), log},
	} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		cmd, stderr := started(t, nil, append(args, "--progress", "always")...)
		if _, err := stderr.ReadString('%'); err != nil { // it reads
			t.Fatal(err)
		}
		interrupt(t, cmd, stderr)
		if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
			t.Errorf("%s left %v, %v", args[0], left, err)
		}
	}
}

// TestInterruptWaiting interrupts who waits for an input: a pipe that somebody
// holds, one that nobody has opened, and standard input that is kept for a
// second look.
func TestInterruptWaiting(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = w.Close() }()
	fifo := filepath.Join(t.TempDir(), "fifo")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	for _, args := range [][]string{{"detect", "-"}, {"timeline", fifo}, {"show", "id", "-"}} {
		cmd, stderr := started(t, r, args...)
		time.Sleep(200 * time.Millisecond) // there is nothing that tells that it waits
		interrupt(t, cmd, stderr)
	}
	if left, err := os.ReadDir(temporary); err != nil || len(left) > 0 {
		t.Errorf("left %v, %v", left, err)
	}
}

// TestInterruptCase: of a case no more is read than what is under way.
func TestInterruptCase(t *testing.T) {
	many(t)
	dir := t.TempDir()
	log, kept := filepath.Join(dir, "controller.log"), filepath.Join(dir, "case")
	write(t, log, func(w io.Writer) error {
		return synthetic.Write(io.Discard, w, synthetic.Options{Controller: 24 << 20}) // two segments
	})
	if code := run([]string{"ingest", "-q", "--bodies", "none", "-o", kept, log}, nil, io.Discard, io.Discard); code != exitOK {
		t.Fatalf("ingest: exit %d", code)
	}
	inputs, err := source.Find([]string{kept}, nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	batches := 0
	o := &options{streams: &streams{err: io.Discard}, jobs: 1, progress: "never"}
	_, err = o.readInputs(ctx, inputs, ingest.Options{}, func(*table.Batch) error {
		batches++
		cancel()
		return nil
	})
	if !errors.Is(err, context.Canceled) || batches != 1 {
		t.Errorf("%d batches, %v", batches, err)
	}
}
