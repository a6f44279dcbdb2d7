package inplace

import "bytes"

// Window is a run of whole lines. All but the last of a file end in a newline.
type Window struct {
	Offset int64  // of the first line
	Data   []byte // valid until fn returns
	Long   int64  // length of a line that is too long for Data and is passed over, else 0
}

func (v *view) each(from, to int64, fn func(Window) error) error {
	end, err := v.lineStart(to)
	if err != nil {
		return err
	}
	v.held = max(from-from%v.chunk, 0)
	at, err := v.lineStart(from)
	for err == nil && at < end {
		var w Window
		if w, err = v.window(at, end); err == nil {
			at += int64(len(w.Data)) + w.Long
			err = fn(w)
		}
	}
	return err
}

// window returns the lines from one line start on, up to another at most. It
// ends in the chunk after the one that it starts in, unless the line is longer.
func (v *view) window(at, end int64) (Window, error) {
	most := v.limit + 1 // the newline
	n := min(v.chunk+(v.chunk-at%v.chunk)%v.chunk, most)
	for searched := 0; ; n = min(2*n, most) {
		data, err := v.bytes(at, min(n, end-at))
		if err != nil {
			return Window{}, err
		}
		if at+int64(len(data)) == end && int64(len(data)) <= v.limit {
			return Window{Offset: at, Data: data}, nil
		}
		if i := bytes.LastIndexByte(data[searched:], '\n'); i >= 0 {
			return Window{Offset: at, Data: data[:searched+i+1]}, nil
		}
		if n == most {
			next, err := v.after(at + n)
			return Window{Offset: at, Long: next - at}, err
		}
		searched = len(data)
	}
}

// lineStart returns the first start of a line that is not before an offset.
func (v *view) lineStart(at int64) (int64, error) {
	if at <= 0 || at >= v.size {
		return min(max(at, 0), v.size), nil
	}
	return v.after(at - 1)
}

// after returns where the line ends that an offset is in.
func (v *view) after(at int64) (int64, error) {
	for at < v.size {
		data, err := v.bytes(at, v.chunk)
		if err != nil {
			return 0, err
		}
		if i := bytes.IndexByte(data, '\n'); i >= 0 {
			return at + int64(i) + 1, nil
		}
		at += int64(len(data))
	}
	return v.size, nil
}
