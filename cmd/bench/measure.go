package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"
)

// command is a program with its arguments, and what is done before it is
// started, which does not count.
type command struct {
	argv   []string
	env    []string // beside the environment of this process
	before func() error
}

// usage is what a command took.
type usage struct {
	cpu, wall float64 // seconds; cpu is user and system time of all threads
	peak      float64 // MiB that were resident at most; 0 where the system does not tell
	code      int     // the exit code
	answer    answer
}

// answer counts the bytes that a command prints.
type answer int64

func (a *answer) Write(p []byte) (int, error) {
	*a += answer(len(p))
	return len(p), nil
}

// run runs a command and waits for its end. Its output is read and thrown
// away, through a pipe: some programs stop early if it is /dev/null.
//
// On Linux the peak is not below that of this process when it starts the
// command, which the kernel hands down (setmax_mm_hiwater_rss in fs/exec.c). So
// nothing here uses much memory; what does is done by another process.
func (c *command) run() (usage, error) {
	if c.before != nil {
		if err := c.before(); err != nil {
			return usage{}, err
		}
	}
	cmd := exec.Command(c.argv[0], c.argv[1:]...) //nolint:gosec // what is measured is the user's choice
	cmd.Env = append(os.Environ(), c.env...)
	var printed answer
	cmd.Stdout, cmd.Stderr = &printed, struct{ io.Writer }{io.Discard}
	begin := time.Now()
	err := cmd.Run()
	wall := time.Since(begin)
	var ended *exec.ExitError
	if err != nil && !errors.As(err, &ended) {
		return usage{}, fmt.Errorf("run %s: %w", c.argv[0], err)
	}
	state := cmd.ProcessState
	return usage{
		cpu:  (state.UserTime() + state.SystemTime()).Seconds(),
		wall: wall.Seconds(),
		peak: peak(state),
		code: state.ExitCode(), answer: printed,
	}, nil
}
