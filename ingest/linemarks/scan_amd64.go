//go:build !purego

package linemarks

import "golang.org/x/sys/cpu"

// block is how many bytes the assembly looks at in one step. It stops where dst
// may be too short for a mark of each.
const block = 64

var vectors = cpu.X86.HasAVX2 && cpu.X86.HasBMI1

// scan is Marks for as much of buf as whole blocks can be loaded of, and dst has
// room for.
func (f *Finder) scan(dst []Mark, buf []byte, from int) (n, next int) {
	last := len(buf) - block - f.reach // where the last block may start
	for vectors && from <= last && len(dst)-n >= block {
		found, next := scanBlocks(dst[n:], buf, f.texts[1:], from, last)
		n += f.verified(dst[n:n+found], buf)
		from = next
	}
	return n, from
}

// scanBlocks looks at the blocks of buf that start from an offset on up to
// another. It fills dst with the marks of newlines and of places at which
// both rare bytes of a name are right, and returns how many there are and where the block starts
// that was to be next.
//
//go:noescape
func scanBlocks(dst []Mark, buf []byte, names []text, from, last int) (n, next int)
