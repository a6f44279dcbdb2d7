package duplicate

// table is a set of hashes: an array of them, each at the place that its low bits
// tell or behind it.
type table struct {
	slots []uint64 // 0 where there is none
	n     int
	zero  bool // the hash 0 is in it
}

// add adds a hash, and reports false if it was there.
func (t *table) add(hash uint64) bool {
	if hash == 0 {
		was := t.zero
		t.zero = true
		return !was
	}
	if 2*t.n >= len(t.slots) {
		t.grow()
	}
	mask := uint64(len(t.slots) - 1)
	for i := hash & mask; ; i = (i + 1) & mask {
		switch t.slots[i] {
		case hash:
			return false
		case 0:
			t.slots[i] = hash
			t.n++
			return true
		}
	}
}

func (t *table) grow() {
	old := t.slots
	t.slots, t.n = make([]uint64, max(1024, 2*len(old))), 0
	for _, hash := range old {
		if hash != 0 {
			t.add(hash)
		}
	}
}

func (t *table) clear() {
	clear(t.slots)
	t.n, t.zero = 0, false
}
