package main

import (
	"cmp"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// settings are the flags of bench peers, and what follows from them.
type settings struct {
	bin, peers, dir string
	size, grow      int64
	log, controller string
	revision        string
	pairs, threads  int
	only            string

	out       io.Writer
	generated bool            // log is one of ours
	self      string          // this program
	fresh     map[string]bool // what was made in this run
}

// comparePeers measures what is asked for, one line a comparison.
func comparePeers(args []string, out io.Writer) error {
	s := &settings{out: out, fresh: map[string]bool{}}
	flags := flag.NewFlagSet("bench peers", flag.ContinueOnError)
	flags.StringVar(&s.bin, "bin", "bin/knforensics", "the `program` to measure")
	flags.StringVar(&s.peers, "peers", "bin/peers", "`folder` with duckdb and naive, made from cmd/bench/peers")
	flags.StringVar(&s.dir, "dir", filepath.Join(os.TempDir(), "knforensics-bench"), "`folder` for logs and cases, which stay there")
	flags.Int64Var(&s.size, "size", 1<<30, "`bytes` of the log to generate")
	flags.Int64Var(&s.grow, "grow", 4, "how many `times` larger the log is that growth is measured with")
	flags.StringVar(&s.log, "log", "", "audit log to measure with: a `file` that is not compressed; generated if empty")
	flags.StringVar(&s.controller, "controller", "", "controller's log to measure with; generated if empty, unless -log is given")
	flags.StringVar(&s.revision, "rev", "", "`NAMESPACE/NAME` of a Revision in the log; needed with -log")
	flags.IntVar(&s.pairs, "pairs", 5, "how many `times` each comparison is run")
	flags.IntVar(&s.threads, "threads", 1, "`number` of threads for all")
	flags.StringVar(&s.only, "only", "", "`jobs` to run, all if empty: "+strings.Join(jobNames(), ","))
	if err := flags.Parse(args); err != nil {
		return err
	}
	s.only = cmp.Or(s.only, strings.Join(jobNames(), ","))
	if err := s.settle(); err != nil {
		return err
	}
	for name := range strings.SplitSeq(s.only, ",") {
		if err := s.job(name); err != nil {
			return fmt.Errorf("job %s: %w", name, err)
		}
	}
	return nil
}

// settle makes paths absolute, checks the rest and generates what is missing.
func (s *settings) settle() (err error) {
	for _, path := range []*string{&s.bin, &s.peers, &s.dir, &s.log, &s.controller} {
		if *path == "" {
			continue
		}
		if *path, err = filepath.Abs(*path); err != nil {
			return err
		}
	}
	for name := range strings.SplitSeq(s.only, ",") {
		if !slices.Contains(jobNames(), name) {
			return fmt.Errorf("no job %q: there are %s", name, strings.Join(jobNames(), ", "))
		}
	}
	if s.self, err = os.Executable(); err != nil {
		return err
	}
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return err
	}
	if s.generated = s.log == ""; s.generated {
		s.revision = generatedRevision(s.revision)
		if s.log, err = s.generate("audit", s.size); err != nil {
			return err
		}
	}
	if s.revision == "" {
		return fmt.Errorf("-log needs -rev, a Revision that is in it")
	}
	info, err := os.Stat(s.log)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(s.out, "log %s: %.2f GB, revision %s, %d thread(s), %d pairs after one warm-up; A = knforensics\n",
		s.log, float64(info.Size())/1e9, s.revision, s.threads, s.pairs)
	return err
}

// generate makes a log, unless it is there, with more flags.
func (s *settings) generate(what string, size int64, more ...string) (path string, err error) {
	path = filepath.Join(s.dir, fmt.Sprintf("%s-%d%s.log", what, size, strings.Join(more, "")))
	flags := []string{"generate", "-audit", path + ".part", "-size", strconv.FormatInt(size, 10)}
	if what == "controller" {
		flags = []string{"generate", "-controller", path + ".part", "-controller-size", strconv.FormatInt(size, 10)}
	}
	return path, s.make(path, func() error { return quietly(exec.Command(s.self, append(flags, more...)...)) }) //nolint:gosec // it is this program
}

// make makes a file out of the one with .part behind its name, unless it is
// there.
func (s *settings) make(path string, do func() error) error {
	if _, err := os.Stat(path); err == nil {
		return nil
	}
	if err := do(); err != nil {
		return fmt.Errorf("make %s: %w", path, err)
	}
	return os.Rename(path+".part", path)
}

// madeOf returns the path of what is made of a log.
func (s *settings) madeOf(log, extension string) (string, error) {
	info, err := os.Stat(log)
	if err != nil {
		return "", err
	}
	return filepath.Join(s.dir, fmt.Sprintf("%s-%d%s", filepath.Base(log), info.Size(), extension)), nil
}

// compressed returns a compressed copy of the log.
func (s *settings) compressed(format string) (string, error) {
	path, err := s.madeOf(s.log, "."+format)
	if err != nil {
		return "", err
	}
	return path, s.make(path, func() error {
		return create(path+".part", func(w io.Writer) error {
			cmd := exec.Command(s.self, "compress", "-to", format, s.log) //nolint:gosec // it is this program
			cmd.Stdout = w
			return quietly(cmd)
		})
	})
}

// quietly runs a command that says something only if it fails.
func quietly(cmd *exec.Cmd) error {
	var said strings.Builder
	cmd.Stderr = &said
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%w: %s", err, strings.TrimSpace(said.String()))
	}
	return nil
}

// say prints one line.
func (s *settings) say(format string, args ...any) error {
	_, err := fmt.Fprintf(s.out, format+"\n", args...)
	return err
}

// compare measures commands beside each other and prints the line.
func (s *settings) compare(c comparison) error {
	if c.pairs == 0 {
		c.pairs = s.pairs
	}
	line, err := c.line()
	if err != nil {
		return err
	}
	return s.say("%s", line)
}

// beside compares with a peer, or says that it is missing.
func (s *settings) beside(job, peer string, a *command, b *command, missing string) error {
	program, err := exec.LookPath(b.argv[0])
	if err != nil {
		return s.say("%-10s vs %-8s skipped: %s", job, peer, missing)
	}
	b.argv[0] = program
	c := comparison{job: job, peer: peer, a: a, b: b}
	if peer == "jq" || peer == "naive go" {
		c.pairs = min(s.pairs, 3) // they take long, and are far off
	}
	return s.compare(c)
}

var generation = regexp.MustCompile(`-[0-9]{5}$`)

// names returns the name of the Revision, and that of its Service.
func (s *settings) names() (name, root string) {
	_, name, _ = strings.Cut(s.revision, "/")
	return name, generation.ReplaceAllString(name, "")
}
