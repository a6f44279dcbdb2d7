package source

import (
	"archive/tar"
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"strings"
)

// maxMembers bounds the members of an archive. No must-gather or support bundle
// comes near it; what goes beyond is not read, and that is said.
const maxMembers = 100_000

var errMembers = errors.New("the archive holds more than is read: more than 100,000 members")

// Each calls fn with the input's stream, or with that of each regular file in
// it if it is a tar or zip archive. The path of a member is that of the archive
// and its own. Members that are archives themselves are opened too, up to
// maxNested within each other.
func (in *Input) Each(sum bool, fn func(path string, s *Stream) error) error {
	s, err := in.Open(sum)
	if err != nil {
		return err
	}
	defer s.Close()
	return in.open(in.Path, s, fn)
}

// open calls fn with a stream, and before with its members if it is an archive.
func (in *Input) open(path string, s *Stream, fn func(string, *Stream) error) (err error) {
	head, _ := s.Peek(262) // what cannot be read says so when it is read
	switch {
	case s.nested >= maxNested:
		return fn(path, s)
	case isTar(head):
		err = in.eachTar(path, s, fn)
	case isZip(head):
		err = in.eachZip(path, s, fn)
	default:
		return fn(path, s)
	}
	if err != nil {
		return err
	}
	s.Archive = true
	return fn(path, s)
}

// IsArchive tells a tar or zip archive by its first 262 bytes.
func IsArchive(head []byte) bool { return isTar(head) || isZip(head) }

func isTar(head []byte) bool { return len(head) >= 262 && string(head[257:262]) == "ustar" }

func isZip(head []byte) bool { return bytes.HasPrefix(head, []byte("PK\x03\x04")) }

func (in *Input) eachTar(path string, s *Stream, fn func(string, *Stream) error) error {
	members := tar.NewReader(s.Reader)
	names := map[string]int{}
	for n := 0; ; n++ {
		header, err := members.Next()
		switch {
		case s.allowance.err != nil:
			s.Trouble = s.allowance.err
			return nil
		case err == io.EOF:
			return nil
		case err != nil:
			s.Trouble = fmt.Errorf("the tar data is damaged: %w", err)
			return nil
		case n >= maxMembers:
			s.Trouble = errMembers
			return nil
		}
		switch header.Typeflag {
		case tar.TypeReg, tar.TypeGNUSparse, tar.TypeCont:
		default:
			continue // folders and links: nothing outside the archive is followed
		}
		if err := in.member(s, "tar", path+"/"+unique(names, header.Name), members, fn); err != nil {
			return err
		}
	}
}

func (in *Input) eachZip(path string, s *Stream, fn func(string, *Stream) error) error {
	archive, done, err := in.openZip(s)
	defer done()
	if err != nil {
		s.Trouble = err
		return nil
	}
	if info, err := os.Stat(in.Path); err == nil && in.isFile(s) {
		s.allowance.stored = info.Size // members are not read in their order
	}
	names := map[string]int{}
	for n, f := range archive.File {
		if f.FileInfo().IsDir() || !f.Mode().IsRegular() {
			continue
		}
		if n >= maxMembers {
			s.Trouble = errMembers
			return nil
		}
		r, err := f.Open()
		if err != nil {
			r = io.NopCloser(broken{err})
		}
		err = in.member(s, "zip", path+"/"+unique(names, f.Name), r, fn)
		_ = r.Close()
		if err != nil {
			return err
		}
		if s.Trouble = s.allowance.err; s.Trouble != nil {
			return nil
		}
	}
	return nil
}

// unique makes a name for a member that leads out of no folder and that no other
// has: an archive may hold several files of one name.
func unique(seen map[string]int, name string) string {
	clean := strings.TrimPrefix(path.Clean("/"+strings.ReplaceAll(name, `\`, "/")), "/")
	if clean == "" {
		clean = "unnamed"
	}
	seen[clean]++
	if n := seen[clean]; n > 1 {
		return unique(seen, fmt.Sprintf("%s#%d", clean, n))
	}
	return clean
}

// member passes one file of an archive on, its own compression peeled off.
func (in *Input) member(archive *Stream, kind, path string, r io.Reader, fn func(string, *Stream) error) error {
	s := &Stream{Wrappers: append(append([]string{}, archive.Wrappers...), kind), raw: &counter{r: &layer{r, kind, archive.allowance}}, allowance: archive.allowance, spare: archive.spare, nested: archive.nested + 1}
	s.Reader = bufio.NewReaderSize(s.raw, bufferSize)
	s.unwrap()
	defer s.Close()
	return in.open(path, s, fn)
}
