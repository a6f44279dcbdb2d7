// Package controllerlog reads what Knative components log: JSON written by zap
// in the key sets that were in use over the years, zap's console encoding, klog
// lines of the Kubernetes client, and whatever else stands between them.
package controllerlog

import (
	"errors"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/knforensics/knforensics/ingest/jsonscan"
	"github.com/knforensics/knforensics/ingest/table"
	"github.com/knforensics/knforensics/ingest/timestamp"
)

var errNotLog = errors.New("not a log line")

// Decoder reads log lines. It is not safe for concurrent use.
//
// A program writes the members of its lines in one order, so a Decoder expects
// after each of them what came after it last. Where that is so, and the value is
// a string, key and value are read in one step. Anything else is read as any
// JSON is, and expected the next time.
type Decoder struct {
	scan    jsonscan.Scanner
	follows [memberCount]member
}

// Zap fills row from one JSON object written by zap. Known are severity or
// level, timestamp, ts or time, message or msg, and the correlation keys of
// knative/pkg (logging/logkey/constants.go). An object with a message is a log
// line if it has a time, or else a level and what logged it. The strings of
// row share memory with data. row.Location is left alone.
func (d *Decoder) Zap(data []byte, row *table.ControllerLog) error {
	*row = table.ControllerLog{Location: row.Location, Format: table.LogZap}
	s := &d.scan
	s.Reset(data)
	if !s.BeginObject() {
		return errNotLog
	}
	timed, said := d.members(row)
	if !s.End() {
		return s.Err()
	}
	if !said || !timed && (row.Level == "" || row.Logger == "" && row.Caller == "") {
		return errNotLog
	}
	return nil
}

// members fills row from the members of an object, and tells whether there are
// a time and a message among them.
func (d *Decoder) members(row *table.ControllerLog) (timed, said bool) {
	for last := memberOther; ; {
		m := d.follows[last]
		text, ok := d.scan.StringMember(starts[m])
		if !ok {
			key, more := d.scan.Member()
			if !more {
				return timed, said
			}
			m = memberOf(key)
			d.follows[last] = m
			text, ok = d.value(m)
		}
		last = m
		switch m {
		case memberSeverity, memberLevel:
			if row.Level == "" {
				row.Level = level(text)
			}
		case memberTimestamp, memberTS, memberTime:
			if row.Time.IsZero() {
				row.Time, timed = stamp(text), true
			}
		case memberMessage, memberMsg:
			said = said || ok
			if text != "" {
				row.Message = text
			}
		case memberLogger:
			row.Logger = text
		case memberCaller:
			row.Caller = text
		case memberError:
			row.Error = text
		case memberController:
			row.Controller = text
		case memberKind:
			row.Kind = text
		case memberKey:
			row.Key = text
		case memberTraceID:
			row.TraceID = text
		case memberPod:
			row.Pod = text
		case memberDuration:
			row.Duration = duration(text)
		}
	}
}

// value consumes the value of a member: a string, or where others are known of
// too, a string, number, true or false as text, and anything else as none. It
// tells whether there is one.
func (d *Decoder) value(m member) (text string, ok bool) {
	s := &d.scan
	switch m {
	case memberLogger, memberCaller, memberController, memberKind, memberKey, memberTraceID, memberPod:
		return s.String(), true
	case memberOther:
		s.Skip()
		return "", false
	}
	if s.Peek() == '"' {
		return s.String(), true
	}
	scalar, ok := s.Scalar()
	return string(scalar), ok
}

// level gives the severities of zap and of zapdriver (which follows Google
// Cloud) one spelling.
func level(text string) string {
	switch text {
	case "DEBUG", "INFO", "WARN", "ERROR":
		return text
	}
	switch strings.ToUpper(text) {
	case "DEBUG":
		return "DEBUG"
	case "INFO", "NOTICE", "DEFAULT":
		return "INFO"
	case "WARN", "WARNING":
		return "WARN"
	case "ERROR":
		return "ERROR"
	case "FATAL", "PANIC", "DPANIC", "CRITICAL", "ALERT", "EMERGENCY":
		return "FATAL"
	}
	return ""
}

// stamp reads the times zap's encoders write: RFC 3339, ISO 8601 with an
// offset without colon, and seconds, milli-, micro- or nanoseconds since 1970.
// The zero time stands for what is none of these.
func stamp(text string) time.Time {
	if len(text) > 4 && text[4] == '-' { // after the year
		if t, ok := timestamp.Parse([]byte(text)); ok {
			return t
		}
		if t, err := time.Parse("2006-01-02T15:04:05.999999999Z0700", text); err == nil {
			return t.UTC()
		}
	}
	whole, frac, _ := strings.Cut(text, ".")
	if strings.ContainsAny(text, "eE") { // as in 1.5702744e+09
		n, err := strconv.ParseFloat(text, 64)
		if err != nil || n <= 0 || n > math.MaxInt64/2 {
			return time.Time{}
		}
		whole, frac, _ = strings.Cut(strconv.FormatFloat(n, 'f', -1, 64), ".")
	}
	n, err := strconv.ParseInt(whole, 10, 64)
	if err != nil || n <= 0 || strings.Trim(frac, "0123456789") != "" {
		return time.Time{}
	}
	unit := unitOf(n)
	part, _ := strconv.ParseInt((frac + "000000000")[:9], 10, 64) // of a unit, in billionths
	return time.Unix(n/(1e9/unit), n%(1e9/unit)*unit+part*unit/1e9).UTC()
}

// unitOf tells from its size in what unit a time since 1970 is given, in
// nanoseconds: a number of seconds of our age is too small for any other.
func unitOf(n int64) int64 {
	switch {
	case n < 1e11:
		return 1e9
	case n < 1e14:
		return 1e6
	case n < 1e17:
		return 1e3
	}
	return 1
}

// duration reads a Go duration, or seconds.
func duration(text string) int64 {
	if d, err := time.ParseDuration(text); err == nil {
		return int64(d)
	}
	if seconds, err := strconv.ParseFloat(text, 64); err == nil && math.Abs(seconds) < 1e9 {
		return int64(math.Round(seconds * float64(time.Second)))
	}
	return 0
}
