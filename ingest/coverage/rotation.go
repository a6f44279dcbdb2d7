package coverage

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/knforensics/knforensics/ingest/lazyregexp"
)

// The names that rotation makes: logrotate's audit.log.3 and
// audit.log-20261130, and lumberjack's audit-2026-11-30T06-36-58.123.log, which
// kube-apiserver uses (gopkg.in/natefinch/lumberjack.v2, backupTimeFormat).
var (
	packed   = lazyregexp.New(`\.(gz|zst|bz2|xz)$`)
	numbered = lazyregexp.New(`^(.+)\.(\d{1,5})$`)
	dated    = lazyregexp.New(`[-.]\d{8}(-?\d{2,10})?$`)
	stamped  = lazyregexp.New(`-\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}\.\d{3}(\.\w+)?$`)
)

// LogOf returns the name of the log that a file is of: that without what
// rotation and compression added.
func LogOf(path string) string {
	log, _ := rotated(path)
	return log
}

// rotated returns the name of the log that a file is of, and how often it was
// rotated: 0 for the one that is written.
func rotated(path string) (log string, n int) {
	log = packed().ReplaceAllString(path, "")
	if m := numbered().FindStringSubmatch(log); m != nil && !numbered().MatchString(m[1]) { // else it is an address or a version
		n, _ = strconv.Atoi(m[2]) // five digits at most
		return m[1], n
	}
	if stamped().MatchString(log) {
		return stamped().ReplaceAllString(log, "$1"), 0
	}
	return dated().ReplaceAllString(log, ""), 0
}

// missingFiles finds the gaps that the numbers of rotated audit logs tell:
// between audit.log.2 and audit.log.4 there was one more.
func missingFiles(files []File) (found []Gap) {
	type member struct {
		*File
		n int
	}
	logs := map[string][]member{}
	for i := range files {
		if f := &files[i]; f.Format == Audit && !f.From.IsZero() {
			log, n := rotated(f.Path)
			logs[log] = append(logs[log], member{f, n})
		}
	}
	for log, list := range logs {
		slices.SortFunc(list, func(a, b member) int { return cmp.Compare(a.n, b.n) })
		for i := 1; i < len(list); i++ {
			newer, older := list[i-1], list[i]
			if missing := older.n - newer.n - 1; missing > 0 && older.To.Before(newer.From) {
				found = append(found, Gap{From: older.To, To: newer.From, File: log,
					Reason: fmt.Sprintf("rotated files are missing: %d between %s and %s", missing, older.Path, newer.Path)})
			}
		}
	}
	return found
}
