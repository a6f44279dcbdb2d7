package jsonskip

import (
	"encoding/binary"
	"math/bits"
)

const (
	ones     = 0x0101010101010101 // the lowest bit of each byte
	lows     = 0x7f7f7f7f7f7f7f7f // all bits of each byte but the highest
	tops     = 0x8080808080808080 // the highest bit of each byte
	odds     = 0xaaaaaaaaaaaaaaaa // every second bit
	caseless = 0x2020202020202020 // turns [ into { and ] into }, and nothing else into these
)

// blocksGo reads data, which is a number of whole blocks. It returns the offset
// just behind the byte that brings the depth to 0; if there is none, -1, and s
// is as it is behind data.
//
// Its masks are made eight bytes at a time and have their bits in columns: bit
// j of byte k of a mask is about byte k of the j-th eight. It costs less than to
// bring them into the order of the text, which only backslashes and the end of
// the value need.
func blocksGo(s *state, data []byte) int {
	for i := 0; i+blockSize <= len(data); i += blockSize {
		backslashes, quotes, opening, closing := masks((*[blockSize]byte)(data[i:]))
		if backslashes|s.escaped != 0 {
			quotes &^= transpose(s.escapes(transpose(backslashes)))
		}
		inside := s.strings(quotes)
		opening &^= inside
		closing &^= inside
		closed := bits.OnesCount64(closing)
		if closed >= s.depth {
			if n := endInBlock(s.depth, transpose(opening), transpose(closing)); n > 0 {
				return i + n
			}
		}
		s.depth += bits.OnesCount64(opening) - closed
	}
	return -1
}

// masks returns where a block has these bytes, in columns. For bytes below
// 0x80 only zero leaves the highest bit in 0x80 minus the byte, and no
// subtraction borrows from the next byte.
func masks(block *[blockSize]byte) (backslashes, quotes, opening, closing uint64) {
	for i := 0; i < blockSize; i += 8 {
		w := binary.LittleEndian.Uint64(block[i:])
		ascii := ^(w | lows)
		w &= lows
		backslashes = backslashes>>1 | (tops-(w^'\\'*ones))&ascii
		quotes = quotes>>1 | (tops-(w^'"'*ones))&ascii
		w |= caseless
		opening = opening>>1 | (tops-(w^'{'*ones))&ascii
		closing = closing>>1 | (tops-(w^'}'*ones))&ascii
	}
	return
}

// escapes returns where a quote would be escaped, and besides only backslashes;
// both masks are in the order of the text. The difference is a run itself if it
// starts at an even bit; from an odd bit, which is set in odds, it carries to
// the bit behind the run. With the odd bits flipped, both come to the same:
// every second backslash, from the first on, and the byte behind an odd run.
func (s *state) escapes(backslashes uint64) uint64 {
	backslashes &^= s.escaped
	left := (backslashes<<1 | odds) - backslashes ^ odds
	escaped := left | s.escaped
	s.escaped = (left & backslashes) >> 63
	return escaped
}

// strings returns which bytes are inside of strings, opening quotes included;
// both masks are in columns: first the exclusive or down each column, then
// that of the columns' last bits along the row.
func (s *state) strings(quotes uint64) uint64 {
	inside := quotes ^ quotes<<8
	inside ^= inside << 16
	inside ^= inside << 32
	row := inside >> 56
	row ^= row << 1
	row ^= row << 2
	row ^= row << 4
	row = row<<1 ^ s.inside
	inside ^= (row & 0xff) * ones
	s.inside = uint64(int64(inside) >> 63)
	return inside
}

// endInBlock returns how many bytes a block has up to the one that brings
// depth to 0, that one included, and 0 if none does. Both masks are in the
// order of the text.
func endInBlock(depth int, opening, closing uint64) int {
	for ; closing != 0; closing &= closing - 1 {
		depth--
		if depth+bits.OnesCount64(opening&(closing-1)) == 0 {
			return bits.TrailingZeros64(closing) + 1
		}
	}
	return 0
}

// transpose turns columns into rows: bit j of byte k becomes bit k of byte j.
func transpose(m uint64) uint64 {
	t := (m ^ m>>7) & 0x00aa00aa00aa00aa
	m ^= t ^ t<<7
	t = (m ^ m>>14) & 0x0000cccc0000cccc
	m ^= t ^ t<<14
	t = (m ^ m>>28) & 0x00000000f0f0f0f0
	return m ^ t ^ t<<28
}
