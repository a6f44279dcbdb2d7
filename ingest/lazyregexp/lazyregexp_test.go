package lazyregexp_test

import (
	"testing"

	"github.com/knforensics/knforensics/ingest/lazyregexp"
)

func TestNew(t *testing.T) {
	digits := lazyregexp.New(`^\d+$`)
	if first, second := digits(), digits(); !first.MatchString("12") || first != second {
		t.Error("it is not compiled once")
	}
	broken := lazyregexp.New(`(`) // says nothing yet
	defer func() {
		if recover() == nil {
			t.Error("it is no expression, and was compiled")
		}
	}()
	broken()
}
