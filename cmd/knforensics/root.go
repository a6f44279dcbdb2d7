package main

import (
	"errors"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"github.com/knforensics/knforensics/ingest/source"
	"github.com/knforensics/knforensics/render"
	"github.com/knforensics/knforensics/timeline"
)

// streams are where the program reads and writes.
type streams struct {
	in         io.Reader
	out, err   io.Writer
	unfinished unfinished
	draws      atomic.Bool // a terminal is drawn on, which has to be given back as it was
}

// options are the flags that all commands share.
type options struct {
	*streams
	namespace   string
	all         bool
	clusters    []string
	from, to    string
	toFlag      string // the name of the flag for to, which export has for its format
	outputs     []string
	color       string
	progress    string
	quiet       bool
	verbose     bool
	jobs        int
	zone        string
	maxMemory   string
	showSecrets bool
	knative     string // the version that was given
	clock       render.Clock
	inputs      []source.Input // what was read
	files       []string       // that are written
	passed      []string       // files in folders that are not read, since they are written
	only        string         // the cluster to look at, empty for all
	places      []place
}

func newRoot(s *streams) *cobra.Command {
	o := &options{streams: s}
	root := &cobra.Command{
		Use:   "knforensics",
		Short: "what happened to a Knative Revision, on what proof",
		Long: `knforensics reads kube-apiserver audit logs, Knative controller logs, Kubernetes
Events and kubectl snapshots, in any mix, and tells what happened to Knative
Revisions: in order, by whom, on what proof. It names the known failures among
it, and says what the inputs cannot prove. It works on files, without a cluster.`,
		Example: `  knforensics timeline --rev rt-00002 audit.log controller.log
  knforensics detect captures/
  knforensics coverage audit.log.gz`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          unknownCommand,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetIn(s.in)
	root.SetOut(s.out)
	root.SetErr(s.err)
	root.CompletionOptions.HiddenDefaultCmd = false
	o.shared(root.PersistentFlags())
	o.completions(root)
	root.PersistentPreRunE = func(*cobra.Command, []string) error { return o.settle() }
	root.SetFlagErrorFunc(wrongFlag)
	root.AddCommand(newTimeline(o), newDetect(o), newCheck(o), newCoverage(o), newShow(o), newSummary(o), newExplore(o), newReport(o), newIngest(o), newExport(o), newRedact(o), newExplain(o), newPolicy(o), newVersion(o))
	root.AddCommand(helpTopics()...)
	strictHelp(root)
	rename(root)
	return root
}

// unknownCommand refuses arguments of the program itself: those are commands
// that do not exist.
func unknownCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	e := usagef("unknown command %q", args[0])
	cmd.SuggestionsMinimumDistance = 2
	if like := cmd.SuggestionsFor(args[0]); len(like) > 0 {
		return e.hint("did you mean: %s", strings.Join(like, ", "))
	}
	return e.hint("see 'knforensics --help'")
}

func (o *options) shared(f *pflag.FlagSet) {
	f.StringVarP(&o.namespace, "namespace", "n", "", "only this `namespace`")
	f.BoolVarP(&o.all, "all-namespaces", "A", false, "all namespaces (the default)")
	f.StringArrayVar(&o.clusters, "cluster", nil, "only this cluster; or `NAME[=PATH]`: what is at PATH is of that cluster; may be given more than once")
	f.StringVar(&o.from, "from", "", "only from this `time` on: RFC 3339, or -15m back from the end of the data")
	o.toFlag = "to"
	f.StringVar(&o.to, o.toFlag, "", "only up to this `time`")
	f.StringArrayVarP(&o.outputs, "output", "o", nil, "`FORMAT[=FILE]`: text, json, yaml and more (see 'knforensics help formats'); may be given more than once")
	f.StringVar(&o.color, "color", "auto", anyOf(whenShown))
	f.StringVar(&o.progress, "progress", "auto", "show progress on standard error: "+anyOf(whenShown))
	f.BoolVarP(&o.quiet, "quiet", "q", false, "say nothing that was not asked for")
	f.BoolVarP(&o.verbose, "verbose", "v", false, "show everything")
	f.IntVarP(&o.jobs, "jobs", "j", runtime.GOMAXPROCS(0), "`number` of workers that read")
	f.Lookup("jobs").DefValue = "one for each CPU"
	f.StringVar(&o.zone, "tz", "UTC", "time `zone` of the output")
	f.StringVar(&o.maxMemory, "max-memory", "", "soft limit of memory, such as `512MiB`")
	f.StringVar(&o.knative, "knative-version", "", "`version` of Knative Serving, such as 1.20.3, instead of what the inputs tell")
	f.BoolVar(&o.showSecrets, "show-secrets", false, "show the data of Secrets in raw records")
}

// whenShown are the values of --color and --progress.
var whenShown = []string{"auto", "always", "never"}

// settle checks the shared flags and applies them.
func (o *options) settle() error {
	zone, err := time.LoadLocation(o.zone)
	if err != nil {
		return usagef("unknown time zone %q", o.zone).hint("use a name such as Europe/Berlin, Local or UTC")
	}
	o.clock = render.Clock{Zone: zone}
	if err := oneOf("color", o.color, whenShown); err != nil {
		return err
	}
	if err := oneOf("progress", o.progress, whenShown); err != nil {
		return err
	}
	if o.all && o.namespace != "" {
		return usagef("-A and -n exclude each other")
	}
	if err := o.settleClusters(); err != nil {
		return err
	}
	if o.knative != "" {
		if _, _, err := timeline.ParseVersion(o.knative); err != nil {
			return usagef("--knative-version: %s", err)
		}
	}
	if o.jobs < 1 {
		return usagef("--jobs is at least 1, not %d", o.jobs)
	}
	if o.maxMemory != "" {
		n, err := byteSize(o.maxMemory)
		if err != nil {
			return usagef("--max-memory: %s", err)
		}
		debug.SetMemoryLimit(n)
	}
	return nil
}

// byteSize reads a size such as 512MiB.
func byteSize(text string) (int64, error) {
	units := []struct {
		name string
		size int64
	}{{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"B", 1}, {"", 1}}
	for _, u := range units {
		number, ok := strings.CutSuffix(text, u.name)
		if !ok {
			continue
		}
		n, err := strconv.ParseInt(strings.TrimSpace(number), 10, 64)
		if err != nil || n <= 0 || n > 1<<50/u.size {
			break
		}
		return n * u.size, nil
	}
	return 0, errors.New("a size is a whole number and a unit, such as 512MiB")
}

// output is one form in which a result is wanted, and where.
type output struct {
	format string
	file   string // standard output if empty
}

// form is a format in which a command can write its result, beside text, json and
// yaml, which all have.
type form struct {
	name  string
	write func(io.Writer) error
}

// rows are the forms of what is a list, in this order.
func rows(jsonl, csv, markdown func(io.Writer) error) []form {
	return []form{{"jsonl", jsonl}, {"csv", csv}, {"markdown", markdown}}
}

// wanted returns the outputs asked for. It refuses formats that the command does not have,
// and two outputs to one place.
func (o *options) wanted(more ...form) ([]output, error) {
	if len(o.outputs) == 0 {
		return []output{{format: "text"}}, nil
	}
	known := []string{"text", "json", "yaml"}
	for _, f := range more {
		known = append(known, f.name)
	}
	var list []output
	o.files = nil
	for _, text := range o.outputs {
		format, file, named := strings.Cut(text, "=")
		switch {
		case !slices.Contains(known, format):
			return nil, unknown("output format", format, known)
		case named && file == "":
			return nil, usagef("-o %s: no file is named", text)
		case file == source.Stdin:
			file = ""
		}
		for _, other := range list {
			if err := apart(other, output{format, file}); err != nil {
				return nil, err
			}
		}
		list = append(list, output{format, file})
		if file != "" {
			o.files = append(o.files, file)
		}
	}
	return list, nil
}

// write makes the outputs: text calls fn with a Page for people, json and yaml write a
// document, and each of more what it says.
func (o *options) write(text func(*render.Page), doc func() any, more ...form) error {
	outputs, err := o.wanted(more...)
	if err != nil {
		return err
	}
	for _, out := range outputs {
		err := o.writeTo(out.file, func(w io.Writer) error {
			switch out.format {
			case "text":
				page := o.page(w)
				text(page)
				return page.Flush()
			case "json":
				return render.WriteJSON(w, doc())
			case "yaml":
				return render.WriteYAML(w, doc())
			}
			return more[slices.IndexFunc(more, func(f form) bool { return f.name == out.format })].write(w)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// writeTo has fn write to a file, or to standard output if the name is empty.
func (o *options) writeTo(file string, fn func(io.Writer) error) (err error) {
	if file == "" {
		return pipeError(fn(o.out))
	}
	if err := o.spare(file); err != nil {
		return err
	}
	f, err := os.Create(file)
	if err != nil {
		return usagef("%s", err)
	}
	defer func() {
		if closeErr := f.Close(); err == nil && closeErr != nil {
			err = usagef("%s", closeErr)
		}
	}()
	return pipeError(fn(f))
}

// spare refuses to write over an input: logs are evidence.
func (o *options) spare(file string) error {
	info, err := os.Stat(file)
	if err != nil {
		return nil // it does not exist, or creating it will tell
	}
	for _, in := range o.inputs {
		if other, err := os.Stat(in.Path); err == nil && os.SameFile(info, other) {
			return usagef("%s is an input: it is not written over", file)
		}
	}
	return nil
}

// page returns a Page that suits w: colour and width of a terminal, or plain.
func (o *options) page(w io.Writer) *render.Page {
	width, tty := 0, false
	if f, ok := w.(*os.File); ok {
		if columns, lines, err := term.GetSize(int(f.Fd())); err == nil {
			width, tty, w = columns, true, pager{f, lines}
		}
	}
	if n, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && n > 0 {
		width = n
	}
	page := render.NewPage(w, o.clock, width, o.colored(tty))
	page.Program = program()
	return page
}

func (o *options) colored(tty bool) bool {
	switch {
	case o.color != "auto":
		return o.color == "always"
	case os.Getenv("NO_COLOR") != "":
		return false
	case os.Getenv("CLICOLOR_FORCE") != "" && os.Getenv("CLICOLOR_FORCE") != "0":
		return true
	}
	return tty && os.Getenv("TERM") != "dumb"
}

var errBrokenPipe = errors.New("the reader of the output went away")

// pipeError turns the error of a closed pipe into one that is no failure: who
// reads with head has seen enough.
func pipeError(err error) error {
	if errors.Is(err, syscall.EPIPE) {
		return errBrokenPipe
	}
	return err
}
