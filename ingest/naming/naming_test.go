package naming

import (
	"strings"
	"testing"
)

// TestChild: the shortest name that is hashed, and one that is not (knative/pkg
// kmeta/names_test.go has such).
func TestChild(t *testing.T) {
	f := strings.Repeat("f", 63)
	if got := Child(f[:52], "-deployment"); got != f[:52]+"-deployment" {
		t.Error(got)
	}
	if got := Child(f, "-deployment"); got != f[:20]+"105d7597f637e83cc711605ac3ea4957-deployment" {
		t.Error(got)
	}
	if got := Child(f, strings.Repeat("x", 40)); got != f {
		t.Error(got)
	}
}

func TestParts(t *testing.T) {
	if !MadeUp("xhkv8", 5, 5) || MadeUp("xhkva", 5, 5) || MadeUp("xhkv", 5, 5) || !MadeUp("787f694b45", 8, 10) {
		t.Error("parts that are made up are told by their characters")
	}
	if !Generation("00001") || !Generation("00001-deployment") || Generation("0001") || Generation("00001x") {
		t.Error("numbers of Revisions have five digits or more")
	}
}
