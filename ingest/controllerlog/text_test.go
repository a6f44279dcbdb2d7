package controllerlog

import (
	"strings"
	"testing"

	"github.com/knforensics/knforensics/ingest/table"
)

func TestText(t *testing.T) {
	for line, want := range map[string]table.ControllerLog{
		"I1130 08:28:41.084309   21000 leaderelection.go:250] attempting to acquire": {Format: table.LogKlog, Level: "INFO", Caller: "leaderelection.go:250", Message: "attempting to acquire"},
		"W1130 08:28:40.976914       1 warnings.go:70] v1 Endpoints [is] deprecated": {Format: table.LogKlog, Level: "WARN", Caller: "warnings.go:70", Message: "v1 Endpoints [is] deprecated"},
		"E1130 08:28:40.976914 1 a.go:1] \"x\" err=\"[a] b\"":                        {Format: table.LogKlog, Level: "ERROR", Caller: "a.go:1", Message: "\"x\" err=\"[a] b\""},
		"F1130 08:28:40.976914 1 a.go:1] ":                                           {Format: table.LogKlog, Level: "FATAL", Caller: "a.go:1"},
		"I1130 08:28:41.084309   21000 no caller":                                    {Format: table.LogKlog, Level: "INFO", Message: "I1130 08:28:41.084309   21000 no caller"},
		"2026/11/30 08:28:40 Registering 6 clients":                                  {Format: table.LogPlain, Message: "2026/11/30 08:28:40 Registering 6 clients"},
		"I1130 08:28:41.084309":                                                      {Format: table.LogPlain, Message: "I1130 08:28:41.084309"},
		"I1130 08:28:41.084309 a.go:1] x":                                            {Format: table.LogPlain, Message: "I1130 08:28:41.084309 a.go:1] x"},
		"X1130 08:28:41.084309   21000 a.go:1] x":                                    {Format: table.LogPlain, Message: "X1130 08:28:41.084309   21000 a.go:1] x"},
		"I1130 08:28:41,084309   21000 a.go:1] x":                                    {Format: table.LogPlain, Message: "I1130 08:28:41,084309   21000 a.go:1] x"},
		"  I1130 08:28:41.084309   21000 a.go:1] quoted":                             {Format: table.LogPlain, Message: "  I1130 08:28:41.084309   21000 a.go:1] quoted"},
	} {
		row := table.ControllerLog{Location: table.Location{Line: 7}, Key: "left from before"}
		Text([]byte(line), &row)
		if want.Location = row.Location; row != want || row.Line != 7 {
			t.Errorf("%q\ngot  %+v\nwant %+v", line, row, want)
		}
		if IsKlog([]byte(line)) != (want.Format == table.LogKlog) {
			t.Errorf("%q: IsKlog disagrees", line)
		}
	}
}

func checkText(t *testing.T, line []byte) {
	t.Helper()
	var row table.ControllerLog
	Text(line, &row)
	if !strings.HasSuffix(string(line), row.Message) || row.Format == table.LogPlain && row.Message != string(line) {
		t.Fatalf("message %q of %q", row.Message, line)
	}
	if row.Caller != "" && !strings.HasSuffix(string(line), row.Caller+"] "+row.Message) {
		t.Fatalf("caller %q and message %q of %q", row.Caller, row.Message, line)
	}
	if IsKlog(line) != (row.Format == table.LogKlog) || (row.Format == table.LogKlog) != (row.Level != "") {
		t.Fatalf("klog %v, but %+v: %q", IsKlog(line), row, line)
	}
}
