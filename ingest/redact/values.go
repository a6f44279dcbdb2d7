package redact

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"go.yaml.in/yaml/v3"

	"github.com/knforensics/knforensics/ingest/document"
)

// values redacts JSON that does not keep to lines. Of a list no more than an item and
// what is read ahead are in memory.
func (r *Redactor) values(out *bufio.Writer, stream io.Reader) error {
	t := &tail{r: stream}
	records := document.NewJSON(t)
	d := &rewriter{r: r}
	var cut error
	for {
		b, err := records.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		if cut = nil; b.Err != nil && !errors.Is(b.Err, document.ErrTooLong) {
			cut = &Cut{b.Err} // unless it goes on
		}
		for i := range b.Records {
			rec := &b.Records[i]
			d.feed(t.upTo(rec.Offset))
			d.feed(t.upTo(rec.Offset + rec.Length))
		}
		_, _ = out.WriteString(d.take())
	}
	d.feed(t.upTo(t.end))
	_, err := out.WriteString(d.take())
	return errors.Join(cut, err)
}

// tail is what was read of a stream and is not redacted yet.
type tail struct {
	r          io.Reader
	text       []byte
	start, end int64
}

func (t *tail) Read(p []byte) (int, error) {
	n, err := t.r.Read(p)
	t.text = append(t.text, p[:n]...)
	t.end += int64(n)
	return n, err
}

// upTo takes what is before an offset.
func (t *tail) upTo(offset int64) string {
	n := max(0, min(offset, t.end)-t.start)
	text := string(t.text[:n])
	t.text = t.text[n:]
	t.start += n
	return text
}

// documents redacts YAML: the items of lists one by one, each as a document. Comments
// are left out.
func (r *Redactor) documents(out *bufio.Writer, stream io.Reader) error {
	records := document.NewYAML(stream)
	var cut error
	for {
		b, err := records.Next()
		if err == io.EOF {
			return cut
		}
		if err != nil {
			return err
		}
		for i := range b.Records {
			if err := r.document(out, &b.Records[i]); err != nil {
				return err
			}
		}
		if b.Err != nil {
			_, _ = fmt.Fprintf(out, "---\n%s\n", unreadable)
			if !errors.Is(b.Err, document.ErrTooLong) {
				cut = &Cut{b.Err}
			}
		}
	}
}

func (r *Redactor) document(out io.Writer, rec *document.Record) error {
	text, _ := r.json(string(rec.JSON), 0)
	var node yaml.Node
	if err := yaml.Unmarshal([]byte(text), &node); err != nil {
		return &Cut{fmt.Errorf("write YAML anew: %w", err)}
	}
	unfold(&node)
	enc := yaml.NewEncoder(out)
	enc.SetIndent(2)
	_, _ = io.WriteString(out, "---\n")
	if err := enc.Encode(&node); err != nil {
		return err
	}
	return enc.Close()
}

// unfold has YAML that is written as JSON written in lines.
func unfold(node *yaml.Node) {
	node.Style &^= yaml.FlowStyle
	if node.Kind == yaml.ScalarNode && node.Tag == "!!str" {
		node.Style = 0
	}
	for _, n := range node.Content {
		unfold(n)
	}
}
