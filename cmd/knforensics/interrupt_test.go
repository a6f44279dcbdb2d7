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
	"slices"
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
	code, took := interrupted(t, cmd, stderr)
	if code != exitInterrupted {
		t.Errorf("%v: exit %d after %s", cmd.Args[1:], code, took)
	}
	t.Logf("%s ended after %s", cmd.Args[1], took)
}

// interrupted sends Ctrl-C, and returns how the program ended and after how long.
func interrupted(t *testing.T, cmd *exec.Cmd, stderr *bufio.Reader) (code int, took time.Duration) {
	t.Helper()
	begin := time.Now()
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	timer := time.AfterFunc(10*time.Second, func() { _ = cmd.Process.Kill() })
	defer timer.Stop()
	_, _ = io.Copy(io.Discard, stderr)
	_ = cmd.Wait()
	return cmd.ProcessState.ExitCode(), time.Since(begin).Round(time.Millisecond)
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

// TestInterruptWriting interrupts who writes at many moments: then the folder is there
// whole, or nothing is.
func TestInterruptWriting(t *testing.T) {
	many(t)
	log := filepath.Join(t.TempDir(), "audit.log")
	write(t, log, func(w io.Writer) error { return synthetic.Write(w, io.Discard, synthetic.Options{Audit: 32 << 20}) })
	for _, args := range [][]string{
		{"ingest", "--bodies", "all", "-o", "made"},
		{"export", "--bodies", "all", "--to", "parquet", "-o", "made"},
		{"export", "--bodies", "all", "--to", "arrow", "-o", "made"},
	} {
		parent := t.TempDir()
		t.Chdir(parent)
		args := append(args, "--progress", "always", log)
		begin := time.Now()
		if code := run(args, nil, io.Discard, io.Discard); code != exitOK {
			t.Fatalf("%v: exit %d", args, code)
		}
		whole, took := listed(t, "made"), time.Since(begin)
		const moments = 10
		var times []time.Duration
		for i := range moments {
			if err := os.RemoveAll("made"); err != nil {
				t.Fatal(err)
			}
			cmd, stderr := started(t, nil, args...)
			if _, err := stderr.ReadString('%'); err != nil { // it reads
				t.Fatal(err)
			}
			time.Sleep(took * time.Duration(i) / moments)
			code, ended := interrupted(t, cmd, stderr)
			times = append(times, ended)
			left, err := os.ReadDir(".")
			if err != nil || code != exitInterrupted && code != exitOK || len(left) > 1 || len(left) == 1 && !slices.Equal(listed(t, "made"), whole) || code == exitOK && len(left) == 0 {
				t.Errorf("%s: exit %d left %v, %v", args[0], code, left, err)
			}
		}
		slices.Sort(times)
		t.Logf("%s ended after %s, %s at most", args[0], times[moments/2].Round(time.Millisecond), times[moments-1].Round(time.Millisecond))
		if times[moments/2] > 200*time.Millisecond {
			t.Errorf("%s ends late", args[0])
		}
	}
}

// listed returns the names in a folder and below.
func listed(t *testing.T, dir string) (names []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		names = append(names, path)
		return err
	})
	if err != nil {
		t.Error(err)
	}
	return names
}

// discarded counts how often it was discarded.
type discarded struct{ times int }

func (d *discarded) Discard() { d.times++ }

// TestAbandon: what is left where it stands leaves no folder, whether that was begun
// before or would be later.
func TestAbandon(t *testing.T) {
	var folder discarded
	create := func() (*discarded, error) { return &folder, nil }
	var u unfinished
	if _, err := begin(&u, create); err != nil || folder.times != 0 {
		t.Errorf("begun: %v, discarded %d times", err, folder.times)
	}
	u.abandon()
	if folder.times != 1 {
		t.Errorf("discarded %d times", folder.times)
	}
	if _, err := begin(&u, func() (*discarded, error) { t.Error("begun after all"); return &folder, nil }); !errors.Is(err, context.Canceled) {
		t.Error(err)
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
		interruptOnceReady(t, r, args)
	}
	if left, err := os.ReadDir(temporary); err != nil || len(left) > 0 {
		t.Errorf("left %v, %v", left, err)
	}
}

// interruptOnceReady interrupts a command that waits for input. Nothing tells that it
// does: on a busy machine it may not have got there, and has to be given more time.
func interruptOnceReady(t *testing.T, stdin io.Reader, args []string) {
	t.Helper()
	for _, patience := range []time.Duration{200 * time.Millisecond, 2 * time.Second, 10 * time.Second} {
		cmd, stderr := started(t, stdin, args...)
		time.Sleep(patience)
		code, took := interrupted(t, cmd, stderr)
		if code == exitInterrupted {
			t.Logf("%s ended after %s", args[0], took)
			return
		}
		if code >= 0 {
			t.Errorf("%v: exit %d after %s", args, code, took)
			return
		}
	}
	t.Errorf("%v: killed by the signal", args)
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
