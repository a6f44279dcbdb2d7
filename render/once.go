package render

import (
	"time"

	"github.com/knforensics/knforensics/timeline"
)

// Once tells which rows of several stories were met before. Those about no object, as
// gaps of the audit log are, are in the story of every family.
type Once map[rowOfAll]bool

type rowOfAll struct {
	time    time.Time
	summary string
}

// Again reports whether a row is about no object and was asked for before.
func (o Once) Again(e timeline.Entry) bool {
	if e.Object != (timeline.Ref{}) {
		return false
	}
	key := rowOfAll{e.Time, e.Summary}
	again := o[key]
	o[key] = true
	return again
}
