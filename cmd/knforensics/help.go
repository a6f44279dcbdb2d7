package main

import "github.com/spf13/cobra"

// strictHelp has the command help refuse what it knows nothing of, instead of telling
// of the program.
func strictHelp(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	help, _, _ := root.Find([]string{"help"})
	tell := help.Run
	help.RunE = func(cmd *cobra.Command, args []string) error {
		if about, _, _ := root.Find(args); len(args) > 0 && about == root {
			var topics []string
			for _, c := range root.Commands() {
				topics = append(topics, c.Name())
			}
			return usagef("unknown help topic %q", args[0]).like(args[0], topics).hint("see 'knforensics --help'")
		}
		tell(cmd, args)
		return nil
	}
}

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
timeline, summary, coverage and report say what is undecided and exit with 0.`},
		{Use: "environment", Short: "environment variables that are heeded", Long: `NO_COLOR         no colour, unless --color always
CLICOLOR_FORCE   colour even where the output is no terminal
COLUMNS          width of the text, instead of the terminal's
TERM             dumb: no colour, no pager, and nothing that explore could
                 draw on
LC_ALL, LC_CTYPE, LANG
                 explore writes ASCII only, unless the first that is set names UTF-8
TMPDIR           where files go that are too large for memory; they are removed
KNFORENSICS_PAGER, PAGER
                 what shows text that is longer than the terminal: less as a
                 rule; cat or nothing for none
KNFORENSICS_COMPLETION_TIME
                 how long the shell waits for names out of the inputs: 300ms

Without a terminal, text is 100 columns wide and plain.`},
		{Use: "formats", Short: "what can be read, and written", Long: `What can be written, with -o FORMAT[=FILE], as often as wanted:

text       for people, the default: as wide as the terminal
json       one document, with a schema
yaml       the same document; every command with json has it
jsonl      timeline, detect, summary, coverage: one finding, row, Revision or
           Service a line
csv        the same commands: the same as a table, for a spreadsheet
markdown   the same commands, and check: a page of a report, or of
           $GITHUB_STEP_SUMMARY
sarif      detect, check: for code scanning and editors
junit      detect, check: for whatever shows test results
github     detect, check: annotations of GitHub Actions

What the logs cannot tell is in all that detect writes (of csv, the undecided
verdicts only). docs/formats.md has examples and limits.

What can be read. Nothing has to be said about it: each file is recognised by
its content.

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
