package render

import (
	"strings"

	"github.com/knforensics/knforensics/detectors"
)

// Text writes lines of text as they are; it is for text of this program's own.
func (p *Page) Text(text string) {
	for l := range strings.SplitSeq(text, "\n") {
		p.line(l)
	}
}

// Manuals writes the manuals of detectors, or only their titles. Those of rules
// are text of a user's file.
func (p *Page) Manuals(list []*detectors.Detector, whole bool) {
	for _, d := range list {
		if !whole {
			p.line(pad(d.Name, 28), Safe(d.Title()))
			continue
		}
		p.line(p.look.accent.Render(d.Name))
		p.line()
		for l := range strings.SplitSeq(d.Doc(), "\n") {
			p.line(Safe(l))
		}
		p.line("Facts: ", strings.Join(d.Facts, ", "))
	}
}

type manualDoc struct {
	Detector string   `json:"detector"`
	Title    string   `json:"title"`
	Manual   string   `json:"manual"`
	Facts    []string `json:"facts"`
}

// ManualsJSON makes the document of "explain -o json".
func ManualsJSON(list []*detectors.Detector) any {
	docs := []manualDoc{}
	for _, d := range list {
		docs = append(docs, manualDoc{d.Name, d.Title(), d.Doc(), d.Facts})
	}
	return struct {
		Schema    string      `json:"schema"`
		Detectors []manualDoc `json:"detectors"`
	}{"knforensics.detectors/v1", docs}
}
