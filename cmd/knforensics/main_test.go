package main

import (
	"flag"
	"path/filepath"
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
