// Package inplace reads the lines of a file where they lie: in the page cache
// of the kernel, which a mapping makes part of this process' memory. What is
// looked at and left alone, as most lines are in a search, is never copied.
//
// The whole file is mapped once, which takes addresses, not memory. Its pages
// count as this process' while they are looked at; a chunk behind the current
// window is given back, so that two chunks and the longest line are all that is
// held. The chunk is as long as what one entry of a page table maps, so that
// the kernel can map it in one step.
//
// A page that is no longer in the file, since something cut it (logrotate's
// copytruncate does), cannot be read: the kernel sends SIGBUS, which ends a Go
// program. Each turns it into a panic and that into ErrCut. Where files cannot
// be mapped they are read into a buffer, and all else is the same.
package inplace

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"unsafe"

	"github.com/knforensics/knforensics/ingest/document"
)

// chunk is what is mapped, read and given back at once, in bytes.
const chunk = 2 << 20

// ErrCut says that a file became shorter while it was read. Of the windows that
// were yielded, the last may end in zeros.
var ErrCut = errors.New("the file was cut while it was read")

// File is a regular file that is open for reading. What is appended after it
// was opened is not read.
type File struct {
	file         *os.File
	size         int64
	mapped       []byte // nil if it is read into buffers
	chunk, limit int64
}

// Open opens a file.
func Open(path string) (*File, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("open %s: not a regular file", path)
	}
	if err != nil {
		_ = file.Close()
		return nil, err
	}
	f := &File{file: file, size: info.Size(), chunk: chunk, limit: document.MaxRecord}
	if size := int(f.size); size > 0 && int64(size) == f.size {
		f.mapped, _ = mapped(file, size) // else it is read
	}
	return f, nil
}

// Size is how long the file was when it was opened, in bytes.
func (f *File) Size() int64 { return f.size }

// Close closes the file. Nothing of its windows may be looked at any more.
func (f *File) Close() error {
	var err error
	if f.mapped != nil {
		err = unmap(f.mapped)
		f.mapped = nil
	}
	return errors.Join(err, f.file.Close())
}

// Each calls fn with the lines that start from one offset on up to another, in
// order, so that a file that is divided at any offsets is read once by all who
// read a part each. It may be called by several goroutines at once.
//
// If the file is cut meanwhile, fn may be left by a panic. It must hold nothing
// that only its return would give back.
func (f *File) Each(from, to int64, fn func(Window) error) error {
	v := &view{File: f}
	err := v.guard(func() error { return v.each(from, to, fn) })
	v.giveBack(v.end + v.chunk - 1)
	if err != nil {
		return err
	}
	info, err := f.file.Stat()
	if err == nil && info.Size() < f.size {
		err = ErrCut
	}
	return f.wrap(err, from)
}

func (f *File) wrap(err error, at int64) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("read %s from byte %d on: %w", f.file.Name(), at, err)
}

// guard calls fn and turns the panic that reading a lost page leads to into an
// error.
func (v *view) guard(fn func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		switch problem := recover().(type) {
		case nil:
		case interface{ Addr() uintptr }: // a runtime.Error, with the address that could not be read
			start := uintptr(unsafe.Pointer(unsafe.SliceData(v.mapped)))
			if problem.Addr()-start >= uintptr(len(v.mapped)) {
				panic(problem)
			}
			err = v.wrap(ErrCut, v.at)
		default:
			panic(problem)
		}
	}()
	return fn()
}

// view is a reader's place in a file.
type view struct {
	*File
	at, end int64  // what was looked at last
	held    int64  // mapped pages before it were given back
	buf     []byte // what was read, if it is not mapped
}

// bytes returns up to n bytes from an offset on. They stay as they are until
// the next call.
func (v *view) bytes(at, n int64) ([]byte, error) {
	n = min(n, v.size-at)
	v.at, v.end = at, at+n
	if v.mapped != nil {
		v.giveBack(at)
		return v.mapped[at : at+n], nil
	}
	if int64(len(v.buf)) < n {
		v.buf = make([]byte, max(n, min(2*v.chunk, v.size)))
	}
	_, err := v.file.ReadAt(v.buf[:n], at)
	if err == io.EOF {
		err = ErrCut
	}
	return v.buf[:n], v.wrap(err, at)
}

// giveBack gives pages before an offset back, but for the chunk that it is in.
func (v *view) giveBack(before int64) {
	before = min(before-before%v.chunk, v.size)
	if v.mapped != nil && before > v.held {
		release(v.mapped[v.held:before])
		v.held = before
	}
}
