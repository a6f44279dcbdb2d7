package ingest

import (
	"slices"
	"strings"
	"testing"
)

// cell quotes a text as RFC 4180 does.
func cell(text string) string {
	return `"` + strings.ReplaceAll(strings.TrimSpace(text), `"`, `""`) + `"`
}

func TestCSV(t *testing.T) {
	inputs := folder(t, map[string]string{
		"insights.csv": "@timestamp,@message\n2026-03-02 09:00:00.000," + cell(auditLine(1)) + "\n2026-03-02 09:00:00.000,\"two\nlines\"\n2026-03-02 09:00:00.000," + cell(klogLine) + "\n\"x\"\"\n",
		"raw.csv":      "_time,_raw\n1," + cell(auditLine(2)) + "\n2,plain\n",
		"odd.csv":      "a,b\n1," + cell(auditLine(3)) + "\n2,plain\n",
		"hub.csv":      "category,properties_log_s\nkube-audit," + cell(auditLine(4)) + "\n",
		"aks.csv": "AuditId,Level,Stage,Verb,RequestUri,ObjectRef,User,StageReceivedTime\n" +
			`id-5,Metadata,ResponseComplete,get,/api/v1/namespaces/a/pods/b,"{""resource"":""pods"",""namespace"":""a"",""name"":""b""}","{""username"":""u""}",2026-03-02T09:00:05Z` + "\n",
	})
	c, rows := read(t, inputs, Options{})
	checkSummary(t, c,
		"aks.csv audit 1 eventhub",
		"hub.csv audit 1 eventhub",
		"insights.csv audit 3 rejected=1 cloudwatch",
		"odd.csv audit 1 rejected=1",
		"raw.csv audit 2",
		"insights.csv:6: invalid CSV: extraneous or missing \" in quoted-field",
		"odd.csv:3: a row of a CSV file without a record in it",
	)
	if !slices.ContainsFunc(rows, func(row string) bool {
		return strings.Contains(row, "Resource:pods") && strings.Contains(row, "Name:b") && strings.Contains(row, "User:u")
	}) {
		t.Errorf("no event of AKSAudit in %q", rows)
	}
}
