package source

import (
	"io"

	"github.com/klauspost/compress/zstd"
	"github.com/therootcompany/xz"
)

// maxWindow bounds the memory that a zstd frame or an xz block can ask for.
const maxWindow = 256 << 20

// spare are the decoders of an input that are not in use. Each keeps its window:
// a member of an archive takes a few bytes to ask for one, and there can be many.
type spare struct {
	zstd []*zstd.Decoder
	xz   []*xz.Reader
}

// openZstd returns what r unpacks to, and what to call when it is done with. A
// decoder of one thread holds nothing but memory.
func (s *spare) openZstd(r io.Reader) (io.Reader, func(), error) {
	var z *zstd.Decoder
	var err error
	if n := len(s.zstd); n > 0 {
		z, s.zstd = s.zstd[n-1], s.zstd[:n-1]
		err = z.Reset(r)
	} else {
		z, err = zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
	}
	return z, func() { s.zstd = append(s.zstd, z) }, err
}

// openXZ does the same for xz.
func (s *spare) openXZ(r io.Reader) (io.Reader, func(), error) {
	var x *xz.Reader
	var err error
	if n := len(s.xz); n > 0 {
		x, s.xz = s.xz[n-1], s.xz[:n-1]
		err = x.Reset(r)
	} else {
		x, err = xz.NewReader(r, maxWindow)
	}
	return x, func() { s.xz = append(s.xz, x) }, err
}
