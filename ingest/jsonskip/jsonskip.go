// Package jsonskip finds the end of a JSON object or array by looking at
// quotes, backslashes and brackets only. It passes over the bodies of audit
// events that nobody asked about: objects of up to 2 MB, made of many short
// strings, in which a scanner that goes from token to token spends its time on
// wrong guesses of where the next one ends.
//
// # How it works
//
// The text is taken in blocks of 64 bytes. What matters about a block is put
// into masks of 64 bits, one for each byte, so that a few instructions do for
// a whole block what would be a branch for each byte. A part of a block, its
// first byte on the left:
//
//	{"a\\":"{\"","b":[7]}
//	...11....1...........  backslashes
//	....1.....1..........  escaped: behind an odd number of backslashes
//	.1...1.1...1.1.1.....  quotes, without those that are escaped
//	.1111..1111..11......  inside of strings
//	1................1...  opening brackets, without those inside
//	...................11  closing brackets, without those inside
//
// A byte is inside of a string if the number of quotes up to it is odd. Inside
// is therefore the running exclusive or of quotes, which is their carry-less
// product with a number of all ones. Counting the bits of the last two masks
// keeps the depth. Only in a block with at least as many closing brackets as
// there are containers open, they are looked at one by one.
//
// Three things go from one block to the next: the depth, whether the next byte
// is escaped, and whether it is inside of a string.
//
// There are two implementations, which give the same result for any bytes: one
// in assembly, for amd64 with AVX2 and PCLMULQDQ, and one in Go, for all
// else and for the build tag purego. The way is that of simdjson: Langdale and
// Lemire, "Parsing Gigabytes of JSON per Second", The VLDB Journal 28 (2019),
// https://arxiv.org/abs/1902.08318.
package jsonskip

// blockSize is how many bytes are looked at together.
const blockSize = 64

// state is what the blocks read tell about those that follow. The assembly
// knows where its fields are.
type state struct {
	depth   int    // containers that are open
	escaped uint64 // 1 if the next byte is escaped, else 0
	inside  uint64 // all ones if the next byte is inside of a string, else 0
}

// End returns the offset just behind the object or array that data starts
// with, and -1 if data ends before it does or starts with something else.
//
// It does not validate. For any bytes the end is behind the byte that brings
// the depth back to 0, where outside of strings { and [ add one and } and ]
// take one away, whether or not they match; a quote begins or ends a string
// unless an odd number of backslashes stands right before it, even outside of
// strings. In valid JSON that is the end of the value.
func End(data []byte) int {
	if len(data) == 0 || data[0] != '{' && data[0] != '[' {
		return -1
	}
	var s state
	whole := len(data) &^ (blockSize - 1)
	if end := blocks(&s, data[:whole]); end >= 0 {
		return end
	}
	var last [blockSize]byte // the rest, and zeros, which mean nothing
	copy(last[:], data[whole:])
	if end := blocks(&s, last[:]); end >= 0 {
		return whole + end
	}
	return -1
}
