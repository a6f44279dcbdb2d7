package timeline

import "testing"

func TestLife(t *testing.T) {
	ref := Ref{KindRevision, "shop", "r"}
	first, second := &Object{Ref: ref, UID: "1", Born: sec(1)}, &Object{Ref: ref, UID: "2", Born: sec(10)}
	names := (&Family{objects: []*Object{first, second}}).Names()
	for _, test := range []struct {
		name string
		got  *Object
		want *Object
	}{
		{"by uid", names.Life(ref, "1", sec(20)), first},
		{"before the second", names.Life(ref, "", sec(9)), first},
		{"of the second", names.Life(ref, "", sec(10)), second},
		{"before both", names.Life(ref, "", sec(0)), first},
		{"another uid", names.Life(ref, "3", sec(20)), second},
		{"another name", names.Life(Ref{KindRoute, "shop", "r"}, "", sec(20)), nil},
	} {
		if test.got != test.want {
			t.Errorf("%s: %v, want %v", test.name, test.got, test.want)
		}
	}
}
