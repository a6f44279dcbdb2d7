package render

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/knforensics/knforensics/detectors"
)

// CheckResult is how a fixture compares with its expectations.
type CheckResult struct {
	Fixture      string
	File         string // with the expectations, empty if there is none
	Expectations int
	Differences  []Difference
	Lost         []string             // of the inputs, where one question is asked of them
	Undecided    string               // why there is no answer, empty if there is one
	Open         []*detectors.Finding // about which there is none
}

// Difference is an expectation that is not met, or something that is not expected.
type Difference struct {
	Detector string
	Line     int    // of the expectation, or of the list in which there is none; 0 if there is no file
	About    string // what is expected otherwise: an object and one thing about it
	Text     string
	Found    *detectors.Finding // that is not expected, nil if one is missing or differs
}

// fingerprint names a difference by what it is about, and not by where that stands.
func (d *Difference) fingerprint() string {
	if d.Found != nil {
		return d.Found.Fingerprint()
	}
	sum := sha256.Sum256([]byte(d.Detector + "\x00" + d.About))
	return hex.EncodeToString(sum[:16])
}

// Check is how fixtures compare with their expectations, to be shown.
type Check struct {
	Clock   Clock
	Version string
	Asked   []*detectors.Detector // and rules
	Results []CheckResult
}

// Failed reports whether a fixture differs.
func (c *Check) Failed() bool {
	for _, r := range c.Results {
		if len(r.Differences) > 0 {
			return true
		}
	}
	return false
}

// passed reports whether all is as expected.
func (r *CheckResult) passed() bool { return len(r.Differences) == 0 && r.Undecided == "" }

// tally counts the fixtures that passed and those that failed, and those without an
// answer if there are any.
func (c *Check) tally() string {
	passed, failed := 0, 0
	for _, r := range c.Results {
		switch {
		case r.passed():
			passed++
		case len(r.Differences) > 0:
			failed++
		}
	}
	text := fmt.Sprintf("%d passed, %d failed", passed, failed)
	if n := len(c.Results) - passed - failed; n > 0 {
		text += fmt.Sprintf(", %d undecided", n)
	}
	return text
}

// Checks writes one line a fixture, and one for each difference below it.
func (p *Page) Checks(c *Check) {
	for _, r := range c.Results {
		if len(r.Differences) == 0 {
			p.line(p.look.good.Render("ok    "), Safe(r.Fixture), "  ", p.look.faint.Render(count(int64(r.Expectations), "expectation", "expectations")))
			continue
		}
		p.line(p.look.bad.Render("FAIL  "), Safe(r.Fixture))
		for _, d := range r.Differences {
			p.line("      ", Safe(d.Text))
		}
	}
	p.line(c.tally())
}

type checkDoc struct {
	Fixture     string   `json:"fixture"`
	Passed      bool     `json:"passed"`
	Differences []string `json:"differences"`
}

// JSON makes the document of "check -o json".
func (c *Check) JSON() any {
	docs := []checkDoc{}
	for _, r := range c.Results {
		differences := []string{}
		for _, d := range r.Differences {
			differences = append(differences, d.Text)
		}
		docs = append(docs, checkDoc{r.Fixture, r.passed(), differences})
	}
	return struct {
		Schema string     `json:"schema"`
		Checks []checkDoc `json:"checks"`
	}{"knforensics.check/v1", docs}
}
