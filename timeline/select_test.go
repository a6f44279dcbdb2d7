package timeline

import (
	"slices"
	"testing"
)

func TestFamiliesOf(t *testing.T) {
	a, b := &Family{}, &Family{}
	if got := FamiliesOf([]Match{{Family: b}, {Family: a}, {Family: b}}); !slices.Equal(got, []*Family{b, a}) {
		t.Errorf("%d families, or in another order", len(got))
	}
}
