// Command site makes the pages of knforensics' documentation: README.md and docs/*.md,
// what --help and explain print, and pictures of output, which the program draws itself.
// It is for development, and is run by make site.
package main

import (
	"bytes"
	_ "embed"
	"flag"
	"fmt"
	"html/template"
	"os"
	"os/exec"
	"path/filepath"
)

func main() {
	program := flag.String("program", "bin/knforensics", "the program whose output is shown")
	root := flag.String("root", ".", "the folder of the repository")
	out := flag.String("out", "bin/site", "the folder to write")
	flag.Parse()
	path, err := filepath.Abs(*program)
	if err == nil {
		err = write(*root, *out, runner(path, *root))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "site:", err)
		os.Exit(1)
	}
}

// run returns what the program prints.
type run func(args ...string) ([]byte, error)

// runner runs a program in a folder, where it finds neither colours nor a width that are
// the machine's own. Findings are no failure: it may exit with 1.
func runner(program, dir string) run {
	return func(args ...string) ([]byte, error) {
		cmd := exec.Command(program, args...)
		cmd.Dir, cmd.Env = dir, []string{"COLUMNS=100"}
		text, err := cmd.Output()
		if err != nil && cmd.ProcessState.ExitCode() != 1 {
			return nil, fmt.Errorf("%s %q: %w", program, args, err)
		}
		return text, nil
	}
}

// page is one page of the site.
type page struct {
	File, Title string
	Body        template.HTML
}

//go:embed page.html
var layoutText string

var layout = template.Must(template.New("page.html").Parse(layoutText))

// write makes the whole site.
func write(root, out string, program run) error {
	pages, err := documents(root)
	if err != nil {
		return err
	}
	reference, err := printed(program)
	if err != nil {
		return err
	}
	pages = append(pages, reference...)
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	for _, p := range pages {
		var text bytes.Buffer
		if err := layout.Execute(&text, map[string]any{"Page": p, "Pages": pages}); err != nil {
			return fmt.Errorf("%s: %w", p.File, err)
		}
		if err := os.WriteFile(filepath.Join(out, p.File), text.Bytes(), 0o644); err != nil {
			return err
		}
	}
	return nil
}
