// Package controllerlog reads what Knative components log: JSON lines written
// by zap in the key sets that were in use over the years, klog lines of the
// Kubernetes client, and whatever else stands between them.
package controllerlog

import (
	"bytes"
	"errors"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/knforensics/knforensics/ingest/jsonscan"
	"github.com/knforensics/knforensics/ingest/table"
)

var errNotLog = errors.New("a JSON object that is neither an audit event, nor a log line, nor a Kubernetes object")

// Decoder reads log lines. It is not safe for concurrent use.
type Decoder struct{ scan jsonscan.Scanner }

// Zap fills row from one JSON object written by zap. Known are severity or
// level, timestamp, ts or time, message or msg, and the correlation keys of
// knative/pkg (logging/logkey/constants.go). The strings of row share memory
// with data. row.Location is left alone.
func (d *Decoder) Zap(data []byte, row *table.ControllerLog) error {
	*row = table.ControllerLog{Location: row.Location, Format: table.LogZap}
	s := &d.scan
	s.Reset(data)
	if !s.BeginObject() {
		return errNotLog
	}
	var stamped, said bool
	for {
		key, ok := s.Member()
		if !ok {
			break
		}
		switch string(key) {
		case "severity", "level":
			if text, ok := s.Scalar(); ok && row.Level == "" {
				row.Level = level(string(text))
			}
		case "timestamp", "ts", "time":
			if text, ok := s.Scalar(); ok && row.Time.IsZero() {
				row.Time, stamped = stamp(string(text)), true
			}
		case "message", "msg":
			row.Message, said = s.String(), true
		case "logger":
			row.Logger = s.String()
		case "caller":
			row.Caller = s.String()
		case "error":
			text, _ := s.Scalar()
			row.Error = string(text)
		case "knative.dev/controller":
			row.Controller = s.String()
		case "knative.dev/kind":
			row.Kind = s.String()
		case "knative.dev/key":
			row.Key = s.String()
		case "knative.dev/traceid":
			row.TraceID = s.String()
		case "knative.dev/pod":
			row.Pod = s.String()
		case "duration":
			text, _ := s.Scalar()
			row.Duration = duration(string(text))
		default:
			s.Skip()
		}
	}
	if !s.End() {
		return s.Err()
	}
	if !said || !stamped && row.Level == "" {
		return errNotLog
	}
	return nil
}

// level gives the severities of zap and of zapdriver (which follows Google
// Cloud) one spelling.
func level(text string) string {
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

var layouts = []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999Z0700"}

// stamp reads the times zap's encoders write: RFC 3339, ISO 8601 with an
// offset without colon, and seconds, milli- or nanoseconds since 1970. The
// zero time stands for what is none of these.
func stamp(text string) time.Time {
	for _, layout := range layouts {
		if t, err := time.Parse(layout, text); err == nil {
			return t.UTC()
		}
	}
	if whole, frac, ok := strings.Cut(text, "."); ok && !strings.ContainsAny(text, "eE") {
		seconds, err := strconv.ParseInt(whole, 10, 64)
		nanos, err2 := strconv.ParseInt((frac + "000000000")[:9], 10, 64)
		if err == nil && err2 == nil {
			return time.Unix(seconds, nanos).UTC()
		}
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || n <= 0 || n > math.MaxInt64/2 {
		return time.Time{}
	}
	switch {
	case n < 1e11:
		whole, frac := math.Modf(n)
		return time.Unix(int64(whole), int64(frac*1e9)).UTC()
	case n < 1e14:
		return time.UnixMilli(int64(n)).UTC()
	default:
		return time.Unix(0, int64(n)).UTC()
	}
}

// duration reads a Go duration, or seconds.
func duration(text string) int64 {
	if d, err := time.ParseDuration(text); err == nil {
		return int64(d)
	}
	if seconds, err := strconv.ParseFloat(text, 64); err == nil && math.Abs(seconds) < 1e9 {
		return int64(seconds * float64(time.Second))
	}
	return 0
}

// Text fills row from a line that is not JSON: a klog line, or plain text,
// which is kept as the message. Neither has a time that can be placed: klog
// writes no year and no zone, and other lines are in local time if in any.
func Text(line []byte, row *table.ControllerLog) {
	*row = table.ControllerLog{Location: row.Location, Format: table.LogPlain, Message: string(line)}
	rest, ok := klogHeader(line)
	if !ok {
		return
	}
	row.Format = table.LogKlog
	row.Level = klogLevel[line[0]]
	if caller, message, ok := bytes.Cut(rest, []byte("] ")); ok {
		row.Caller, row.Message = string(caller), string(message)
	}
}

var klogLevel = map[byte]string{'I': "INFO", 'W': "WARN", 'E': "ERROR", 'F': "FATAL"}

// IsKlog reports whether a line starts with a klog header.
func IsKlog(line []byte) bool {
	_, ok := klogHeader(line)
	return ok
}

// klogHeader cuts "Lmmdd hh:mm:ss.uuuuuu threadid " off a line
// (k8s.io/klog internal/buffer/buffer.go, FormatHeader).
func klogHeader(line []byte) (rest []byte, ok bool) {
	const shape = "I0000 00:00:00.000000 "
	if len(line) < len(shape) || klogLevel[line[0]] == "" {
		return nil, false
	}
	for i := 1; i < len(shape); i++ {
		if shape[i] == '0' {
			if line[i] < '0' || line[i] > '9' {
				return nil, false
			}
		} else if line[i] != shape[i] {
			return nil, false
		}
	}
	rest = bytes.TrimLeft(line[len(shape):], " ")
	digits := 0
	for digits < len(rest) && rest[digits] >= '0' && rest[digits] <= '9' {
		digits++
	}
	if digits == 0 || digits >= len(rest) || rest[digits] != ' ' {
		return nil, false
	}
	return rest[digits+1:], true
}
