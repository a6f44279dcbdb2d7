package ingest

import (
	"fmt"
	"strings"
	"testing"
)

// TestCutBatch: of a batch that is cut, the records before the cut are read, and
// the cut counts once.
func TestCutBatch(t *testing.T) {
	list := func(before, after string, inner func(id int) string) string {
		return before + inner(1) + "," + inner(2) + "," + inner(3) + after
	}
	bare := func(id int) string { return strings.TrimSpace(auditLine(id)) }
	hub := func(id int) string {
		return `{"category":"kube-audit","properties":{"log":` + inJSON(auditLine(id)) + `}}`
	}
	for name, text := range map[string]string{
		"Event Hub":             list(`{"records":[`, "]}", hub),
		"Event Hub, laid out":   laidOut(list(`{"records":[`, "]}", hub)),
		"EventList":             list(`{"kind":"EventList","apiVersion":"audit.k8s.io/v1","items":[`, "]}", bare),
		"EventList, laid out":   laidOut(list(`{"kind":"EventList","apiVersion":"audit.k8s.io/v1","items":[`, "]}", bare)),
		"array":                 list("[", "]", bare),
		"CloudWatch":            list(`{"logEvents":[`, "]}", func(id int) string { return fmt.Sprintf(`{"id":"%d","message":%s}`, id, inJSON(auditLine(id))) }),
		"several on their line": auditLine(0) + list(`{"records":[`, "]}", hub),
	} {
		lines := int64(strings.Count(name, "line"))
		third := strings.LastIndex(text, "id-3")
		c, _ := readText(t, text[:third])
		if f := c.Files[0]; f.Records != 2+lines || f.Rejected != 1 {
			t.Errorf("%s within an element: %+v %v", name, f, c.Rejections)
		}
		after := strings.LastIndex(text[:third], ",{")
		if after < 0 {
			after = strings.LastIndex(text[:third], "},")
		}
		c, _ = readText(t, text[:after+1])
		if f := c.Files[0]; f.Records != 2+lines || f.Rejected != 1 {
			t.Errorf("%s between elements: %+v %v", name, f, c.Rejections)
		}
	}
}

// TestElementsWithoutRecord: each is rejected.
func TestElementsWithoutRecord(t *testing.T) {
	c, _ := readText(t, `{"logEvents":[{"message":`+inJSON(auditLine(1))+`},{"id":"2"},{"message":7}]}`)
	if f := c.Files[0]; f.Records != 1 || f.Rejected != 2 {
		t.Errorf("%+v", f)
	}
}

// TestQuotesOfNothingKnown: a member that looks like a record and is none does not
// make a wrapper of the object.
func TestQuotesOfNothingKnown(t *testing.T) {
	c, _ := readText(t, auditLine(1)+`{"message":"{\"a\":1}","x":1}`+"\n")
	checkSummary(t, c, "- audit 1 rejected=1", "-:2: "+errUnknown.Error())
}

// TestCutEventAtTheStart of a block gets the time of the one after it; where
// there is none, it is rejected.
func TestCutEventAtTheStart(t *testing.T) {
	cut := strings.Replace(auditLine(1), `"verb":"list",`, `"verb":"list","requestObject":{"a":"`, 1)
	cut = cut[:strings.Index(cut, `{"a":"`)+20] + "[Truncated...]\n"
	inputs := folder(t, map[string]string{"alone.log": cut, "first.log": cut + cut + auditLine(2)})
	c, rows := read(t, inputs, Options{})
	checkSummary(t, c, "alone.log unknown 0 rejected=1: no record in it could be read", "first.log audit 3 truncated=2 duplicates=1",
		"alone.log:1: "+c.Rejections[0].Reason)
	if len(rows) != 2 || !strings.Contains(rows[0], "AuditID:id-1") || !strings.Contains(rows[0], "StageTime:2026-03-02 09:00:02") {
		t.Errorf("%q", rows)
	}
}
