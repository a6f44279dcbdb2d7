package source

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"sync/atomic"

	"github.com/klauspost/compress/gzip"
)

// maxLayers is how many compressions are peeled off one input.
const maxLayers = 4

const bufferSize = 256 << 10

// Stream is an opened input, decompressed.
type Stream struct {
	*bufio.Reader
	Wrappers []string // compressions and archives, outermost first
	Archive  bool     // its members were passed on before it
	Trouble  error    // why not all of an archive was read
	passed   bool     // something before the text was passed over
	decoded  bool     // the text was in an encoding
	nested   int      // in how many archives it is
	raw      *counter
	sum      hash.Hash
	closers  []func()

	allowance *allowance // both are shared by the members of an archive
	spare     *spare
}

// Open opens the input and peels its compression off; damage within that is an
// error of reading from the stream. With sum, the SHA-256 of the stored bytes
// is computed on the way. An input given by name that cannot be opened is an
// error of the whole run, others are skipped: see Named.
func (in *Input) Open(sum bool) (*Stream, error) {
	s := &Stream{}
	raw := in.stdin
	if kept, ok := raw.(Kept); ok {
		_, _ = kept.Seek(0, io.SeekStart) // what fails here fails when it is read
	}
	if in.Path != Stdin {
		f, err := os.Open(in.Path)
		if err != nil {
			return nil, fmt.Errorf("open %s: %w", in.Path, reason(err))
		}
		s.closers = append(s.closers, func() { _ = f.Close() })
		raw = f
	}
	if sum {
		s.sum = sha256.New()
		raw = io.TeeReader(raw, s.sum)
	}
	s.raw = &counter{r: raw}
	s.allowance, s.spare = &allowance{stored: s.raw.n.Load}, &spare{}
	s.Reader = bufio.NewReaderSize(s.raw, bufferSize)
	s.unwrap()
	return s, nil
}

// unwrap peels compression off, and the encoding of the text in it.
func (s *Stream) unwrap() {
	for range maxLayers {
		wrapper, inner := s.peel()
		if wrapper == "" {
			break
		}
		s.Wrappers = append(s.Wrappers, wrapper)
		s.Reader = bufio.NewReaderSize(&layer{inner, wrapper, s.allowance}, bufferSize)
	}
	s.decode()
}

// AsStored reports whether the text is all that is stored, as it is there, and who
// reads it need not go through the Stream.
func (s *Stream) AsStored() bool {
	return len(s.Wrappers) == 0 && !s.passed && !s.decoded && s.nested == 0 && s.sum == nil
}

// Named reports whether the user gave this input by its own name.
func (in *Input) Named() bool { return in.named }

// Waits reports whether reading the input can wait for someone who writes, as
// with standard input and pipes.
func (in *Input) Waits() bool { return in.waits }

// peel returns the compression that is next, and what is in it.
func (s *Stream) peel() (string, io.Reader) {
	magic, _ := s.Peek(4)
	switch {
	case len(magic) >= 2 && magic[0] == 0x1f && magic[1] == 0x8b:
		z, err := gzip.NewReader(s.Reader)
		if err != nil {
			return "gzip", broken{err}
		}
		return "gzip", z
	case bytes.HasPrefix(magic, []byte("BZh")):
		return "bzip2", bzip2.NewReader(s.Reader)
	case string(magic) == "\xfd7zX":
		return "xz", s.packed(s.spare.openXZ)
	case string(magic) == "\x28\xb5\x2f\xfd":
		return "zstd", s.packed(s.spare.openZstd)
	}
	return "", nil
}

// packed returns what is in a compression whose decoder is returned at the end.
func (s *Stream) packed(open func(io.Reader) (io.Reader, func(), error)) io.Reader {
	r, done, err := open(s.Reader)
	if s.closers = append(s.closers, done); err != nil {
		return broken{err}
	}
	return r
}

// layer is what a compression or an archive unpacks to. It words the errors of
// that, and ends where the allowance does.
type layer struct {
	io.Reader
	name      string
	allowance *allowance
}

func (l *layer) Read(p []byte) (int, error) {
	if l.allowance.err != nil {
		return 0, l.allowance.err
	}
	n, err := l.Reader.Read(p)
	if err := l.allowance.use(p[:n]); err != nil {
		return n, err
	}
	switch {
	case err == nil || err == io.EOF:
	case errors.Is(err, io.ErrUnexpectedEOF):
		err = fmt.Errorf("the %s data is cut: %w", l.name, err)
	default:
		err = fmt.Errorf("the %s data is damaged: %w", l.name, err)
	}
	return n, err
}

type broken struct{ err error }

func (b broken) Read([]byte) (int, error) { return 0, b.err }

// Stored returns how many stored bytes were read so far. It may be called
// while another goroutine reads.
func (s *Stream) Stored() int64 { return s.raw.n.Load() }

// Sum returns the SHA-256 of the stored bytes in hex, reading what is left of
// them; empty if Open was not asked for it.
func (s *Stream) Sum() string {
	if s.sum == nil {
		return ""
	}
	_, _ = io.Copy(io.Discard, s.raw)
	return hex.EncodeToString(s.sum.Sum(nil))
}

// Close closes the input.
func (s *Stream) Close() {
	for _, c := range s.closers {
		c()
	}
}

// counter counts bytes, and repeats the error that ended them.
type counter struct {
	r   io.Reader
	n   atomic.Int64
	err error
}

func (c *counter) Read(p []byte) (n int, err error) {
	if c.err != nil {
		return 0, c.err
	}
	n, c.err = c.r.Read(p)
	c.n.Add(int64(n))
	return n, c.err
}
