// Command bench measures knforensics beside its peers on the same file, in one
// run: DuckDB, ripgrep, jq, and a program as one writes it in an afternoon. The
// limits that knforensics has to stay within on any machine are tests of this
// package; docs/performance.md says how to run both.
//
//	bench peers [flags]             measure, one line a comparison
//	bench generate [flags]          write an audit log and a controller's log
//	bench compress -to FORMAT FILE  write FILE as gzip or zstd to standard output
//	bench decompress FILE           read a gzip file, and do nothing with it
package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/knforensics/knforensics/ingest/synthetic"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintf(os.Stderr, "bench: %s\n", err)
		os.Exit(2)
	}
}

func run(args []string, out io.Writer) error {
	if len(args) == 0 {
		return errors.New("what to do: peers, generate, compress or decompress")
	}
	switch rest := args[1:]; args[0] {
	case "peers":
		return comparePeers(rest, out)
	case "generate":
		return generate(rest)
	case "compress":
		return compress(rest, out)
	case "decompress":
		return decompress(rest)
	}
	return fmt.Errorf("unknown command %q", args[0])
}

// generate writes logs of a cluster that never was.
func generate(args []string) error {
	var o synthetic.Options
	flags := flag.NewFlagSet("bench generate", flag.ContinueOnError)
	audit := flags.String("audit", os.DevNull, "`file` for the audit log")
	controller := flags.String("controller", os.DevNull, "`file` for the controller's log")
	flags.Int64Var(&o.Audit, "size", 0, "`bytes` of the audit log")
	flags.Int64Var(&o.Controller, "controller-size", 0, "`bytes` of the controller's log")
	flags.Uint64Var(&o.Seed, "seed", 42, "another `number` gives other logs")
	flags.IntVar(&o.Services, "services", 0, "`number` of Services that are rolled out again and again (default 120)")
	flags.DurationVar(&o.Between, "between", 0, "mean `time` between rollouts, which sets the share of Knative lines (default 1.4s)")
	if err := flags.Parse(args); err != nil {
		return err
	}
	return create(*audit, func(a io.Writer) error {
		return create(*controller, func(c io.Writer) error { return synthetic.Write(a, c, o) })
	})
}

// create writes a file.
func create(path string, write func(io.Writer) error) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(write(f), f.Close())
}

// compress compresses as `gzip -6` and `zstd -3` do.
func compress(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("bench compress", flag.ContinueOnError)
	format := flags.String("to", "gz", "gz or zst")
	if err := flags.Parse(args); err != nil {
		return err
	}
	f, err := os.Open(flags.Arg(0))
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	var w io.WriteCloser
	switch *format {
	case "gz":
		w, err = gzip.NewWriterLevel(out, 6)
	case "zst":
		w, err = zstd.NewWriter(out)
	default:
		err = fmt.Errorf("no format %q", *format)
	}
	if err != nil {
		return err
	}
	_, err = io.Copy(w, f)
	return errors.Join(err, w.Close())
}

// decompress reads a gzip file with the library that knforensics reads it with.
func decompress(args []string) error {
	if len(args) != 1 {
		return errors.New("decompress one file")
	}
	f, err := os.Open(args[0])
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	z, err := gzip.NewReader(bufio.NewReaderSize(f, 1<<18))
	if err != nil {
		return fmt.Errorf("decompress %s: %w", args[0], err)
	}
	if _, err := io.CopyBuffer(struct{ io.Writer }{io.Discard}, z, make([]byte, 1<<18)); err != nil {
		return fmt.Errorf("decompress %s: %w", args[0], err)
	}
	return nil
}
