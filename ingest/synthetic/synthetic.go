// Package synthetic writes the logs of a cluster with Knative that never was,
// for benchmarks and tests of speed: as many bytes as are asked for, the same
// ones for the same Options.
//
// The audit log has what an API server of a middle-sized cluster is asked:
// leases, Pods, nodes, TokenReviews, watches and probes without bodies
// (background.go), and rollouts of Services with their families, whose writes
// have bodies with managed fields (rollout.go, family.go). One write of forty
// meets a conflict, and one rollout of twenty-five is written Ready before its
// replicas are. The controller's log has the lines of the same rollouts at
// level debug (controller.go).
package synthetic

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"time"
)

// Revision is the namespace and name of a Revision that is rolled out in the
// first seconds of every log of 19 Services or more.
const Revision = "team-b/email-018-00002"

// Services is how many are rolled out again and again, unless Options say it.
const Services = 120

// Options say what to write.
type Options struct {
	Seed       uint64
	Audit      int64 // bytes of the audit log; a little more is written
	Controller int64 // bytes of the controller's log, likewise
	Services   int   // how many are rolled out again and again; the constant Services if 0

	// Between is the mean time between rollouts, 1.4 s if 0. It sets the share
	// of lines about objects of Knative, since a background request comes every
	// 6 ms whatever it is: with 1.4 s that is a tenth, and a third of the bytes.
	Between time.Duration
}

// Write writes an audit log and a controller's log of the same time, until
// each has the bytes asked for.
func Write(audit, controller io.Writer, o Options) error {
	c := newCluster(audit, controller, o.Seed)
	c.plan(o)
	for c.audit.written < o.Audit || c.controller.written < o.Controller {
		c.step()
	}
	return c.flush()
}

func newCluster(audit, controller io.Writer, seed uint64) *cluster {
	c := &cluster{
		rng:        rand.New(rand.NewPCG(seed, 0)), //nolint:gosec // has to be the same every time
		audit:      output{w: bufio.NewWriterSize(audit, 1<<20)},
		controller: output{w: bufio.NewWriterSize(controller, 1<<20)},
		version:    100_000,
	}
	c.people()
	return c
}

func (c *cluster) flush() error {
	if err := c.audit.w.Flush(); err != nil {
		return fmt.Errorf("write the audit log: %w", err)
	}
	if err := c.controller.w.Flush(); err != nil {
		return fmt.Errorf("write the controller's log: %w", err)
	}
	return nil
}

// Lines returns the lines of both logs, without their ends.
func Lines(o Options) (audit, controller [][]byte) {
	var a, c bytes.Buffer
	_ = Write(&a, &c, o) // a Buffer takes all
	split := func(log []byte) [][]byte { return bytes.Split(bytes.TrimSuffix(log, []byte("\n")), []byte("\n")) }
	return split(a.Bytes()), split(c.Bytes())
}

// output is a log that is written. Its first error comes back from Flush.
type output struct {
	w       *bufio.Writer
	written int64
	line    []byte // the line under way, kept for its memory
}

func (o *output) end() {
	o.line = append(o.line, '\n')
	n, _ := o.w.Write(o.line)
	o.written += int64(n)
}
