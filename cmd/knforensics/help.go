package main

import "github.com/spf13/cobra"

// helpTopics are commands that have a text and do nothing.
func helpTopics() []*cobra.Command {
	return []*cobra.Command{
		{Use: "exit-codes", Short: "what the exit status says", Long: `0    nothing found, or as expected
1    findings at or above --fail-on, or a check that differs
2    wrong usage or configuration, or a path that cannot be opened
3    undecided (detect and check, unless --allow-inconclusive): a detector had a
     candidate and could not decide, or no input held any resource it needs, or
     no input gave a single record
4    nothing matched the selection
5    internal error
130  interrupted

1 wins over 3: a proven finding is a finding even where something else stayed
undecided. A file of unknown format beside usable ones changes no exit status.
timeline, summary and coverage say what is undecided and exit with 0.`},
		{Use: "environment", Short: "environment variables that are heeded", Long: `NO_COLOR         no colour, unless --color always
CLICOLOR_FORCE   colour even where the output is no terminal
COLUMNS          width of the text, instead of the terminal's
TERM             dumb: no colour, no pager
KNFORENSICS_PAGER, PAGER
                 what shows text that is longer than the terminal: less as a
                 rule; cat or nothing for none

Without a terminal, text is 100 columns wide and plain.`},
		{Use: "formats", Short: "what can be read", Long: `Nothing has to be said about formats: each file is recognised by its content.

audit           kube-apiserver audit events, one JSON object a line, any level
                and stage
controller-log  Knative controller logs: zap JSON in either key set or zap's
                console encoding, with klog and plain lines between
klog            logs of Kubernetes components
events          Kubernetes Events: kubectl get events -A -o json or yaml
snapshot        objects: kubectl get ... -o json or yaml, a list, one object or
                several documents
audit-legacy    kube-apiserver's audit log in the old text format
snapshot-table  what kubectl get prints in columns
admission-review  what a webhook was asked

They can be wrapped by container runtimes (CRI, Docker), kubectl logs --prefix
and --timestamps, stern, oc adm node-logs, Vector, Loki, Elasticsearch, fluentd
and fluent-bit, OpenTelemetry, OpenShift's log forwarder, and the exports of
CloudWatch, Azure and Google Cloud, CSV among them; compressed with gzip, zstd,
bzip2 or xz; and in tar or zip archives. Files, folders, standard input (-) and
cases, which 'knforensics ingest' makes, can be mixed. A file that is not
recognised is listed by coverage, with the reason.`},
	}
}
