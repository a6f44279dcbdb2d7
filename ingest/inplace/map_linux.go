package inplace

import (
	"os"

	"golang.org/x/sys/unix"
)

func mapped(file *os.File, size int) ([]byte, error) {
	return unix.Mmap(int(file.Fd()), 0, size, unix.PROT_READ, unix.MAP_SHARED)
}

func unmap(data []byte) error { return unix.Munmap(data) }

// release drops the pages from this process. They stay in the page cache.
func release(data []byte) {
	_ = unix.Madvise(data, unix.MADV_DONTNEED) // what fails costs memory only
}
