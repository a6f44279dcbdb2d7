package source

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"os"
	"sync/atomic"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// maxLayers is how many compressions are peeled off one input.
const maxLayers = 4

// maxWindow bounds the memory that a zstd frame can ask for.
const maxWindow = 256 << 20

const bufferSize = 256 << 10

// Stream is an opened input, decompressed.
type Stream struct {
	*bufio.Reader
	Wrappers []string // gzip and zstd, outermost first
	stored   atomic.Int64
	sum      hash.Hash
	closers  []func()
}

// Open opens the input and peels its compression off. With sum, the SHA-256
// of the stored bytes is computed on the way. An input given by name that
// cannot be opened is an error of the whole run, others are skipped: see
// Named.
func (in *Input) Open(sum bool) (*Stream, error) {
	s := &Stream{}
	var raw io.Reader = in.stdin
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
	s.Reader = bufio.NewReaderSize(&counter{raw, &s.stored}, bufferSize)
	for range maxLayers {
		wrapper, err := s.peel()
		if err != nil {
			s.Close()
			return nil, fmt.Errorf("read %s: %w", in.Path, err)
		}
		if wrapper == "" {
			break
		}
		s.Wrappers = append(s.Wrappers, wrapper)
	}
	return s, nil
}

// Named reports whether the user gave this input by its own name.
func (in *Input) Named() bool { return in.named }

func (s *Stream) peel() (string, error) {
	magic, err := s.Peek(4)
	if err != nil && len(magic) == 0 && err != io.EOF {
		return "", reason(err)
	}
	switch {
	case len(magic) >= 2 && magic[0] == 0x1f && magic[1] == 0x8b:
		z, err := gzip.NewReader(s.Reader)
		if err != nil {
			return "", fmt.Errorf("gzip: %w", err)
		}
		s.Reader = bufio.NewReaderSize(z, bufferSize)
		return "gzip", nil
	case string(magic) == "\x28\xb5\x2f\xfd":
		z, err := zstd.NewReader(s.Reader, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			return "", fmt.Errorf("zstd: %w", err)
		}
		s.closers = append(s.closers, z.Close)
		s.Reader = bufio.NewReaderSize(z, bufferSize)
		return "zstd", nil
	}
	return "", nil
}

// Stored returns how many stored bytes were read so far. It may be called
// while another goroutine reads.
func (s *Stream) Stored() int64 { return s.stored.Load() }

// Sum returns the SHA-256 of the stored bytes in hex, reading what is left of
// them; empty if Open was not asked for it.
func (s *Stream) Sum() string {
	if s.sum == nil {
		return ""
	}
	return hex.EncodeToString(s.sum.Sum(nil))
}

// Close closes the input.
func (s *Stream) Close() {
	for _, c := range s.closers {
		c()
	}
}

type counter struct {
	io.Reader
	n *atomic.Int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.n.Add(int64(n))
	return n, err
}
