package main

import (
	"bytes"
	"fmt"
	"html/template"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// repository is where files are that are no pages of the site.
const repository = "https://github.com/knforensics/knforensics/blob/main/"

var markdown = goldmark.New(
	goldmark.WithExtensions(extension.Table),
	goldmark.WithParserOptions(parser.WithAutoHeadingID()),
)

// documents makes the pages of README.md and docs/*.md.
func documents(root string) ([]page, error) {
	files, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil {
		return nil, err
	}
	var pages []page
	for _, file := range append([]string{filepath.Join(root, "README.md")}, files...) {
		source, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		name, err := filepath.Rel(root, file)
		if err != nil {
			return nil, err
		}
		p, err := document(filepath.ToSlash(name), source)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		pages = append(pages, p)
	}
	return pages, nil
}

// document makes a page of a Markdown file. Its title is its first heading.
func document(name string, source []byte) (page, error) {
	p := page{File: pageOf(name)}
	tree := markdown.Parser().Parse(text.NewReader(source))
	err := ast.Walk(tree, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n := n.(type) {
		case *ast.Heading:
			if p.Title == "" && entering {
				p.Title = string(n.Lines().Value(source))
			}
		case *ast.Link:
			if entering {
				n.Destination = []byte(target(name, string(n.Destination)))
			}
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		return p, err
	}
	var body bytes.Buffer
	err = markdown.Renderer().Render(&body, source, tree)
	p.Body = template.HTML(body.String()) // of our own files
	return p, err
}

// pageOf returns the page of a Markdown file in the repository.
func pageOf(name string) string {
	if name == "README.md" {
		return "index.html"
	}
	return strings.TrimSuffix(path.Base(name), ".md") + ".html"
}

// target returns where a link of a file leads on the site: to a page, or else to the
// repository.
func target(from, link string) string {
	file, fragment, found := strings.Cut(link, "#")
	if file == "" || strings.Contains(file, "://") {
		return link
	}
	file = path.Join(path.Dir(from), file)
	if dir := path.Dir(file); file != "README.md" && (dir != "docs" || path.Ext(file) != ".md") {
		return repository + file
	}
	link = pageOf(file)
	if found {
		link += "#" + fragment
	}
	return link
}
