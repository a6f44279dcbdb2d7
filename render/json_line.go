package render

import (
	"bytes"
	"encoding/json"
	"io"
)

// WriteJSONLine writes a document as one line.
func WriteJSONLine(w io.Writer, doc any) error {
	line, err := jsonLine(doc)
	if err == nil {
		_, err = w.Write(line)
	}
	return err
}

// jsonLine returns a document as JSON in one line, which ends it.
func jsonLine(doc any) ([]byte, error) {
	var line bytes.Buffer
	enc := json.NewEncoder(&line)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(doc); err != nil {
		return nil, err
	}
	return escapeStrings(line.Bytes()), nil
}

// escapeStrings writes what is unsafe in the strings of JSON text as JSON escapes.
func escapeStrings(text []byte) (out []byte) {
	for len(text) > 0 {
		n := 1
		if text[0] == '"' {
			out, n = appendString(out, text)
		} else {
			out = append(out, text[0])
		}
		text = text[n:]
	}
	return out
}
