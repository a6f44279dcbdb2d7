package redact

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/knforensics/knforensics/ingest/source"
	"github.com/knforensics/knforensics/ingest/staging"
)

// Copies are the redacted copies of inputs, in a folder.
type Copies struct {
	// Made are the copies by their names in the folder, and Left what was left out.
	Made []Copied
	Left []LeftOut

	r      *Redactor
	folder *staging.Folder
	taken  map[string]bool
}

// Copied is an input of which a copy was made.
type Copied struct {
	Input, Name string
	Cut         string // why not all of it was copied, empty if it was
}

// LeftOut is an input, or a member of one, that was not copied.
type LeftOut struct{ Input, Reason string }

// NewCopies starts copies in a folder.
func NewCopies(r *Redactor, folder *staging.Folder) *Copies {
	return &Copies{r: r, folder: folder, taken: map[string]bool{}}
}

// Learn tells the parents of a Redactor the long names in inputs.
func (p *Parents) Learn(ctx context.Context, inputs []source.Input) error {
	return each(ctx, inputs, func(_ string, stream *source.Stream) error {
		const most = 1 << 20
		buf := make([]byte, most)
		kept := 0 // of the block before: a name can go on
		for !stream.Archive && stream.Trouble == nil {
			n, err := io.ReadFull(stream, buf[kept:])
			p.Add(buf[:kept+n])
			if err != nil {
				return nil // who copies it tells what is wrong
			}
			kept = copy(buf, buf[len(buf)-longestName:])
		}
		return nil
	})
}

// longestName is how long the name of an object can be: that of a DNS subdomain.
const longestName = 253

// each opens all inputs that can be read.
func each(ctx context.Context, inputs []source.Input, fn func(path string, stream *source.Stream) error) error {
	for i := range inputs {
		if inputs[i].Skipped != "" || inputs[i].Case {
			continue
		}
		err := inputs[i].Each(false, func(path string, stream *source.Stream) error {
			return errors.Join(ctx.Err(), fn(path, stream))
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Add copies inputs.
func (c *Copies) Add(ctx context.Context, inputs []source.Input) error {
	for i := range inputs {
		switch in := &inputs[i]; {
		case in.Skipped != "":
			c.Left = append(c.Left, LeftOut{in.Path, in.Skipped})
		case in.Case:
			c.Left = append(c.Left, LeftOut{in.Path, "a case: give the logs that it was made of"})
		}
	}
	return each(ctx, inputs, func(path string, stream *source.Stream) error {
		switch {
		case stream.Trouble != nil:
			c.Left = append(c.Left, LeftOut{path, stream.Trouble.Error()})
			return nil
		case stream.Archive: // its members were copied
			return nil
		}
		return c.add(path, stream)
	})
}

func (c *Copies) add(path string, stream *source.Stream) error {
	kind := compression(stream.Wrappers)
	name := c.name(path, kind)
	err := c.write(name, kind, stream)
	var unshared *Unshared
	var cut *Cut
	switch {
	case errors.As(err, &unshared):
		c.Left = append(c.Left, LeftOut{path, unshared.Reason})
		return c.folder.Remove(name)
	case errors.As(err, &cut):
		c.Made = append(c.Made, Copied{path, name, cut.Error()})
	case err != nil:
		return fmt.Errorf("copy %s: %w", path, err)
	default:
		c.Made = append(c.Made, Copied{Input: path, Name: name})
	}
	return nil
}

// write writes a copy in the compression of its original.
func (c *Copies) write(name, kind string, stream *source.Stream) (err error) {
	f, err := c.folder.Create(name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	var w io.WriteCloser
	switch kind {
	case "":
		return c.r.Copy(f, stream.Reader)
	case "gzip":
		w = gzip.NewWriter(f)
	default:
		if w, err = zstd.NewWriter(f, zstd.WithEncoderConcurrency(1)); err != nil {
			return err
		}
	}
	return errors.Join(c.r.Copy(w, stream.Reader), w.Close())
}

// compression returns what a stream was compressed with, in the archive that it is of.
func compression(wrappers []string) string {
	for _, name := range slices.Backward(wrappers) {
		if name == "tar" || name == "zip" {
			return ""
		}
		return name
	}
	return ""
}

// name returns a name in the folder: the path of the input, redacted.
func (c *Copies) name(path, kind string) string {
	path = filepath.Clean(path)
	if path == source.Stdin {
		path = "stdin"
	}
	if !filepath.IsLocal(path) {
		path = filepath.Base(path)
	}
	for from, to := range map[string]string{"xz": ".xz", "bzip2": ".bz2"} { // which are read, not written
		if kind == from {
			path = strings.TrimSuffix(path, to) + ".zst"
		}
	}
	steps := strings.Split(filepath.ToSlash(path), "/")
	for i, step := range steps {
		steps[i] = c.r.fileName(step)
	}
	name := strings.Join(steps, "/")
	for n, plain := 2, name; c.taken[name]; n++ {
		name = fmt.Sprintf("%d/%s", n, plain)
	}
	c.taken[name] = true
	return name
}

// rotated matches the day in the name of a log that was rotated.
var rotated = regexp.MustCompile(`\b\d{8}\b`)

// fileName redacts the name of a file. When a log was rotated stays.
func (r *Redactor) fileName(name string) string {
	at := rotated.FindStringIndex(name)
	if at == nil {
		return r.token(name, inNames)
	}
	return r.token(name[:at[0]], inNames) + name[at[0]:at[1]] + r.token(name[at[1]:], inNames)
}
