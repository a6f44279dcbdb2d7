package document

import "bytes"

// maxRescan bounds how much of what was read is looked at again to find where
// records go on after a broken one.
const maxRescan = 64 << 20

// failed returns where the record begins that could not be read.
func (j *JSON) failed() int {
	if j.held >= 0 {
		return j.held
	}
	return j.pos
}

// resync moves on to the next line that can start a record: within a list, one
// with a brace as far from the margin as that of the broken element, else one
// with a bracket right at the margin.
func (j *JSON) resync(err error) {
	from, sibling := j.failed(), []byte(nil)
	if margin, ok := j.margin(from); ok && len(j.inside) > 0 && j.held >= 0 {
		sibling = append(bytes.Clone(margin), '{')
	}
	if j.rescans += j.pos - from; j.rescans > maxRescan || err == ErrTooLong {
		from = j.pos
	}
	j.held = -1
	for j.pos = from; j.skipTo('\n') == nil; {
		j.pos++
		head := j.ahead(max(1, len(sibling)))
		switch {
		case len(head) == 0:
		case sibling != nil && bytes.HasPrefix(head, sibling):
			return
		case head[0] == '{' || head[0] == '[':
			j.inside = nil
			return
		}
	}
	j.inside = nil
}
