package source

import (
	"bytes"
	"errors"
)

// Bounds on what is unpacked from one input. Logs are packed a hundredfold or
// two; what is made to fill memory or to take hours, many thousandfold. Zeros
// pack as well as that: a hole that copytruncate left is allowed for.
const (
	maxRatio = 2000    // bytes unpacked for each stored one
	maxHole  = 1 << 30 // zeros beside those
	minStore = 4 << 10 // stored bytes that any input is taken to have
)

var errRatio = errors.New("it unpacks to more than 2,000 times what is stored: unpack it first")

// allowance is what an input may still unpack to, in all its layers and
// members together.
type allowance struct {
	stored      func() int64 // bytes of the input that were read so far
	data, zeros int64        // bytes that were unpacked
	err         error        // once it is used up
}

// use takes bytes that were unpacked off the allowance.
func (a *allowance) use(p []byte) error {
	zeros := int64(bytes.Count(p, []byte{0}))
	a.zeros += zeros
	a.data += int64(len(p)) - zeros
	if a.data+max(0, a.zeros-maxHole) > maxRatio*(a.stored()+minStore) {
		a.err = errRatio
	}
	return a.err
}
