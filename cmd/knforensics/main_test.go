package main

import (
	"errors"
	"flag"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "rewrite the golden parts of the scripts")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"knforensics": main, asPlugin: main, asCompleter: main})
}

// TestScripts runs testdata/script. $SAMPLES is the folder samples.
func TestScripts(t *testing.T) {
	samples, err := filepath.Abs("../../samples")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:           "testdata/script",
		UpdateScripts: *update,
		Setup: func(env *testscript.Env) error {
			env.Setenv("SAMPLES", samples)
			env.Setenv("KNFORENSICS_COMPLETION_TIME", "1m") // with the race detector it takes its time
			return nil
		},
	})
}

// many skips a test that reads many logs where only a short run is wanted, as
// with the race detector: what it covers, others run too.
func many(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("reads many logs")
	}
}

type panics struct{ with any }

func (p panics) Read([]byte) (int, error) { panic(p.with) }

// TestInternalError: a mistake of the program is no wrong usage, and what it tells does
// nothing to a terminal.
func TestInternalError(t *testing.T) {
	var out, errs strings.Builder
	code := run([]string{"show", "abcd", "-"}, panics{errors.New("a mistake\nat \x1b[31mevil")}, &out, &errs)
	if want := "knforensics: internal error: a mistake\nat \\x1b[31mevil\n"; code != exitInternal || errs.String() != want {
		t.Errorf("%d, %q", code, errs.String())
	}
}
