// Package casefolder keeps what was read as a case: a folder with the tables of
// package table as Arrow IPC files, an index, and a manifest that tells where
// it all came from. A case stands for the logs it was made of: read again, it
// gives the same rows in the same order.
//
//	CASE/manifest.json            what was read and lost, by which version, and the SHA-256 of every file
//	CASE/manifest.json.sha256     that of the manifest
//	CASE/index.arrow              for each object of a family, where its rows are
//	CASE/families.arrow           which objects belong together, as far as their names do not tell
//	CASE/audit_events/000001.arrow, controller_logs/…, kube_events/…, objects/…
//	CASE/audit_events/000001-others.arrow, controller_logs/…, kube_events/…, objects/…, records/…
//
// A segment is a stretch of the inputs, in their order. Of each table, the rows
// that a family can be concerned with are in one file, sorted by namespace and
// object, so that what is looked at together lies together. The others are in
// another, in the order of the inputs but for audit events: those that are alike lie
// together, since that takes least room. The number of the record restores the order.
package casefolder

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/knforensics/knforensics/ingest/coverage"
	"github.com/knforensics/knforensics/ingest/staging"
	"github.com/knforensics/knforensics/ingest/table"
)

// Schema names the layout of a case; manifests of another are refused.
const Schema = "knforensics.case/v2"

const (
	manifestName = "manifest.json"
	checkName    = "manifest.json.sha256" // for sha256sum -c
	familiesName = "families.arrow"
	indexName    = "index.arrow"
)

// Manifest describes a case.
type Manifest struct {
	Schema   string            `json:"schema"`
	Tool     Tool              `json:"tool"`
	Bodies   string            `json:"bodies"` // all, knative or none: of which records the text was kept
	Records  int64             `json:"records"`
	Coverage coverage.Coverage `json:"coverage"`
	Reach    map[string]*Reach `json:"reach"` // by cluster
	Segments []Segment         `json:"segments"`
	Index    File              `json:"index"`
	Families File              `json:"families"`
	Warnings []string          `json:"warnings,omitempty"`
}

// Tool is the program that made a case.
type Tool struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// Reach is how far the rows of a cluster go, whatever they are about.
type Reach struct {
	AuditFrom time.Time            `json:"auditFrom,omitzero"`
	AuditTo   time.Time            `json:"auditTo,omitzero"`
	LogTo     time.Time            `json:"logTo,omitzero"`      // of the zap lines
	Processes map[string]time.Time `json:"processes,omitempty"` // last sign of each, by its Pod
}

// Segment is a stretch of the inputs.
type Segment struct {
	Records int64     `json:"records"`
	From    time.Time `json:"from,omitzero"`
	To      time.Time `json:"to,omitzero"`
	// Indexed and Others have the files of the tables by name, without those that
	// have no rows: with the rows that index tells of, and with all others.
	Indexed map[string]File `json:"indexed"`
	Others  map[string]File `json:"others"`
}

// File is a file of a case.
type File struct {
	Path   string `json:"path"` // within the case, with slashes
	Rows   int64  `json:"rows"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
	Blocks []byte `json:"blocks,omitempty"` // XXH3 of each 64 KiB, 8 bytes each, little endian
}

// Is reports whether a folder is a case, of this layout or another, be it
// damaged.
func Is(dir string) bool {
	if info, err := os.Lstat(filepath.Join(dir, checkName)); err == nil && info.Mode().IsRegular() {
		return true
	}
	path := filepath.Join(dir, manifestName)
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() {
		return false
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }()
	head := make([]byte, 256)
	n, _ := io.ReadFull(f, head)
	return bytes.Contains(head[:n], []byte(`"knforensics.case/`))
}

// maxManifest bounds a manifest: that of a million inputs has half of it.
const maxManifest = 512 << 20

// readFile reads a file at the top of a case, which is no link.
func readFile(dir, name string) ([]byte, error) {
	path := filepath.Join(dir, name)
	info, err := os.Lstat(path)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is no regular file", name)
	case info.Size() > maxManifest:
		return nil, fmt.Errorf("%s has %d bytes: too many", name, info.Size())
	}
	return os.ReadFile(path)
}

func readManifest(dir string) (*Manifest, error) {
	data, err := readFile(dir, manifestName)
	if err != nil {
		return nil, fmt.Errorf("open case %s: %w", dir, err)
	}
	var m Manifest
	if err := json.Unmarshal(data, &m); err != nil {
		return nil, fmt.Errorf("open case %s: %s: %w", dir, manifestName, err)
	}
	if m.Schema != Schema {
		return nil, fmt.Errorf("open case %s: it is of schema %q, and this version reads %s: make it again from the logs", dir, m.Schema, Schema)
	}
	check, err := readFile(dir, checkName)
	if err == nil && string(check) != checkLine(data) {
		err = fmt.Errorf("%s: %w", manifestName, errBlock)
	}
	if err != nil {
		return nil, fmt.Errorf("open case %s: %w", dir, err)
	}
	for _, f := range m.files() {
		if !filepath.IsLocal(filepath.FromSlash(f.Path)) {
			return nil, fmt.Errorf("open case %s: %s: %q leads out of it", dir, manifestName, f.Path)
		}
	}
	return &m, nil
}

// checkLine is what sha256sum prints of a manifest.
func checkLine(manifest []byte) string {
	sum := sha256.Sum256(manifest)
	return hex.EncodeToString(sum[:]) + "  " + manifestName + "\n"
}

// files returns all files of the case, but for the manifest.
func (m *Manifest) files() []File {
	list := []File{m.Index, m.Families}
	for _, s := range m.Segments {
		for k := range table.Kinds {
			for _, tables := range []map[string]File{s.Indexed, s.Others} {
				if f, ok := tables[k.String()]; ok {
					list = append(list, f)
				}
			}
		}
	}
	return list
}

// writeFile writes one file of a case, with its hash.
func writeFile(to *staging.Folder, path string, rows int64, write func(io.WriteSeeker) error) (File, error) {
	out, err := to.Create(path)
	if err != nil {
		return File{}, err
	}
	w := newHashed(out)
	if err = write(w); err == nil {
		err = w.flush()
	}
	if closeErr := out.Close(); err == nil {
		err = closeErr
	}
	return File{Path: path, Rows: rows, Bytes: w.n, SHA256: hex.EncodeToString(w.sum.Sum(nil)), Blocks: w.blocks}, err
}
