package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

// manFolder holds the manual pages. That they are made here keeps what makes them out
// of the program.
const manFolder = "../../docs/man"

// dateOfPage is where a page says when it was made.
var dateOfPage = regexp.MustCompile(`(?m)^(\.TH "[^"]*" "1") "[^"]*"`)

// asTopic makes a page that of a help topic, which takes no flags.
func asTopic(page []byte, name string) []byte {
	page = flagsOfPage.ReplaceAll(page, []byte("$1"))
	return bytes.Replace(page, []byte("knforensics "+name+" [flags]"), []byte("knforensics help "+name), 1)
}

// flagsOfPage is the part of a page that tells flags.
var flagsOfPage = regexp.MustCompile(`(?s)\.SH OPTIONS\n.*(\.SH SEE ALSO)`)

// documented prepares a command and those below it: pages have no note of when they were
// made, and the columns of help topics stay.
func documented(cmd *cobra.Command) {
	cmd.DisableAutoGenTag = true
	if cmd.IsAdditionalHelpTopicCommand() {
		cmd.Long = "    " + strings.ReplaceAll(cmd.Long, "\n", "\n    ")
		cmd.Run = func(*cobra.Command, []string) {} // cobra has pages of commands only
	}
	for _, below := range cmd.Commands() {
		documented(below)
	}
}

// manPages returns the pages by their file names.
func manPages(t *testing.T) map[string][]byte {
	t.Helper()
	root := newRoot(&streams{})
	root.InitDefaultCompletionCmd()
	documented(root)
	dir := t.TempDir()
	header := &doc.GenManHeader{Source: "knforensics", Manual: "knforensics manual"}
	if err := doc.GenManTreeFromOpts(root, doc.GenManTreeOptions{Header: header, Path: dir, CommandSeparator: "-"}); err != nil {
		t.Fatal(err)
	}
	pages := map[string][]byte{}
	for _, path := range manFiles(t, dir) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		pages[filepath.Base(path)] = dateOfPage.ReplaceAll(text, []byte(`$1 ""`))
	}
	for _, topic := range helpTopics() {
		file := "knforensics-" + topic.Name() + ".1"
		pages[file] = asTopic(pages[file], topic.Name())
	}
	return pages
}

func manFiles(t *testing.T, dir string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.1"))
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// TestMan holds the manual pages against the commands; with -update it writes them.
func TestMan(t *testing.T) {
	pages := manPages(t)
	for _, path := range manFiles(t, manFolder) {
		if pages[filepath.Base(path)] == nil {
			if *update {
				os.Remove(path)
				continue
			}
			t.Errorf("%s is of no command; run make man", path)
		}
	}
	for name, page := range pages {
		path := filepath.Join(manFolder, name)
		if *update {
			if err := os.WriteFile(path, page, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if had, _ := os.ReadFile(path); !bytes.Equal(had, page) {
			t.Errorf("%s is not what --help says; run make man", path)
		}
	}
}

// Pages say what --help says, and carry no date.
func TestManPage(t *testing.T) {
	pages := manPages(t)
	for name, wants := range map[string][]string{
		"knforensics-policy.1":     {`.TH "KNFORENSICS-POLICY" "1" "" "knforensics"`, "knforensics-policy - an audit policy", "knforensics policy --for kind > audit-policy.yaml"},
		"knforensics-exit-codes.1": {"\n3    undecided", "\n\\fBknforensics help exit-codes\\fP\n"},
	} {
		page := strings.ReplaceAll(string(pages[name]), `\-`, "-")
		for _, want := range wants {
			if !strings.Contains(page, want) {
				t.Errorf("%s: no %q in\n%s", name, want, page)
			}
		}
		if topic := name == "knforensics-exit-codes.1"; topic == strings.Contains(page, "OPTIONS") {
			t.Errorf("%s: flags are told of what takes none, or are missing:\n%s", name, page)
		}
	}
}
