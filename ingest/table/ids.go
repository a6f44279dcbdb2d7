package table

import (
	"encoding/hex"

	"github.com/apache/arrow/go/v17/arrow"
)

// ids are identifiers that are UUIDs mostly. These take 16 bytes, as they are no
// text that can be compressed. Another identifier is its text; if that has 16 bytes,
// too, it follows a byte that begins no text.
type ids struct{ texts }

const (
	uuidBytes = 16
	uuidText  = 36
	noText    = 0xff // in UTF-8 no byte is
)

func (c *ids) add(s string) {
	if text, ok := packUUID(c.text, s); ok {
		c.text = text
		c.end(len(text))
		return
	}
	if len(s) == uuidBytes {
		c.text = append(c.text, noText)
	}
	c.texts.add(s)
}

func (c *ids) data() arrow.ArrayData { return c.bytes(arrow.BinaryTypes.Binary) }

// packUUID appends the bytes of a UUID as it is mostly written: in small letters.
func packUUID(to []byte, s string) ([]byte, bool) {
	if len(s) != uuidText || s[8] != '-' || s[13] != '-' || s[18] != '-' || s[23] != '-' {
		return to, false
	}
	begin := len(to)
	for i := 0; i < uuidText; i += 2 {
		switch i {
		case 8, 13, 18, 23:
			i++
		}
		high, low := digits[s[i]], digits[s[i+1]]
		if high|low > 0xf {
			return to[:begin], false
		}
		to = append(to, high<<4|low)
	}
	return to, true
}

// digits are the values of hexadecimal digits, and of other bytes 0xff.
var digits = func() (values [256]byte) {
	for i := range values {
		values[i] = 0xff
	}
	for i, c := range []byte("0123456789abcdef") {
		values[c] = byte(i)
	}
	return values
}()

// textOfID returns the text of what add made.
func textOfID(id []byte) string {
	switch {
	case len(id) == uuidBytes+1 && id[0] == noText:
		return string(id[1:])
	case len(id) != uuidBytes:
		return string(id)
	}
	var text [uuidText]byte
	hex.Encode(text[:8], id[:4])
	hex.Encode(text[9:13], id[4:6])
	hex.Encode(text[14:18], id[6:8])
	hex.Encode(text[19:23], id[8:10])
	hex.Encode(text[24:], id[10:])
	text[8], text[13], text[18], text[23] = '-', '-', '-', '-'
	return string(text[:])
}
