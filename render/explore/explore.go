// Package explore shows Revisions, their timelines, records and findings in a
// terminal, to be browsed by keys. It shows what the text forms of package render
// show, and decides nothing.
//
// Model holds the pages that were opened, the last of them shown. update.go has
// the keys that all pages share, view.go the frame around them. Each page has a
// file with what it lists and the keys of its own.
package explore

import (
	"context"
	"errors"
	"fmt"
	"os"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"github.com/knforensics/knforensics/render"
	"github.com/knforensics/knforensics/timeline"
)

// Data is what is browsed. Story and Records take their time: they are called one
// after the other, beside the keys.
type Data struct {
	*render.Detection
	Revisions []render.RevisionRow
	// Story tells what happened to an object and its family. Of several that had the
	// name, it is about the one with the uid, if there is one.
	Story func(cluster string, object timeline.Ref, uid string) (*render.Story, error)
	// Records reads the records of a place again, each with its difference to the
	// state before.
	Records func(context.Context, Proof) ([]render.Record, error)
	// Manual returns the manual of a detector, "" if there is none.
	Manual func(detector string) string
}

// Proof is the place of a record.
type Proof struct {
	timeline.Source
	Name string // of the object that it is about, "" if that is not known: with it, it is found sooner
}

// Terminal is what the data is browsed on.
type Terminal struct {
	In, Out *os.File
	Colored bool
	ASCII   bool // it shows no characters but those of ASCII
	All     bool // show rows that matter less, too
}

// ErrInterrupted says that Ctrl-C was pressed.
var ErrInterrupted = errors.New("interrupted")

// Run shows data on a terminal until the user or ctx ends it. The terminal is then
// as it was before.
func Run(ctx context.Context, data Data, t Terminal) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	profile := colorprofile.Ascii
	if t.Colored {
		profile = colorprofile.ANSI
	}
	m := newModel(ctx, data, newLook(t.Colored, t.ASCII), t.All)
	_, err := tea.NewProgram(m, tea.WithContext(ctx), tea.WithInput(t.In), tea.WithOutput(t.Out),
		tea.WithColorProfile(profile), tea.WithoutSignalHandler()).Run()
	switch {
	case errors.Is(err, tea.ErrInterrupted), ctx.Err() != nil:
		return ErrInterrupted
	case err != nil:
		return fmt.Errorf("draw on the terminal: %w", err)
	}
	return nil
}
