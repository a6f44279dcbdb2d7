package main

import (
	"context"
	"errors"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/knforensics/knforensics/ingest"
	"github.com/knforensics/knforensics/ingest/source"
	"github.com/knforensics/knforensics/ingest/table"
	"github.com/knforensics/knforensics/timeline"
)

// patience is how long the shell waits for names out of the inputs. What was found by
// then is offered.
func patience() time.Duration {
	if d, err := time.ParseDuration(os.Getenv("KNFORENSICS_COMPLETION_TIME")); err == nil && d > 0 {
		return d
	}
	return 300 * time.Millisecond
}

// completions registers what the shell is offered for the flags that all commands share.
func (o *options) completions(root *cobra.Command) {
	_ = root.RegisterFlagCompletionFunc("namespace", o.completeNamespaces)
	_ = root.RegisterFlagCompletionFunc("output", completeFormats)
	for _, flag := range []string{"color", "progress"} {
		_ = root.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(whenShown, cobra.ShellCompDirectiveNoFileComp))
	}
}

// formatsOf are the formats that commands have beside text, json and yaml.
var formatsOf = map[string][]string{
	"timeline": {"jsonl", "csv", "markdown"},
	"summary":  {"jsonl", "csv", "markdown"},
	"coverage": {"jsonl", "csv", "markdown"},
	"detect":   {"jsonl", "csv", "markdown", "sarif", "junit", "github"},
	"check":    {"junit", "github", "markdown", "sarif"},
}

// completeFormats offers the formats of a command, and after = the names of files.
func completeFormats(cmd *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
	if strings.Contains(begun, "=") {
		return nil, cobra.ShellCompDirectiveDefault
	}
	return begins(slices.Values(allFormatsOf(cmd.Name())), begun), cobra.ShellCompDirectiveNoFileComp
}

func allFormatsOf(command string) []string {
	return append([]string{"text", "json", "yaml"}, formatsOf[command]...)
}

// completeObjects offers the objects of a kind in the inputs that are on the command
// line already.
func (o *options) completeObjects(kind string) cobra.CompletionFunc {
	return func(_ *cobra.Command, paths []string, begun string) ([]string, cobra.ShellCompDirective) {
		return begins(o.spelled(o.objectsIn(paths, kind), begun), begun), cobra.ShellCompDirectiveNoFileComp
	}
}

// completeNamespaces offers the namespaces of Knative's objects there.
func (o *options) completeNamespaces(_ *cobra.Command, paths []string, begun string) ([]string, cobra.ShellCompDirective) {
	namespaces := map[string]bool{}
	for ref := range o.objectsIn(paths, timeline.KindService, timeline.KindConfiguration, timeline.KindRevision, timeline.KindRoute) {
		namespaces[ref.Namespace] = true
	}
	return begins(maps.Keys(namespaces), begun), cobra.ShellCompDirectiveNoFileComp
}

func begins(names func(func(string) bool), begun string) (list []string) {
	for name := range names {
		if strings.HasPrefix(name, begun) {
			list = append(list, name)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// spelled yields names as flags take them: with the namespace where one is begun, or
// where it takes one to tell two objects apart.
func (o *options) spelled(found map[timeline.Ref]bool, begun string) func(func(string) bool) {
	homes := map[string]int{}
	for ref := range found {
		homes[ref.Name]++
	}
	return func(yield func(string) bool) {
		for ref := range found {
			name := ref.Name
			switch {
			case o.namespace != "" && ref.Namespace != o.namespace:
				continue
			case strings.Contains(begun, "/") || o.namespace == "" && homes[name] > 1:
				name = ref.Namespace + "/" + name
			}
			if !yield(name) {
				return
			}
		}
	}
}

// objectsIn returns the objects of some kinds that inputs tell of.
func (o *options) objectsIn(paths []string, kinds ...string) map[timeline.Ref]bool {
	found := map[timeline.Ref]bool{}
	add := func(ref timeline.Ref) {
		if ref.Namespace != "" && ref.Name != "*" && slices.Contains(kinds, ref.Kind) {
			found[timeline.Ref{Kind: strings.Clone(ref.Kind), Namespace: strings.Clone(ref.Namespace), Name: strings.Clone(ref.Name)}] = true
		}
	}
	o.glance(paths, func(b *table.Batch) error {
		b.EachAuditEvent(func(r *table.AuditEvent) { add(timeline.RefOf(r.Group, r.Resource, r.Namespace, r.Name)) })
		b.EachObject(func(r *table.Object) { add(timeline.Ref{Kind: r.Kind, Namespace: r.Namespace, Name: r.Name}) })
		return nil
	})
	return found
}

// mostOffered is how many IDs the shell is offered.
const mostOffered = 50

// completeIDs offers the IDs of audit events and traces in the inputs that are on the
// command line already.
func (o *options) completeIDs(_ *cobra.Command, paths []string, begun string) ([]string, cobra.ShellCompDirective) {
	if len(paths) == 0 || !isThere(paths[0]) {
		return nil, cobra.ShellCompDirectiveDefault
	}
	found := map[string]bool{}
	add := func(id string) {
		if strings.HasPrefix(id, begun) && plainID().MatchString(id) && len(found) < mostOffered {
			found[strings.Clone(id)] = true
		}
	}
	o.glance(paths, func(b *table.Batch) error {
		b.EachAuditEvent(func(r *table.AuditEvent) { add(r.AuditID) })
		b.EachLog(func(r *table.ControllerLog) { add(r.TraceID) })
		if len(found) == mostOffered {
			return errEnough
		}
		return nil
	})
	return begins(maps.Keys(found), begun), cobra.ShellCompDirectiveNoFileComp
}

var errEnough = errors.New("enough was found")

// glance reads of inputs what can be read while the shell waits. Standard input is left
// to the command.
func (o *options) glance(paths []string, see func(*table.Batch) error) {
	inputs, err := source.Find(slices.DeleteFunc(slices.Clone(paths), func(p string) bool { return p == source.Stdin }), o.in)
	if err != nil {
		return
	}
	inputs = slices.DeleteFunc(inputs, func(in source.Input) bool { return in.Waits() })
	ctx, cancel := context.WithTimeout(context.Background(), patience())
	defer cancel()
	opts := searching(timeline.SearchAll())
	opts.Jobs = o.jobs
	_, _ = ingest.Read(ctx, inputs, opts, func(b *table.Batch) error { // what is damaged is none to offer
		return errors.Join(see(b), ctx.Err())
	})
}
