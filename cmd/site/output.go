package main

import (
	"fmt"
	"html"
	"html/template"
	"regexp"
	"strings"
)

// pictures are the commands whose output is shown in colour.
var pictures = [][]string{
	{"timeline", "samples/latched"},
	{"timeline", "--rev", "rt-00002", "samples/latched"},
	{"detect", "samples/latched"},
	{"coverage", "samples/latched"},
	{"summary", "samples/latched"},
	{"show", "--diff", "3abf6edc", "samples/latched"},
	{"check", "samples/..."},
}

// Commands and help topics as --help lists them, and detectors as explain does.
var (
	topic    = regexp.MustCompile(`(?m)^  (?:knforensics )?([a-z][a-z-]+) `)
	detector = regexp.MustCompile(`(?m)^([a-z][a-z-]+)  `)
)

// printed makes the pages of what the program prints: its help, its manuals of
// detectors, and pictures.
func printed(program run) ([]page, error) {
	help, err := program("--help")
	if err != nil {
		return nil, err
	}
	_, list, _ := strings.Cut(string(help), "Available Commands:\n")
	commands := [][]string{{"--help"}}
	for _, m := range topic.FindAllStringSubmatch(list, -1) {
		commands = append(commands, []string{"help", m[1]})
	}
	names, err := program("explain")
	if err != nil {
		return nil, err
	}
	manuals := [][]string{{"explain"}}
	for _, m := range detector.FindAllStringSubmatch(string(names), -1) {
		manuals = append(manuals, []string{"explain", m[1]})
	}
	var pages []page
	for _, p := range []struct {
		file, title string
		commands    [][]string
	}{{"commands.html", "Commands and flags", commands}, {"explain.html", "What each detector looks for", manuals}, {"output.html", "What it prints", pictures}} {
		body, err := outputs(p.title, p.commands, program)
		if err != nil {
			return nil, err
		}
		pages = append(pages, page{p.file, p.title, body})
	}
	return pages, nil
}

// outputs shows some commands, and what each prints.
func outputs(title string, commands [][]string, program run) (template.HTML, error) {
	body := "<h1>" + html.EscapeString(title) + "</h1>\n"
	for _, args := range commands {
		text, err := program(append([]string{"--color", "always"}, args...)...)
		if err != nil {
			return "", err
		}
		body += fmt.Sprintf("<h2 id=\"%s\">knforensics %s</h2>\n<pre class=\"output\">%s</pre>\n",
			html.EscapeString(strings.Join(args, "-")), html.EscapeString(strings.Join(args, " ")), colored(string(text)))
	}
	return template.HTML(body), nil
}

// sgr is what a terminal is told to change colour by (ECMA-48, Select Graphic Rendition).
var sgr = regexp.MustCompile("\x1b\\[([0-9;]*)m")

// colored makes HTML of a text for a terminal.
func colored(text string) string {
	text = html.EscapeString(text)
	open := 0
	text = sgr.ReplaceAllStringFunc(text, func(sequence string) string {
		codes := strings.Split(sgr.FindStringSubmatch(sequence)[1], ";")
		if codes[0] == "" || codes[0] == "0" {
			closing := strings.Repeat("</span>", open)
			open = 0
			return closing
		}
		open++
		return `<span class="sgr` + strings.Join(codes, " sgr") + `">`
	})
	return text + strings.Repeat("</span>", open)
}
