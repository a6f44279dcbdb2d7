// Package timestamp reads the times that Kubernetes and zap write, which are in
// RFC 3339 and of UTC: as time.Parse does, in a fraction of its time. Every
// record has one or more of them.
//
// The trick is to look at eight characters at a time, as the bytes of one
// word: one addition tells digits from anything else, one multiplication makes
// a number of each two of them.
package timestamp

import (
	"encoding/binary"
	"time"
)

// Parse reads a time as time.Parse does with the layout time.RFC3339Nano, and
// gives it in UTC. It takes and refuses the same texts.
func Parse(text []byte) (time.Time, bool) {
	if t, ok := usual(text); ok {
		return t, true
	}
	t, err := time.Parse(time.RFC3339Nano, string(text))
	if err != nil {
		return time.Time{}, false
	}
	return t.UTC(), true
}

const (
	point = len("2006-01-02T15:04:05") // where the fraction of a second starts
	tail  = len("00000000Z")
)

// usual reads a time that ends in Z and has no more than nine digits in its
// fraction.
func usual(text []byte) (time.Time, bool) {
	end := len(text) - 1
	if end < point || text[end] != 'Z' || text[10] != 'T' {
		return time.Time{}, false
	}
	days, ok := calendar(text)
	if !ok {
		return time.Time{}, false
	}
	clock, ok := clockShape.read(text[11:])
	hour, minute, second := pair(clock, 0), pair(clock, 3), pair(clock, 6)
	if !ok || hour > 23 || minute > 59 || second > 59 {
		return time.Time{}, false
	}
	nanos, ok := fraction(text[point:end], text[end+1-tail:])
	if !ok {
		return time.Time{}, false
	}
	return time.Unix(days*86400+int64(hour*3600+minute*60+second), nanos).UTC(), true
}

// calendar reads a date as days since 1970.
func calendar(text []byte) (days int64, ok bool) {
	date, ok := dateShape.read(text)
	tens, ones := uint64(text[8]-'0'), uint64(text[9]-'0')
	year, month, day := pair(date, 0)*100+pair(date, 2), pair(date, 5), tens*10+ones
	if !ok || tens > 9 || ones > 9 || month-1 > 11 || day == 0 || day > 28 && day > length(year, month) {
		return 0, false
	}
	year += 400    // so that there is always a year before
	if month < 3 { // years from March to March have the leap day at their end
		year, month = year-1, month+12
	}
	century := year / 100
	return int64(365*year+year/4-century+century/4+(153*month-457)/5+day) - 865566, true
}

// length returns the number of days of a month.
func length(year, month uint64) uint64 {
	switch {
	case month == 2 && year%4 == 0 && (year%100 != 0 || year%400 == 0):
		return 29
	case month == 2:
		return 28
	}
	return 30 + (month+month>>3)&1
}

// fraction reads the fraction of a second, a point and digits, in nanoseconds.
// Eight characters and the Z at its end are in last, whether they are of it or
// stand before it.
func fraction(text, last []byte) (nanos int64, ok bool) {
	n := len(text) - 1
	if n < 0 {
		return 0, true
	}
	if text[0] != '.' || n == 0 || n > 9 {
		return 0, false
	}
	var ninth int64
	word := binary.LittleEndian.Uint64(last)
	if n == 9 {
		word = binary.LittleEndian.Uint64(text[1:])
		if ninth = int64(text[9]) - '0'; ninth < 0 || ninth > 9 {
			return 0, false
		}
		n = 8
	}
	word = (word ^ zeros) >> (8 * (8 - n)) // the digits that are wanting at the end are zeros now
	if (word|(word+lows*(0x7f-9)))&highs != 0 {
		return 0, false
	}
	word = word*10 + word>>8 // of two digits each: bytes 0, 2, 4 and 6
	const two = 0xff | 0xff<<32
	word = (word&two*(100+1000000<<32) + word>>16&two*(1+10000<<32)) >> 32
	return int64(word)*10 + ninth, true
}

const (
	lows  = 0x0101010101010101
	highs = 0x8080808080808080
	zeros = lows * '0'
)

// shape is what eight characters must look like: digits where it has zeros, the
// same character elsewhere.
type shape struct {
	text uint64 // the characters
	room uint64 // what may be added to a byte of (characters ^ text) below 0x80
}

var dateShape, clockShape = newShape("0000-00-"), newShape("00:00:00")

func newShape(text string) (s shape) {
	for i := range 8 {
		room := uint64(0x7f)
		if text[i] == '0' {
			room -= 9
		}
		s.text |= uint64(text[i]) << (8 * i)
		s.room |= room << (8 * i)
	}
	return s
}

// read makes a number of the two digits at each place, and tells whether the
// characters have the shape.
func (s *shape) read(text []byte) (word uint64, ok bool) {
	word = binary.LittleEndian.Uint64(text) ^ s.text
	return word*10 + word>>8, (word|(word+s.room))&highs == 0
}

// pair returns the number of two digits that starts at a place of a word.
func pair(word uint64, at int) uint64 { return word >> (8 * at) & 0xff }
