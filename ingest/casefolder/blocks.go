package casefolder

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"hash"
	"io"
	"os"
	"sync"

	"github.com/zeebo/xxh3"
)

// blockSize is the size of the blocks of which a File has the hashes, so that
// what is read of a file can be checked without reading all of it. The Arrow
// library trusts what it reads: with damaged lengths it takes any memory.
const blockSize = 64 << 10

var errBlock = errors.New("the file is damaged, or was changed")

// hashed writes block by block, and hashes what it writes.
type hashed struct {
	out    io.Writer
	sum    hash.Hash
	n      int64
	block  []byte // the one under way
	blocks []byte
}

func newHashed(w io.Writer) *hashed {
	return &hashed{out: w, sum: sha256.New(), block: make([]byte, 0, blockSize)}
}

func (h *hashed) Write(p []byte) (n int, err error) {
	for n < len(p) {
		part := p[n:min(len(p), n+blockSize-len(h.block))]
		h.block = append(h.block, part...)
		n += len(part)
		h.n += int64(len(part))
		if len(h.block) == blockSize {
			if err := h.flush(); err != nil {
				return n, err
			}
		}
	}
	return n, nil
}

// flush ends a block, before it is full only at the end of the file.
func (h *hashed) flush() error {
	if len(h.block) == 0 {
		return nil
	}
	h.sum.Write(h.block)
	h.blocks = binary.LittleEndian.AppendUint64(h.blocks, xxh3.Hash(h.block))
	_, err := h.out.Write(h.block)
	h.block = h.block[:0]
	return err
}

// Seek tells where the next byte goes: all that the Arrow library asks.
func (h *hashed) Seek(int64, int) (int64, error) { return h.n, nil }

// checked reads a file and checks each block that it reads.
type checked struct {
	file   *os.File
	size   int64
	blocks []byte
	buf    *[blockSize]byte // the block read last
	number int64
}

// buffers are those of readers that were released.
var buffers = sync.Pool{New: func() any { return new([blockSize]byte) }}

func newChecked(file *os.File, f File) *checked {
	return &checked{file: file, size: f.Bytes, blocks: f.Blocks, number: -1, buf: buffers.Get().(*[blockSize]byte)}
}

func (c *checked) release() { buffers.Put(c.buf) }

func (c *checked) ReadAt(p []byte, off int64) (n int, err error) {
	for n < len(p) {
		if off >= c.size {
			return n, io.EOF
		}
		if err := c.load(off / blockSize); err != nil {
			return n, err
		}
		part := copy(p[n:], c.buf[off%blockSize:c.length(c.number)])
		n, off = n+part, off+int64(part)
	}
	return n, nil
}

// length returns that of a block.
func (c *checked) length(number int64) int64 { return min(blockSize, c.size-number*blockSize) }

// load reads a block.
func (c *checked) load(number int64) error {
	if number == c.number {
		return nil
	}
	c.number = -1
	block := c.buf[:c.length(number)]
	if _, err := c.file.ReadAt(block, number*blockSize); err != nil {
		return err
	}
	at := 8 * number
	if at+8 > int64(len(c.blocks)) || binary.LittleEndian.Uint64(c.blocks[at:]) != xxh3.Hash(block) {
		return errBlock
	}
	c.number = number
	return nil
}
