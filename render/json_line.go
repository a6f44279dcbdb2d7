package render

import (
	"bytes"
	"encoding/json"
	"io"
)

// WriteJSONLine writes a document as one line.
func WriteJSONLine(w io.Writer, doc any) error {
	var line bytes.Buffer
	enc := json.NewEncoder(&line)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(doc); err != nil {
		return err
	}
	_, err := w.Write(escapeControls(line.Bytes()))
	return err
}
