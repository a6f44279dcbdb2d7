// Command knforensics tells from audit logs, controller logs, Events and
// snapshots what happened to Knative Revisions, and which known failures did.
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"
	"time"

	"github.com/knforensics/knforensics/render"
)

// linked is set by the linker; without that, the module's version counts.
var linked string

var version = cmp.Or(linked, moduleVersion())

func moduleVersion() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}

// The exit codes; docs/exit-codes.md explains them.
const (
	exitOK           = 0
	exitFindings     = 1
	exitUsage        = 2
	exitInconclusive = 3
	exitNoMatch      = 4
	exitInternal     = 5
	exitInterrupted  = 130
)

func main() {
	os.Exit(run(arguments(), os.Stdin, os.Stdout, os.Stderr))
}

// exit is an error that sets the exit code. Without a message it says nothing.
type exit struct {
	code    int
	message string
	hints   []string
}

func (e *exit) Error() string { return e.message }

func usagef(format string, args ...any) *exit {
	return &exit{code: exitUsage, message: fmt.Sprintf(format, args...)}
}

// hint adds a line that helps to an error.
func (e *exit) hint(format string, args ...any) *exit {
	e.hints = append(e.hints, fmt.Sprintf(format, args...))
	return e
}

// grace is how long an interrupted command has to end by itself.
const grace = 50 * time.Millisecond

// run is the program: what main does, made testable. When it is interrupted, the
// folder that a command makes is removed, and a command that does not end soon is
// left where it stands. A second signal ends the program at once.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	s := &streams{in: stdin, out: stdout, err: stderr}
	ended := make(chan int, 1)
	go func() { ended <- execute(ctx, s, args) }()
	select {
	case code := <-ended:
		return code
	case <-ctx.Done():
		stop()
	}
	late := time.After(grace)
	s.unfinished.abandon()
	select {
	case code := <-ended:
		return code
	case <-late:
	}
	if s.draws.Load() {
		<-ended
	}
	return exitInterrupted
}

func execute(ctx context.Context, s *streams, args []string) (code int) {
	defer func() {
		if r := recover(); r != nil {
			fmt.Fprintf(s.err, "knforensics: internal error: %s\n", safeLines(fmt.Sprint(r)))
			code = exitInternal
		}
	}()
	root := newRoot(s)
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if ctx.Err() != nil {
		return exitInterrupted
	}
	return explainError(err, s.err)
}

// explainError prints an error with its hints, and returns the exit code.
func explainError(err error, stderr io.Writer) int {
	if err == nil {
		return exitOK
	}
	var e *exit
	if !errors.As(err, &e) {
		if errors.Is(err, errBrokenPipe) {
			return exitOK
		}
		e = &exit{code: exitUsage, message: err.Error()}
	}
	if e.message != "" {
		fmt.Fprintf(stderr, "knforensics: %s\n", safeLines(e.message))
	}
	for _, h := range e.hints {
		fmt.Fprintf(stderr, "  %s\n", safeLines(asCalled(h)))
	}
	return e.code
}

func safeLines(s string) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = render.Safe(lines[i])
	}
	return strings.Join(lines, "\n")
}
