package main

import (
	"fmt"
	"slices"
	"strings"
)

// comparison is two commands that are run in turn, A B A B and so on.
type comparison struct {
	job, peer string
	a, b      *command
	pairs     int
	note      func(a, b usage) string // said of the medians at the end of the line; may be nil
}

// line measures a comparison and puts it into one line: the medians of both,
// and those of the ratios of each pair. The first pair only brings the files
// into the page cache.
func (c *comparison) line() (string, error) {
	var as, bs []usage
	for i := range c.pairs + 1 {
		a, err := c.a.run()
		if err != nil {
			return "", err
		}
		b, err := c.b.run()
		if err != nil {
			return "", err
		}
		// 1 is findings or no line found, 3 is undecided.
		if a.code != 0 && a.code != 1 && a.code != 3 || b.code != 0 && b.code != 1 && b.code != 3 {
			return fmt.Sprintf("%-10s vs %-8s failed: exit %d / %d: %s", c.job, c.peer, a.code, b.code, strings.Join(c.a.argv, " ")), nil
		}
		if i > 0 {
			as, bs = append(as, a), append(bs, b)
		}
	}
	a, b := middle(as), middle(bs)
	text := fmt.Sprintf("%-10s vs %-8s cpu %7.3f / %7.3f s   wall %7.3f / %7.3f s   peak %6.0f / %6.0f MiB   A/B cpu %.3f  wall %.3f",
		c.job, c.peer, a.cpu, b.cpu, a.wall, b.wall, a.peak, b.peak,
		ratio(as, bs, func(u usage) float64 { return u.cpu }), ratio(as, bs, func(u usage) float64 { return u.wall }))
	if c.note != nil {
		text += "  " + c.note(a, b)
	}
	return text, nil
}

func middle(list []usage) usage {
	of := func(what func(usage) float64) float64 {
		var values []float64
		for _, u := range list {
			values = append(values, what(u))
		}
		return median(values)
	}
	return usage{
		cpu:    of(func(u usage) float64 { return u.cpu }),
		wall:   of(func(u usage) float64 { return u.wall }),
		peak:   of(func(u usage) float64 { return u.peak }),
		answer: answer(of(func(u usage) float64 { return float64(u.answer) })),
	}
}

// ratio returns the median of the ratios of pairs.
func ratio(as, bs []usage, what func(usage) float64) float64 {
	var values []float64
	for i := range as {
		values = append(values, what(as[i])/max(what(bs[i]), 1e-3))
	}
	return median(values)
}

func median(values []float64) float64 {
	values = slices.Sorted(slices.Values(values))
	n := len(values)
	if n == 0 {
		return 0
	}
	return (values[(n-1)/2] + values[n/2]) / 2
}
