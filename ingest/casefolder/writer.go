package casefolder

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/knforensics/knforensics/ingest/coverage"
	"github.com/knforensics/knforensics/ingest/staging"
	"github.com/knforensics/knforensics/ingest/table"
)

// Writer writes a case. It does so in a folder beside, which takes the place of the
// case when all is written.
type Writer struct {
	dir      string
	staging  *staging.Folder
	before   string // SHA-256 of the manifest of the case that is there
	manifest Manifest
	about    func(*table.Rows) table.Subject
	segment  *segment
	entries  *entries
}

// The errors of Create about what is there.
var (
	ErrNoCase  = errors.New("it is there, and is no case")
	ErrForeign = errors.New("files that are not of the case are in it")
)

var errChanged = errors.New("the case was changed meanwhile: run it again")

// Create starts a case that will be at dir, in place of the one that is there.
// about tells what a record is about; its strings may refer to the batch.
func Create(dir string, tool Tool, bodies string, about func(*table.Rows) table.Subject) (*Writer, error) {
	dir, err := destination(filepath.Clean(dir))
	if err != nil {
		return nil, fmt.Errorf("write case %s: %w", dir, err)
	}
	folder, err := staging.New(dir)
	if err != nil {
		return nil, fmt.Errorf("write case %s: %w", dir, err)
	}
	list, err := newEntries(folder)
	if err != nil {
		folder.Discard()
		return nil, fmt.Errorf("write case %s: %w", dir, err)
	}
	w := &Writer{dir: dir, staging: folder, about: about, segment: newSegment(), entries: list}
	w.before, _ = Sum(filepath.Join(dir, manifestName)) // empty if there is none
	w.manifest = Manifest{Schema: Schema, Tool: tool, Bodies: bodies, Reach: map[string]*Reach{}}
	return w, nil
}

// destination returns where a case will be: where a link leads, if it is one. What
// is there is a case and nothing else, or nothing.
func destination(dir string) (string, error) {
	if info, err := os.Lstat(dir); err == nil && info.Mode()&os.ModeSymlink != 0 {
		target, err := filepath.EvalSymlinks(dir)
		if err != nil {
			return dir, err
		}
		dir = target
	}
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return dir, nil
	case err != nil || len(entries) == 0:
		return dir, err
	case !Is(dir):
		return dir, ErrNoCase
	}
	m, err := readManifest(dir)
	if err != nil {
		return dir, err
	}
	return dir, m.noForeign(dir)
}

func (m *Manifest) noForeign(dir string) error {
	foreign, err := m.foreign(dir)
	if err == nil && len(foreign) > 0 {
		err = fmt.Errorf("%w: %s", ErrForeign, strings.Join(foreign[:min(3, len(foreign))], ", "))
	}
	return err
}

// Leftovers returns the folders that other writers of this case have beside it.
func (w *Writer) Leftovers() []string { return w.staging.Leftovers() }

// Add takes over a batch, which has to have the table records.
func (w *Writer) Add(b *table.Batch) error {
	err := b.ByRecord(func(r *table.Rows) error {
		w.manifest.reachOf(r.Record.Cluster)
		w.segment.add(r, w.about(r))
		if !w.segment.full() {
			return nil
		}
		w.segment.take(b)
		return w.flush()
	})
	if err != nil {
		return fmt.Errorf("write case %s: %w", w.dir, err)
	}
	w.segment.take(b)
	return nil
}

func (w *Writer) flush() error {
	s, index, err := w.segment.write(w.staging, len(w.manifest.Segments))
	if err != nil {
		return err
	}
	w.manifest.Records += s.Records
	w.manifest.Segments = append(w.manifest.Segments, s)
	return w.entries.add(index)
}

// rest writes what is left.
func (w *Writer) rest() error {
	if w.segment.records == 0 {
		return nil
	}
	return w.flush()
}

// Written returns the case that is on its way, with all rows that were added. It
// can be read but not searched, and not longer than until Finish or Discard.
func (w *Writer) Written() (*Case, error) {
	if err := w.rest(); err != nil {
		return nil, fmt.Errorf("write case %s: %w", w.dir, err)
	}
	return &Case{w.staging.Path(), &w.manifest}, nil
}

// Finish writes what is left and puts the case in its place. Families are sorted;
// warnings are what whoever reads the case has to know about all of it.
func (w *Writer) Finish(c *coverage.Coverage, families []table.FamilyName, warnings []string) error {
	w.manifest.Coverage, w.manifest.Warnings = *c, warnings
	w.manifest.reached(c.Reach)
	if err := w.finish(families); err != nil {
		return fmt.Errorf("write case %s: %w", w.dir, err)
	}
	return nil
}

func (w *Writer) finish(families []table.FamilyName) (err error) {
	if err := w.rest(); err != nil {
		return err
	}
	w.manifest.Families, err = writeFile(w.staging, familiesName, int64(len(families)), func(out io.WriteSeeker) error { return table.WriteFamilies(out, families) })
	if err != nil {
		return err
	}
	w.manifest.Index, err = writeFile(w.staging, indexName, w.entries.n, w.entries.write)
	if err == nil {
		err = w.entries.discard(w.staging)
	}
	if err != nil {
		return err
	}
	data, err := json.MarshalIndent(&w.manifest, "", "  ")
	if err != nil {
		return err
	}
	data = append(data, '\n')
	for name, text := range map[string]string{manifestName: string(data), checkName: checkLine(data)} {
		_, err = writeFile(w.staging, name, 0, func(out io.WriteSeeker) error {
			_, err := io.WriteString(out, text)
			return err
		})
		if err != nil {
			return err
		}
	}
	return w.staging.Place(w.unchanged)
}

// unchanged reports whether a folder is the case that was there at the start, or
// was empty if there was none, and nothing was put into it since.
func (w *Writer) unchanged(dir string) error {
	if now, _ := Sum(filepath.Join(dir, manifestName)); now != w.before {
		return errChanged
	}
	m := &Manifest{}
	if w.before != "" {
		var err error
		if m, err = readManifest(dir); err != nil {
			return err
		}
	}
	return m.noForeign(dir)
}

// Discard removes what was written, unless it was put in its place. It may be called
// while another goroutine writes, which then fails.
func (w *Writer) Discard() {
	_ = w.entries.file.Close()
	w.staging.Discard()
}

func (m *Manifest) reachOf(cluster string) *Reach {
	r := m.Reach[cluster]
	if r == nil {
		r = &Reach{Processes: map[string]time.Time{}}
		m.Reach[strings.Clone(cluster)] = r
	}
	return r
}

// reached takes note of how far the rows go.
func (m *Manifest) reached(reach map[string]coverage.Reach) {
	for cluster, of := range reach {
		r := m.reachOf(cluster)
		r.AuditFrom, r.AuditTo, r.LogTo = of.From, of.To, of.LogTo
		for pod, at := range of.Processes {
			r.sign(pod, at)
		}
	}
}

func (r *Reach) sign(pod string, at time.Time) {
	if at.After(r.Processes[pod]) {
		r.Processes[strings.Clone(pod)] = at
	}
}
