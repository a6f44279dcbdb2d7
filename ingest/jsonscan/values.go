package jsonscan

import "bytes"

// Check returns what is wrong with a text that is to be one JSON value.
func Check(text []byte) error {
	var s Scanner
	s.Reset(text)
	s.Skip()
	s.End()
	return s.Err()
}

// Values takes apart a text of JSON objects that follow each other with or
// without breaks. Rest is what is left where something else begins.
func Values(text []byte) (objects [][]byte, rest []byte) {
	var s Scanner
	for rest = bytes.TrimSpace(text); len(rest) > 0 && rest[0] == '{'; rest = bytes.TrimSpace(rest[s.pos:]) {
		s.Reset(rest)
		if s.Skip(); s.err != nil {
			break
		}
		objects = append(objects, rest[:s.pos])
	}
	return objects, rest
}
