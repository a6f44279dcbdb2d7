package main

import (
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// findingsOfPage reads the findings in the page of report as a browser does that runs no
// scripts.
func findingsOfPage(t *testing.T, text string) (texts []string) {
	t.Helper()
	page, err := html.Parse(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	for article := range elements(page, "article") {
		title, about := first(article, "a"), first(article, "p")
		parts := strings.Split(textOf(about), "; ")
		detector, _, _ := strings.Cut(parts[0], ", ")
		object, time, _ := strings.Cut(parts[1], ", ")
		if time == "at an unknown time" {
			time = "unknown"
		}
		var evidence []string
		for list := range elements(article, "ul") {
			for item := range elements(list, "li") {
				at := "unknown"
				for _, a := range first(item, "time").Attr {
					at = a.Val
				}
				evidence = append(evidence, strings.TrimSpace(strings.Join([]string{at, textOf(first(item, "b")), textOf(classed(item, "proof")), textOf(first(item, "code"))}, " ")))
			}
		}
		texts = append(texts, findingText(detector, object, time, textOf(title), evidence))
	}
	return texts
}

// elements goes through the elements of a name below a node.
func elements(n *html.Node, name string) func(func(*html.Node) bool) {
	return func(yield func(*html.Node) bool) {
		for d := range n.Descendants() {
			if d.Type == html.ElementNode && d.Data == name && !yield(d) {
				return
			}
		}
	}
}

func first(n *html.Node, name string) *html.Node {
	for e := range elements(n, name) {
		return e
	}
	return &html.Node{}
}

func classed(n *html.Node, class string) *html.Node {
	for d := range n.Descendants() {
		for _, a := range d.Attr {
			if a.Key == "class" && a.Val == class {
				return d
			}
		}
	}
	return &html.Node{}
}

func textOf(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return b.String()
}
