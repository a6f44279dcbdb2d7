package detectors

import (
	"go/doc/comment"
	"go/parser"
	"go/token"
	"strings"
	"sync"
)

// Manual returns the package comment of a Go file as plain text: the doc.go of
// a detector is its manual. It is made when first asked for. That panics on a file
// without one, which a test of the registry would show.
func Manual(source string) func() string {
	return sync.OnceValue(func() string { return packageComment(source) })
}

func packageComment(source string) string {
	file, err := parser.ParseFile(token.NewFileSet(), "doc.go", source, parser.ParseComments|parser.PackageClauseOnly)
	if err != nil || file.Doc == nil {
		panic("detector without a manual")
	}
	text := file.Doc.Text()
	if _, rest, ok := strings.Cut(text, "\n\n"); ok && strings.HasPrefix(text, "Package ") {
		text = rest
	}
	var p comment.Parser
	printer := &comment.Printer{TextWidth: 78, TextCodePrefix: "    "}
	return strings.TrimPrefix(string(printer.Text(p.Parse(text))), "# ")
}
