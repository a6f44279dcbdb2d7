package explore

// list tells which of many items are on the screen, and which is selected. To move is
// as fast among many items as among few.
type list struct {
	shown   []int // the items that are listed, in order
	cursor  int   // place in shown of the selected one
	top     int   // place of the first on the screen
	height  int   // lines on the screen
	scrolls bool  // keys move the text, not a cursor
}

// item returns the selected item, -1 if there is none.
func (l *list) item() int {
	if l.cursor >= len(l.shown) {
		return -1
	}
	return l.shown[l.cursor]
}

// to selects a place and brings it onto the screen.
func (l *list) to(place int) {
	l.cursor = max(0, min(place, len(l.shown)-1))
	if l.scrolls {
		l.top = l.cursor
	}
	l.settle()
}

// move goes on by some lines.
func (l *list) move(lines int) {
	if l.scrolls {
		l.cursor = min(l.top, max(0, len(l.shown)-l.height))
	}
	l.to(l.cursor + lines)
	if l.scrolls {
		l.cursor = l.top
	}
}

// turn goes on by some lines, and what is on the screen with it.
func (l *list) turn(lines int) {
	if !l.scrolls {
		l.top += lines
	}
	l.move(lines)
}

// settle makes the selected item visible, and leaves no line empty that need not be.
func (l *list) settle() {
	if l.cursor < l.top {
		l.top = l.cursor
	}
	if l.cursor >= l.top+l.height {
		l.top = l.cursor - l.height + 1
	}
	l.top = max(0, min(l.top, len(l.shown)-l.height))
}

// window returns the places that are on the screen.
func (l *list) window() (from, to int) {
	return l.top, min(len(l.shown), l.top+l.height)
}

// next returns the nearest place after the cursor, or before it if step is -1, that
// ok holds for. It goes round at the end; found is false if there is none.
func (l *list) next(step int, ok func(item int) bool) (place int, found bool) {
	n := len(l.shown)
	for i := 1; i <= n; i++ {
		place = ((l.cursor+step*i)%n + n) % n
		if ok(l.shown[place]) {
			return place, true
		}
	}
	return 0, false
}

// list keeps the items that ok holds for. The selected item stays selected if same
// knows it among them; else the one that is listed nearest before it is.
func (l *list) keep(items int, ok, same func(item int) bool) {
	shown, cursor := make([]int, 0, items), 0
	for item := range items {
		known := same(item)
		if ok(item) {
			shown = append(shown, item)
		} else if !known {
			continue
		}
		if known {
			cursor = max(0, len(shown)-1)
		}
	}
	l.shown = shown
	l.to(cursor)
}
