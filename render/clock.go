// Package render shows coverage, timelines and findings to people and
// programs. It has one file for each form, all made from the same models, and
// decides nothing.
package render

import "time"

// Clock writes times: in one zone, with microseconds.
type Clock struct{ Zone *time.Location }

const microseconds = "2006-01-02T15:04:05.000000Z07:00"

func (c Clock) in(t time.Time) time.Time {
	if c.Zone == nil {
		return t.UTC()
	}
	return t.In(c.Zone)
}

// Full returns t as RFC 3339 with microseconds, nil for the zero time.
func (c Clock) Full(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	s := c.in(t).Format(microseconds)
	return &s
}

// orUnknown returns t as Full does, "unknown" for the zero time.
func (c Clock) orUnknown(t time.Time) string {
	if text := c.Full(t); text != nil {
		return *text
	}
	return "unknown"
}

// Time returns the time of day with microseconds, blanks for the zero time.
func (c Clock) Time(t time.Time) string {
	if t.IsZero() {
		return "               "
	}
	return c.in(t).Format("15:04:05.000000")
}

// Stamp returns date and time, to the second.
func (c Clock) Stamp(t time.Time) string {
	if t.IsZero() {
		return "unknown"
	}
	return c.in(t).Format("2006-01-02 15:04:05 MST")
}

// Day returns the date, "unknown" for the zero time.
func (c Clock) Day(t time.Time) string {
	if t.IsZero() {
		return "unknown"
	}
	return c.in(t).Format(time.DateOnly)
}
