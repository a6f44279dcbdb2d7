package casefolder

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"hash"
	"io"
	"os"

	"github.com/zeebo/xxh3"
)

// blockSize is the size of the blocks of which a File has the hashes, so that
// what is read of a file can be checked without reading all of it. The Arrow
// library trusts what it reads: with damaged lengths it takes any memory.
const blockSize = 64 << 10

var errBlock = errors.New("the file is damaged, or was changed")

// hashed hashes and counts what is written.
type hashed struct {
	io.Writer
	sum    hash.Hash
	n      int64
	block  xxh3.Hasher
	inside int // bytes of the block under way
	blocks []byte
}

func newHashed(w io.Writer) *hashed { return &hashed{Writer: w, sum: sha256.New()} }

func (h *hashed) Write(p []byte) (int, error) {
	n, err := h.Writer.Write(p)
	h.sum.Write(p[:n])
	h.n += int64(n)
	for rest := p[:n]; len(rest) > 0; {
		part := rest[:min(len(rest), blockSize-h.inside)]
		_, _ = h.block.Write(part)
		h.inside += len(part)
		rest = rest[len(part):]
		if h.inside == blockSize {
			h.endBlock()
		}
	}
	return n, err
}

func (h *hashed) endBlock() {
	if h.inside > 0 {
		h.blocks = binary.LittleEndian.AppendUint64(h.blocks, h.block.Sum64())
		h.block.Reset()
		h.inside = 0
	}
}

// Seek tells where the next byte goes: all that the Arrow library asks.
func (h *hashed) Seek(int64, int) (int64, error) { return h.n, nil }

// checked reads a file and checks each block that it reads.
type checked struct {
	file   *os.File
	size   int64
	blocks []byte
	buf    []byte // the block read last
	number int64
}

func newChecked(file *os.File, f File) *checked {
	return &checked{file: file, size: f.Bytes, blocks: f.Blocks, number: -1}
}

func (c *checked) ReadAt(p []byte, off int64) (n int, err error) {
	for n < len(p) {
		if off >= c.size {
			return n, io.EOF
		}
		if err := c.load(off / blockSize); err != nil {
			return n, err
		}
		part := copy(p[n:], c.buf[off%blockSize:])
		n, off = n+part, off+int64(part)
	}
	return n, nil
}

// load reads a block.
func (c *checked) load(number int64) error {
	if number == c.number {
		return nil
	}
	c.number = -1
	c.buf = append(c.buf[:0], make([]byte, min(blockSize, c.size-number*blockSize))...)
	if _, err := c.file.ReadAt(c.buf, number*blockSize); err != nil {
		return err
	}
	at := 8 * number
	if at+8 > int64(len(c.blocks)) || binary.LittleEndian.Uint64(c.blocks[at:]) != xxh3.Hash(c.buf) {
		return errBlock
	}
	c.number = number
	return nil
}
