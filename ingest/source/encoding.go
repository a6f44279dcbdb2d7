package source

import (
	"bufio"
	"bytes"

	"golang.org/x/text/encoding/unicode"
)

// decode drops a byte order mark, and turns UTF-16 into UTF-8: editors and
// shells of Windows write both. Text without a mark is taken as it is.
//
// Zeros at the start are passed over: they are the hole that a log rotated by
// copytruncate has where its writer went on at the old offset.
func (s *Stream) decode() {
	for {
		head, _ := s.Peek(4096)
		zeros := len(head) - len(bytes.TrimLeft(head, "\x00"))
		_, _ = s.Discard(zeros) // they were peeked at
		s.passed = s.passed || zeros > 0
		if zeros == 0 || zeros < len(head) {
			break
		}
	}
	mark, _ := s.Peek(3)
	switch {
	case bytes.HasPrefix(mark, []byte("\xef\xbb\xbf")):
		s.decoded = true
		_, _ = s.Discard(3) // it was peeked at
	case bytes.HasPrefix(mark, []byte("\xff\xfe")), bytes.HasPrefix(mark, []byte("\xfe\xff")):
		s.decoded = true
		utf16 := unicode.UTF16(unicode.LittleEndian, unicode.ExpectBOM)
		s.Reader = bufio.NewReaderSize(utf16.NewDecoder().Reader(s.Reader), bufferSize)
	}
}
