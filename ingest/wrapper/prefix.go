package wrapper

import (
	"bytes"

	"github.com/knforensics/knforensics/ingest/controllerlog"
	"github.com/knforensics/knforensics/ingest/csvlog"
	"github.com/knforensics/knforensics/ingest/lazyregexp"
)

const stampPattern = `\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)`

var (
	// criLine is a line of a container log as the kubelet keeps it
	// (kubernetes pkg/kubelet/kuberuntime/logs/logs.go, parseCRILog).
	criLine = lazyregexp.New(`^` + stampPattern + ` (stdout|stderr) ([FP])(?::\S*)? ?`)
	// kubectlLine has what "kubectl logs" adds: --prefix, --timestamps or both.
	kubectlLine = lazyregexp.New(`^(?:\[pod/[^/\]\s]+/[^\]\s]+\] (?:` + stampPattern + ` )?|` + stampPattern + ` )`)
	// sternLine has the pod and the container, as stern prints by default.
	sternLine = lazyregexp.New(`^[a-z0-9](?:[-a-z0-9.]*[a-z0-9])? [a-z0-9](?:[-a-z0-9]*[a-z0-9])? (?:[{IWEF])`)
	// nodeLine has the node, as "oc adm node-logs" prints.
	nodeLine = lazyregexp.New(`^[a-z0-9](?:[-a-z0-9.]*[a-z0-9])? \{`)
)

// maxNames is room for two names of Kubernetes, of at most 253 characters.
const maxNames = 512

// criParts returns the parts that lines of a container log hold of one record:
// those of the first one's stream, up to its last part. It returns nil if there
// are none.
func criParts(lines []byte) (parts [][]byte) {
	var stream []byte
	for line := range bytes.Lines(lines) {
		line = bytes.TrimRight(line, "\r\n")
		at := criLine().FindSubmatchIndex(line)
		switch {
		case at == nil && parts == nil:
			return nil
		case at == nil || parts != nil && !bytes.Equal(line[at[2]:at[3]], stream):
			continue
		}
		stream = line[at[2]:at[3]]
		parts = append(parts, line[at[1]:])
		if line[at[4]] == 'F' {
			break
		}
	}
	return parts
}

// Part tells the stream that a line of a container log belongs to, and whether
// the next line of the stream goes on with the same record. The stream is empty
// for other lines.
func Part(line []byte) (stream string, more bool) {
	if len(line) > 0 && line[0] == '{' {
		return dockerPart(line)
	}
	at := criLine().FindSubmatchIndex(line)
	if at == nil {
		return "", false
	}
	return string(line[at[2]:at[3]]), line[at[4]] == 'P'
}

// cutKubectl wants a record behind the time: the lines of a console log of zap
// and of a legacy audit log start with one too.
func cutKubectl(line []byte) ([]byte, bool) {
	at := kubectlLine().FindIndex(line)
	if at == nil {
		return nil, false
	}
	rest := line[at[1]:]
	return rest, len(rest) > 0 && !bytes.HasPrefix(rest, []byte("AUDIT: ")) && (line[0] == '[' || startsRecord(rest))
}

func cutStern(line []byte) ([]byte, bool) {
	at := sternLine().FindIndex(line[:min(len(line), maxNames)])
	if at == nil {
		return nil, false
	}
	rest := line[at[1]-1:]
	return rest, startsRecord(rest)
}

func cutNode(line []byte) ([]byte, bool) {
	at := nodeLine().FindIndex(line[:min(len(line), maxNames)])
	if at == nil {
		return nil, false
	}
	rest := line[at[1]-1:]
	return rest, startsRecord(rest)
}

// cutCSV returns the first cell of a row that holds a record.
func cutCSV(row []byte) ([]byte, bool) {
	if !csvlog.HasRecord(row) {
		return nil, false
	}
	cells, err := csvlog.Cells(row)
	if err != nil {
		return nil, false
	}
	for _, cell := range cells {
		if text := []byte(cell); startsRecord(text) {
			return text, true
		}
	}
	return nil, false
}

// startsRecord reports whether a text starts like JSON or like a line of a log.
func startsRecord(text []byte) bool {
	return isRecord(text) || controllerlog.IsKlog(text) || controllerlog.IsConsole(text)
}
