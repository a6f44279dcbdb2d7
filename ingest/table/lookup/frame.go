package lookup

import (
	"encoding/binary"
	"errors"

	"github.com/pierrec/lz4/v4"
)

// frame is a text that is compressed, piece by piece (LZ4 Frame Format 1.6.1,
// https://github.com/lz4/lz4/blob/dev/doc/lz4_Frame_format.md).
type frame struct {
	text   []byte
	piece  int      // how many bytes of the text a piece has; the last has what is left
	pieces [][]byte // those that are not decompressed yet; others are nil
	left   int      // how many those are
}

var errFrame = errors.New("no LZ4 frame of independent blocks")

// open reads a buffer of Arrow: the length of the text, or -1 where it is not
// compressed, and the frame.
func (r *Reader) open(buffer []byte) frame {
	if len(buffer) == 0 {
		return frame{}
	}
	length := int64At(buffer, 0)
	if buffer = buffer[8:]; length == -1 {
		text := r.space.take(len(buffer))
		copy(text, buffer)
		return frame{text: text}
	}
	const most = 255 // times longer than what stands for it is no text
	if length < 0 || length > most*int64(len(buffer)) {
		panic(errFrame)
	}
	f := frame{}
	f.split(buffer)
	if int64(len(f.pieces)) != (length+int64(f.piece)-1)/int64(f.piece) {
		panic(errFrame)
	}
	f.text, f.left = r.space.take(int(length)), len(f.pieces)
	return f
}

// split finds the pieces.
func (f *frame) split(text []byte) {
	const magic, version, independent, checks, sized, dictionary, uncompressed = 0x184d2204, 1 << 6, 1 << 5, 1 << 4, 1 << 3, 1, 1 << 31
	flags := text[4]
	if binary.LittleEndian.Uint32(text) != magic || flags&(3<<6|independent|checks|dictionary) != version|independent {
		panic(errFrame)
	}
	f.piece = 1 << (8 + 2*(text[5]>>4&7)) // 64 KiB to 4 MiB
	text = text[7:]
	if flags&sized != 0 {
		text = text[8:]
	}
	for {
		size := binary.LittleEndian.Uint32(text)
		if size == 0 {
			return
		}
		end := 4 + size&^uncompressed
		f.pieces = append(f.pieces, text[:end])
		text = text[end:]
	}
}

// need decompresses what stands between two places of the text.
func (f *frame) need(from, to int) {
	if f.left == 0 || from >= to {
		return
	}
	for i := from / f.piece; i <= (to-1)/f.piece; i++ {
		if f.pieces[i] == nil {
			continue
		}
		into := f.text[i*f.piece : min((i+1)*f.piece, len(f.text))]
		if decompress(into, f.pieces[i]) != len(into) {
			panic(errFrame)
		}
		f.pieces[i] = nil
		f.left--
	}
}

// all returns the whole text.
func (f *frame) all() []byte {
	f.need(0, len(f.text))
	return f.text
}

func decompress(into, piece []byte) int {
	if binary.LittleEndian.Uint32(piece)>>31 != 0 { // it could not be compressed
		return copy(into, piece[4:])
	}
	n, err := lz4.UncompressBlock(piece[4:], into)
	if err != nil {
		panic(err)
	}
	return n
}
