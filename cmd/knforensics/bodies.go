package main

import (
	"bytes"

	"github.com/spf13/cobra"

	"github.com/knforensics/knforensics/ingest"
	"github.com/knforensics/knforensics/ingest/coverage"
	"github.com/knforensics/knforensics/ingest/lazyregexp"
	"github.com/knforensics/knforensics/ingest/table"
	"github.com/knforensics/knforensics/timeline"
)

// The values of --bodies.
const (
	bodiesAll     = "all"
	bodiesKnative = "knative"
	bodiesNone    = "none"
)

var bodiesKept = []string{bodiesAll, bodiesKnative, bodiesNone}

// bodiesFlag adds --bodies to a command.
func bodiesFlag(cmd *cobra.Command, to *string) {
	cmd.Flags().StringVar(to, "bodies", bodiesKnative, "keep the text of records: "+anyOf(bodiesKept))
	_ = cmd.RegisterFlagCompletionFunc("bodies", cobra.FixedCompletions(bodiesKept, cobra.ShellCompDirectiveNoFileComp))
}

// keeperOf tells by --bodies of which records the text is kept.
func keeperOf(bodies string) (ingest.Keeper, error) {
	return keepers[bodies], oneOf("bodies", bodies, bodiesKept)
}

var keepers = map[string]ingest.Keeper{
	bodiesAll:     func([]byte, coverage.Format, *table.AuditEvent) bool { return true },
	bodiesNone:    func([]byte, coverage.Format, *table.AuditEvent) bool { return false },
	bodiesKnative: speaksOfKnative,
}

// speaksOfKnative reports whether a record is about Knative or KServe. Log
// lines and Events are, as far as they are given at all. Secrets and tokens are
// left out.
func speaksOfKnative(raw []byte, format coverage.Format, e *table.AuditEvent) bool {
	named := bytes.Contains(raw, []byte("knative.dev")) || bytes.Contains(raw, []byte("kserve.io"))
	switch {
	case e != nil:
		small := e.RequestLength == 0 && e.ResponseLength == 0 && timeline.IsOfFamilies(e.Group, e.Resource)
		return (named || small) && e.Resource != "secrets" && e.Resource != "tokenreviews" && e.Subresource != "token"
	case format == coverage.Snapshot:
		return named && !isSecret().Match(raw)
	}
	return true
}

var isSecret = lazyregexp.New(`"kind"\s*:\s*"Secret"`)
