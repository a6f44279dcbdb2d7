package timeline

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/knforensics/knforensics/ingest/lazyregexp"
	"github.com/knforensics/knforensics/ingest/table"
)

// Attempt is one reconcile of one object as its log lines tell: all lines of
// one trace ID.
type Attempt struct {
	Reconciler string // revision, route, configuration, service, …
	Object     Ref
	TraceID    string
	Pod        string
	// Begin is when the reconcile started: its end less its duration, else
	// its first line. End is zero if no line tells of the end.
	Begin, End time.Time
	Failed     bool
	Error      string
	Lines      []LogLine // without the dumps of debug level, in time order
	Writes     []*Write  // the requests it made, as far as their times and objects tell
	first      time.Time
	last       time.Time
	failedAt   time.Time // of the line that tells Error
}

// LogLine is a line of a log that tells of a step.
type LogLine struct {
	Time    time.Time
	Level   string
	Message string
	Error   string
	Source  Source
}

// Enqueue is the moment an object was put into a reconciler's queue. It is
// logged at debug level only.
type Enqueue struct {
	Reconciler string
	Time       time.Time
	Source     Source
}

// attemptKey tells reconciles apart. Trace IDs are made anew for each, but
// nothing keeps two processes from using one.
type attemptKey struct{ trace, controller, key string }

// Line returns the first line whose message starts with prefix, nil if there
// is none.
func (a *Attempt) Line(prefix string) *LogLine {
	for i := range a.Lines {
		if strings.HasPrefix(a.Lines[i].Message, prefix) {
			return &a.Lines[i]
		}
	}
	return nil
}

// ErrorLine returns the line that tells of the error, nil if none does.
func (a *Attempt) ErrorLine() *LogLine {
	for i := range a.Lines {
		if a.Lines[i].Error != "" && a.Lines[i].Level == "ERROR" {
			return &a.Lines[i]
		}
	}
	return nil
}

// Ended returns when the reconcile ended, or the time of its last line where no
// line tells of the end: under load the logger drops such lines.
func (a *Attempt) Ended() time.Time {
	if a.End.IsZero() {
		return a.last
	}
	return a.End
}

// slack is the room for the clocks of two programs.
const slack = 2 * time.Millisecond

// Covers reports whether the reconcile was under way at t, with a little room
// for the clocks of two programs.
func (a *Attempt) Covers(t time.Time) bool { return a.covers(t, slack) }

func (a *Attempt) covers(t time.Time, slack time.Duration) bool {
	return !t.Before(a.Begin.Add(-slack)) && !t.After(a.Ended().Add(slack))
}

// dumps are messages of debug level that print whole objects.
var dumps = []string{"Updating status with:", "Revision meta:", "Desired PASpec:", "Observed PA Status", "Configuration Conditions", "Route Conditions"}

const (
	queuePrefix     = "Adding to queue "
	slowQueuePrefix = "Adding to the slow queue "
)

func (b *Builder) log(row *table.ControllerLog) {
	if row.Format != table.LogZap {
		return
	}
	if row.Time.After(b.logTo) {
		b.logTo = row.Time
	}
	b.sign(row.Pod, row.Time)
	if isOfActivator(row) {
		b.activator(row)
		return
	}
	if rest, ok := strings.CutPrefix(row.Message, loggedEventPrefix); ok {
		b.loggedEvent(row, rest)
		return
	}
	reconciler := reconcilerName(row.Controller, row.Logger)
	kind := loggedKind(reconciler, row.Kind)
	if kind == "" {
		return
	}
	if row.TraceID == "" {
		b.enqueue(row, reconciler, kind)
		return
	}
	namespace, name, ok := strings.Cut(row.Key, "/")
	if !ok {
		return
	}
	b.attemptLine(row, reconciler, Ref{kind, b.keep(namespace), b.keep(name)})
}

// wantsLog reports whether a Builder takes anything from a line beyond its time and its
// Pod. Where it is not sure, it does.
func wantsLog(row *table.ControllerLog) bool {
	switch {
	case row.Format != table.LogZap:
		return false
	case isOfActivator(row) || strings.HasPrefix(row.Message, loggedEventPrefix) || row.TraceID != "":
		return true
	}
	_, _, enqueued := enqueuedKey(row.Message)
	return enqueued
}

// Shorten takes from a line what a Builder makes nothing of: the end of a long message.
func Shorten(row *table.ControllerLog) {
	if len(row.Message) > longestMessage && !strings.HasPrefix(row.Message, loggedEventPrefix) {
		row.Message = row.Message[:longestMessage+1] // so that it is still too long
	}
}

// enqueuedKey returns the key that a line says was put into a queue.
func enqueuedKey(message string) (namespace, name string, ok bool) {
	rest, ok := strings.CutPrefix(message, queuePrefix)
	if !ok {
		rest, ok = strings.CutPrefix(message, slowQueuePrefix)
	}
	if !ok {
		return "", "", false
	}
	key, _, _ := strings.Cut(rest, " ")
	return strings.Cut(key, "/")
}

// loggedObject returns the object that a line is about.
func loggedObject(row *table.ControllerLog) (namespace, name string) {
	if rest, ok := strings.CutPrefix(row.Message, loggedEventPrefix); ok {
		if m := eventText().FindStringSubmatch(rest); m != nil {
			return m[2], m[3]
		}
	}
	if row.TraceID == "" {
		if namespace, name, ok := enqueuedKey(row.Message); ok {
			return namespace, name
		}
	}
	namespace, name, _ = strings.Cut(row.Key, "/")
	return namespace, name
}

func (b *Builder) enqueue(row *table.ControllerLog, reconciler, kind string) {
	namespace, name, ok := enqueuedKey(row.Message)
	if !ok {
		return
	}
	ref := Ref{kind, b.keep(namespace), b.keep(name)}
	b.enqueued[ref] = append(b.enqueued[ref], Enqueue{b.keep(reconciler), row.Time, b.logSource(row)})
}

func (b *Builder) logSource(row *table.ControllerLog) Source {
	return Source{File: b.keep(row.File), Line: row.Line, TraceID: b.keep(row.TraceID)}
}

func (b *Builder) attemptLine(row *table.ControllerLog, reconciler string, ref Ref) {
	key := attemptKey{row.TraceID, row.Controller, row.Key}
	a := b.attempts[key]
	if a == nil {
		a = &Attempt{Reconciler: b.keep(reconciler), Object: ref, TraceID: b.keep(row.TraceID), Pod: b.keep(row.Pod), first: row.Time, last: row.Time}
		b.attempts[attemptKey{a.TraceID, b.keep(row.Controller), b.keep(row.Key)}] = a
	}
	if row.Time.Before(a.first) {
		a.first = row.Time
	}
	if row.Time.After(a.last) {
		a.last = row.Time
	}
	if isEnd(row.Message) {
		a.End = row.Time
		a.Begin = row.Time.Add(-took(row))
		a.Failed = a.Failed || row.Message == conflictMessage || strings.HasPrefix(row.Message, "Reconcile failed.")
	}
	problem := row.Error
	if row.Level == "ERROR" && problem == "" && !isEnd(row.Message) {
		problem = row.Message // up to Knative 0.19 errors stand in the message
		if a.Error == "" {
			a.Error = b.message(problem)
		}
	} else if problem != "" && row.Level == "ERROR" {
		a.Failed = true
		if !row.Time.Before(a.failedAt) {
			a.Error, a.failedAt = b.keep(problem), row.Time
		}
	}
	if !slices.ContainsFunc(dumps, func(p string) bool { return strings.HasPrefix(row.Message, p) }) {
		a.Lines = append(a.Lines, LogLine{row.Time, b.keep(row.Level), b.message(row.Message), b.message(problem), b.logSource(row)})
	}
}

// join takes over what other lines of the same reconcile told.
func (a *Attempt) join(other *Attempt) {
	a.Lines = append(a.Lines, other.Lines...)
	a.Failed = a.Failed || other.Failed
	if other.first.Before(a.first) {
		a.first = other.first
	}
	if other.last.After(a.last) {
		a.last = other.last
	}
	if a.End.IsZero() {
		a.Begin, a.End = other.Begin, other.End
	}
	if other.Error != "" && (a.Error == "" || !other.failedAt.Before(a.failedAt)) {
		a.Error, a.failedAt = other.Error, other.failedAt
	}
}

const (
	longestMessage    = 300      // bytes
	loggedEventPrefix = "Event(" // of an Event that is logged as it is sent
)

// message keeps the start of a message: what follows a step's name can be a
// dump of an object.
func (b *Builder) message(s string) string {
	if len(s) > longestMessage {
		s = s[:longestMessage] + "…"
	}
	return b.keep(s)
}

// conflictMessage is how knative/pkg since 1.21 logs a reconcile that ended in
// a conflict, at debug level and without the error (knative/pkg
// controller/controller.go, handleErr).
const conflictMessage = "Reconcile conflict"

// isEnd tells the lines that end a reconcile; those of knative/pkg up to 0.20
// go on with the time it took.
func isEnd(message string) bool {
	return message == "Reconcile succeeded" || message == "Reconcile error" || message == conflictMessage ||
		strings.HasPrefix(message, "Reconcile succeeded. Time taken") || strings.HasPrefix(message, "Reconcile failed. Time taken")
}

// took returns how long a reconcile took: a field, or the end of the message.
func took(row *table.ControllerLog) time.Duration {
	if row.Duration != 0 {
		return time.Duration(row.Duration)
	}
	_, text, _ := strings.Cut(row.Message, "Time taken: ")
	d, _ := time.ParseDuration(strings.TrimSuffix(text, ".")) // 0 where there is none
	return d
}

// reconcilerName shortens knative.dev/controller to the name of the package:
// "knative.dev.serving.pkg.reconciler.revision.Reconciler" and the older
// "revision-controller" are both revision.
func reconcilerName(controller, logger string) string {
	if controller == "" {
		_, controller, _ = strings.Cut(logger, ".")
	}
	if rest, ok := strings.CutSuffix(controller, "-controller"); ok {
		return rest
	}
	end := strings.LastIndexByte(controller, '.')
	if end < 0 {
		return controller
	}
	return controller[strings.LastIndexByte(controller[:end], '.')+1 : end]
}

// loggedKind returns the kind that a reconciler works on. Two reconcilers work
// on Routes (route, labeler) and two on Configurations (configuration, gc).
func loggedKind(reconciler, kind string) string {
	switch reconciler {
	case "revision":
		return KindRevision
	case "route", "labeler":
		return KindRoute
	case "configuration", "gc":
		return KindConfiguration
	case "service":
		return KindService
	}
	return ""
}

// finish settles begin and order once all lines are known.
func (a *Attempt) finish() {
	slices.SortStableFunc(a.Lines, func(x, y LogLine) int {
		return cmp.Or(x.Time.Compare(y.Time), cmp.Compare(x.Source.File, y.Source.File), cmp.Compare(x.Source.Line, y.Source.Line))
	})
	if a.Begin.IsZero() || a.first.Before(a.Begin) {
		a.Begin = a.first
	}
}

// eventText is how client-go prints an Event when it records one
// (k8s.io/client-go tools/record/event.go, StartLogging).
var eventText = lazyregexp.New(`(?s)^v1\.ObjectReference\{Kind:"([^"]*)", Namespace:"([^"]*)", Name:"([^"]*)", UID:"([^"]*)".*?\}\): type: '([^']*)' reason: '([^']*)' (.*)$`)

func (b *Builder) loggedEvent(row *table.ControllerLog, rest string) {
	m := eventText().FindStringSubmatch(rest)
	if m == nil || !isOfFamily(m[1]) {
		return
	}
	b.notes = append(b.notes, &Note{Object: Ref{b.keep(m[1]), b.keep(m[2]), b.keep(m[3])}, UID: b.keep(m[4]), Origin: FromLog,
		Time: row.Time, First: row.Time, Count: 1, Type: b.keep(m[5]), Reason: b.keep(m[6]), Message: b.keep(m[7]), Source: b.logSource(row)})
}
