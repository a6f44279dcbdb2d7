package main

import (
	"bytes"
	"cmp"
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
)

// pager is a terminal that shows what is longer than itself through a program that
// pages. The whole text is written at once.
type pager struct {
	*os.File
	height int // lines
}

// Write shows a text, and returns when the user has read it.
func (p pager) Write(text []byte) (int, error) {
	if bytes.Count(text, []byte("\n")) < p.height || os.Getenv("TERM") == "dumb" || !p.page(text) {
		return p.File.Write(text)
	}
	return len(text), nil
}

// page reports false if there is no program that pages, or it cannot be run.
func (p pager) page(text []byte) bool {
	cmd := pagingCommand()
	if cmd == nil {
		return false
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(text), p.File, os.Stderr
	if cmd.Start() != nil {
		return false
	}
	signal.Ignore(os.Interrupt) // it is for the program that pages
	var failed *exec.ExitError
	err := cmd.Wait()
	return !errors.As(err, &failed) || failed.ExitCode() != notFound && failed.ExitCode() != notRun
}

// How a shell ends that cannot run a command (POSIX, Shell Command Language 2.8.2).
const (
	notRun   = 126
	notFound = 127
)

// pagingCommand returns the command that KNFORENSICS_PAGER or PAGER names, else less
// if it is there; nil if there is none, or one of them says cat or nothing.
func pagingCommand() *exec.Cmd {
	command, ok := os.LookupEnv("KNFORENSICS_PAGER")
	if !ok {
		command, ok = os.LookupEnv("PAGER")
	}
	if !ok {
		if _, err := exec.LookPath("less"); err == nil {
			command = "less"
		}
	}
	if command == "" || command == "cat" {
		return nil
	}
	cmd := exec.Command("sh", "-c", command) //nolint:gosec // the user's own
	if runtime.GOOS == "windows" {
		cmd = exec.Command("cmd", "/c", command) //nolint:gosec // the user's own
	}
	// As git has it: no paging of what fits, colours shown, and the text left on the
	// screen.
	cmd.Env = append(os.Environ(), "LESS="+cmp.Or(os.Getenv("LESS"), "FRX"), "LV="+cmp.Or(os.Getenv("LV"), "-c"))
	return cmd
}
