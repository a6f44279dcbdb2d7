package jsonskip

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/knforensics/knforensics/ingest/fuzzing"
)

// reference is End as its doc has it, a byte at a time.
func reference(data []byte) int {
	if len(data) == 0 || data[0] != '{' && data[0] != '[' {
		return -1
	}
	depth, backslashes, inside := 0, 0, false
	for i, c := range data {
		switch {
		case c == '"' && backslashes%2 == 0:
			inside = !inside
		case !inside && (c == '{' || c == '['):
			depth++
		case !inside && (c == '}' || c == ']'):
			if depth--; depth == 0 {
				return i + 1
			}
		}
		if c == '\\' {
			backslashes++
		} else {
			backslashes = 0
		}
	}
	return -1
}

// check holds each implementation against want.
func check(t *testing.T, data []byte, want int) {
	t.Helper()
	withEach(func(name string) {
		if got := End(data); got != want {
			t.Fatalf("%s: End is %d, want %d: %.300q", name, got, want, data)
		}
	})
}

var texts = []struct {
	text string
	want int
}{
	{``, -1}, {`{`, -1}, {`[`, -1}, {`{}`, 2}, {`[]`, 2}, {`{},{}`, 2}, {`[[],{}] `, 7},
	{`"{}"`, -1}, {` {}`, -1}, {`}{}`, -1}, {`null`, -1}, {"\x00{}", -1},
	{`{"a":"}"}`, 9}, {`{"a":"\"}"}`, 11}, {`{"a":"\\"}}`, 10}, {`{"a\\":"{\"","b":[7]}`, 21},
	{`{"a":"}`, -1}, {`{"a":"\"}`, -1}, {`{"a":"\`, -1},
	{`{]`, 2}, {`[{]]`, 4}, {`{\"}`, 4}, {`{\\"}`, -1}, {`{\\"}"}`, 7}, {`{"\"}"]`, 7},
	{"{\xfd\xdd\xa2\xdc}", 6}, {`{|Y_y~}`, 7}, {"{\x7f\x02\x03\x1b\x1d}", 7},
}

func TestEnd(t *testing.T) {
	for _, c := range texts {
		check(t, []byte(c.text), c.want)
	}
}

// TestLengths has values of all lengths around those of words and blocks, at
// the end of the text, cut short, and with another value behind.
func TestLengths(t *testing.T) {
	for n := 2; n < 300; n++ {
		for _, value := range []string{
			"{" + strings.Repeat("a", n-2) + "}",
			"[" + strings.Repeat(`"]",`, n)[:(n-2)/4*4] + strings.Repeat(" ", (n-2)%4) + "]",
		} {
			check(t, []byte(value), n)
			check(t, []byte(value)[:n-1], -1)
			check(t, []byte(value+value), n)
		}
	}
}

// TestBackslashes has runs of backslashes across the bounds of words and
// blocks, before a quote that they escape or do not, in a string and outside.
func TestBackslashes(t *testing.T) {
	for before := range 140 {
		for run := range 140 {
			for _, start := range []string{"{", `{"`} {
				data := []byte(start + strings.Repeat("a", before) + strings.Repeat(`\`, run) + `"}"}`)
				check(t, data, reference(data))
			}
		}
	}
}

// TestBits puts each byte at each place of a block.
func TestBits(t *testing.T) {
	for c := range 256 {
		for at := 1; at < blockSize; at++ {
			data := []byte("{" + strings.Repeat(" ", blockSize) + `}"}`)
			data[at] = byte(c)
			check(t, data, reference(data))
		}
	}
}

func TestDeep(t *testing.T) {
	for _, depth := range []int{1, 31, 32, 33, 63, 64, 65, 127, 1 << 20} {
		value := append(bytes.Repeat([]byte("["), depth), bytes.Repeat([]byte("}"), depth)...)
		check(t, value, 2*depth)
		check(t, value[:2*depth-1], -1)
		check(t, append(value, ']', '['), 2*depth)
	}
}

// TestRandom has texts of the bytes that matter and of some that look alike.
func TestRandom(t *testing.T) {
	const alphabet = `{{{[}}]"""\\\ a|Y` + "\xfb\xdd\xa2\xdc\x00"
	random := rand.New(rand.NewPCG(1, 2))
	for range 100_000 {
		data := make([]byte, 1+random.IntN(400))
		letters := 4 + random.IntN(len(alphabet)-3)
		for i := range data {
			data[i] = alphabet[random.IntN(letters)]
		}
		data[0] = '{'
		check(t, data, reference(data))
	}
}

// FuzzEnd: each implementation finds the end that the reference finds.
func FuzzEnd(f *testing.F) {
	for _, c := range texts {
		f.Add([]byte(c.text))
	}
	f.Add([]byte(`{"a":[` + strings.Repeat(`{"b\\\"":"}"},`, 40) + `{}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		fuzzing.Bounded(t, len(data), func() { check(t, data, reference(data)) })
	})
}

func TestEndAllocatesNothing(t *testing.T) {
	data := []byte(`{"a":{"b":[1,2,{"c":null}],"d":"x"},"e":[true,"` + strings.Repeat("long", 20) + `"]}`)
	withEach(func(name string) {
		if n := testing.AllocsPerRun(100, func() { End(data) }); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	})
}
