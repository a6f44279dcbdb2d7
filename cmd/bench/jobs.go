package main

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"github.com/knforensics/knforensics/ingest/synthetic"
)

// jobs are what is measured, in this order.
var jobs = []struct {
	name string
	run  func(*settings) error
}{
	{"timeline", (*settings).timeline},
	{"detect", (*settings).detect},
	{"all", (*settings).all},
	{"ingest", (*settings).ingest},
	{"reopen", (*settings).reopen},
	{"export", (*settings).export},
	{"size", (*settings).caseSize},
	{"threads", (*settings).twoThreads},
	{"zst", (*settings).zst},
	{"gz", (*settings).gz},
	{"controller", (*settings).controllerLog},
	{"growth", (*settings).growth},
	{"families", (*settings).families},
}

func jobNames() (names []string) {
	for _, j := range jobs {
		names = append(names, j.name)
	}
	return names
}

func (s *settings) job(name string) error {
	for _, j := range jobs {
		if j.name == name {
			return j.run(s)
		}
	}
	return nil // settle has checked it
}

func generatedRevision(asked string) string { return cmp.Or(asked, synthetic.Revision) }

// knforensics returns a command of ours with so many threads.
func (s *settings) knforensics(threads int, args ...string) *command {
	n := strconv.Itoa(threads)
	return &command{argv: append([]string{s.bin, args[0], "-q", "-j", n}, args[1:]...), env: []string{"GOMAXPROCS=" + n, "NO_COLOR=1"}}
}

func (s *settings) timelineOf(path string) *command { return s.timelineIn(s.threads, path) }

func (s *settings) timelineIn(threads int, path string) *command {
	return s.knforensics(threads, "timeline", "--rev", s.revision, "-o", "json", path)
}

func (s *settings) detectIn(threads int, path string, more ...string) *command {
	return s.knforensics(threads, append([]string{"detect", "-o", "json", "--fail-on", "none", "--allow-inconclusive", path}, more...)...)
}

// ingestOf makes a case anew.
func (s *settings) ingestOf(log, to string) *command {
	c := s.knforensics(s.threads, "ingest", "--bodies", "none", "-o", to, log)
	c.before = func() error { return os.RemoveAll(to) }
	return c
}

// caseOf returns a case of a log, which the first to ask has made.
func (s *settings) caseOf(log string) (string, error) {
	path, err := s.madeOf(log, ".case")
	if err != nil || s.fresh[path] {
		return path, err
	}
	s.fresh[path] = true
	used, err := s.ingestOf(log, path).run()
	if err == nil && used.code != 0 {
		err = fmt.Errorf("ingest %s: exit %d", log, used.code)
	}
	return path, err
}

// duckdb compares with DuckDB.
func (s *settings) duckdb(job string, a *command, statement string) error {
	argv := []string{filepath.Join(s.peers, "duckdb"), fmt.Sprintf("set threads=%d", s.threads), statement}
	return s.beside(job, "duckdb", a, &command{argv: argv}, "it did not build")
}

// naive compares with a program that decodes every event.
func (s *settings) naive(job string, a *command) error {
	name, _ := s.names()
	argv := []string{filepath.Join(s.peers, "naive"), s.log, name}
	return s.beside(job, "naive go", a, &command{argv: argv, env: []string{"GOMAXPROCS=" + strconv.Itoa(s.threads)}}, "it did not build")
}

func (s *settings) questions() statements {
	name, _ := s.names()
	return askDuckDB(s.log, filepath.Join(s.dir, "duckdb.parquet"), name)
}

func (s *settings) timeline() error {
	a := s.timelineOf(s.log)
	name, root := s.names()
	if err := s.duckdb("timeline", a, s.questions().timeline); err != nil {
		return err
	}
	rg := []string{"rg", "--no-config", "-j", strconv.Itoa(s.threads), "-F", "-e", name, "-e", root, s.log}
	if err := s.beside("timeline", "rg -F", a, &command{argv: rg}, "it is not installed"); err != nil {
		return err
	}
	jq := []string{"jq", "-c", "--arg", "name", name, `select(.objectRef.name == $name or ((.objectRef.name // "") | startswith($name + "-"))) | [.stageTimestamp, .verb, .objectRef.resource, .objectRef.name, .responseStatus.code]`, s.log}
	if err := s.beside("timeline", "jq", a, &command{argv: jq}, "it is not installed"); err != nil {
		return err
	}
	return s.naive("timeline", a)
}

func (s *settings) detect() error {
	a := s.detectIn(s.threads, s.log)
	if err := s.duckdb("detect", a, s.questions().detect); err != nil {
		return err
	}
	return s.naive("detect", a)
}

// all measures every detector beside the four that knforensics began with.
func (s *settings) all() error {
	const four = "below-initial-scale-ready,skipped-reconcile-pa,latest-ready-latch,route-read-before-track"
	return s.compare(comparison{job: "detect-all", peer: "four", a: s.detectIn(s.threads, s.log), b: s.detectIn(s.threads, s.log, "--detectors", four)})
}

func (s *settings) ingest() error {
	a := s.ingestOf(s.log, filepath.Join(s.dir, "case"))
	if err := s.duckdb("ingest", a, s.questions().ingest); err != nil {
		return err
	}
	return s.naive("ingest", a)
}

// reopen measures one Revision from a case.
func (s *settings) reopen() error {
	kept, err := s.caseOf(s.log)
	if err != nil {
		return err
	}
	made := command{argv: []string{filepath.Join(s.peers, "duckdb"), s.questions().ingest}}
	_, _ = made.run() // where DuckDB is missing, duckdb says so
	return s.duckdb("reopen", s.timelineOf(kept), s.questions().reopen)
}

// export measures an export beside the ingest that made the case.
func (s *settings) export() error {
	kept, err := s.caseOf(s.log)
	if err != nil {
		return err
	}
	to := filepath.Join(s.dir, "export")
	a := s.knforensics(s.threads, "export", "--to", "parquet", "-o", to, kept)
	a.before = func() error { return os.RemoveAll(to) }
	return s.compare(comparison{job: "export", peer: "ingest", a: a, b: s.ingestOf(s.log, filepath.Join(s.dir, "case"))})
}

// caseSize weighs a case without bodies.
func (s *settings) caseSize() error {
	kept, err := s.caseOf(s.log)
	if err != nil {
		return err
	}
	var size int64
	err = filepath.WalkDir(kept, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			size += info.Size()
		}
		return err
	})
	if err != nil {
		return err
	}
	info, err := os.Stat(s.log)
	if err != nil {
		return err
	}
	return s.say("%-10s vs %-8s %d / %d bytes   A/B %.4f", "case-size", "log", size, info.Size(), float64(size)/float64(info.Size()))
}

// twoThreads tells by the wall ratio what a second thread is worth. It needs
// two idle cores.
func (s *settings) twoThreads() error {
	return s.compare(comparison{job: "detect-j2", peer: "-j 1", a: s.detectIn(2, s.log), b: s.detectIn(1, s.log)})
}

func (s *settings) zst() error {
	path, err := s.compressed("zst")
	if err != nil {
		return err
	}
	return s.compare(comparison{job: "detect-zst", peer: "plain", a: s.detectIn(s.threads, path), b: s.detectIn(s.threads, s.log)})
}

// gz measures beside decompressing alone: the wall ratio tells whether more
// than that is waited for. It needs two idle cores.
func (s *settings) gz() error {
	path, err := s.compressed("gz")
	if err != nil {
		return err
	}
	alone := &command{argv: []string{s.self, "decompress", path}}
	if err := s.compare(comparison{job: "timeline-gz", peer: "gunzip", a: s.timelineIn(2, path), b: alone}); err != nil {
		return err
	}
	return s.compare(comparison{job: "detect-gz", peer: "gunzip", a: s.detectIn(2, path), b: alone})
}

// controllerLog measures a controller's log beside the audit log, by bytes a
// second of CPU.
func (s *settings) controllerLog() error {
	if s.controller == "" {
		if !s.generated {
			return s.say("%-10s vs %-8s skipped: no -controller with -log", "controller", "audit")
		}
		var err error
		if s.controller, err = s.generate("controller", s.size/4); err != nil {
			return err
		}
	}
	logs, err := os.Stat(s.controller)
	if err != nil {
		return err
	}
	audit, err := os.Stat(s.log)
	if err != nil {
		return err
	}
	return s.compare(comparison{job: "controller", peer: "audit", a: s.detectIn(s.threads, s.controller), b: s.detectIn(s.threads, s.log), note: func(a, b usage) string {
		return fmt.Sprintf("bytes a second %.3f", float64(logs.Size())/a.cpu/(float64(audit.Size())/b.cpu))
	}})
}

// growth measures what a log that is several times longer takes.
func (s *settings) growth() error {
	if !s.generated {
		return s.say("%-10s vs %-8s skipped: only generated logs can grow", "growth", "1x")
	}
	large, err := s.generate("audit", s.size*s.grow)
	if err != nil {
		return err
	}
	made, peak := filepath.Join(s.dir, "case"), func(a, b usage) string { return fmt.Sprintf("peak %.3f", a.peak/max(b.peak, 1e-3)) }
	for _, c := range []comparison{
		{job: "timeline", a: s.timelineOf(large), b: s.timelineOf(s.log)},
		{job: "detect", a: s.detectIn(s.threads, large), b: s.detectIn(s.threads, s.log)},
		{job: "ingest", a: s.ingestOf(large, made), b: s.ingestOf(s.log, made)},
	} {
		c.note = peak
		if err := s.grown(c); err != nil {
			return err
		}
	}
	return nil
}

// families measures one Revision from a case of a log that is several times longer
// and tells of so many times the families, so that each is about as large as before:
// what an answer costs that has to be found among more.
func (s *settings) families() error {
	if !s.generated {
		return s.say("%-10s vs %-8s skipped: only generated logs can grow", "families", "1x")
	}
	large, err := s.generate("audit", s.size*s.grow, "-services", strconv.FormatInt(synthetic.Services*s.grow, 10))
	if err != nil {
		return err
	}
	kept, err := s.caseOf(s.log)
	if err != nil {
		return err
	}
	keptLarge, err := s.caseOf(large)
	if err != nil {
		return err
	}
	return s.grown(comparison{job: "reopen", a: s.timelineOf(keptLarge), b: s.timelineOf(kept),
		note: func(a, b usage) string {
			return fmt.Sprintf("answer %.3f", float64(a.answer)/float64(max(b.answer, 1)))
		}})
}

// grown compares with a log that is several times larger.
func (s *settings) grown(c comparison) error {
	c.job, c.peer, c.pairs = fmt.Sprintf("%s%dx", c.job, s.grow), "1x", min(s.pairs, 3)
	return s.compare(c)
}
