package render

import (
	"encoding/xml"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestJUnitIsValid holds reports against the schemas of Jenkins and of Surefire, which
// knows no element around test suites.
func TestJUnitIsValid(t *testing.T) {
	forms := hostileForms(t)
	for _, name := range []string{"junit", "check junit"} {
		report := forms[name]
		checkXSD(t, "junit-10.xsd", report)
		for _, suite := range regexp.MustCompile(`(?s)<testsuite .*?</testsuite>`).FindAllString(report, -1) {
			checkXSD(t, "surefire-test-report.xsd", suite)
		}
	}
}

// checkXSD holds XML against what a schema says of attributes and of elements in others,
// and has xmllint look at the rest where there is one.
func checkXSD(t *testing.T, schema, text string) {
	t.Helper()
	path := filepath.Join("testdata/schemas", schema)
	if _, err := exec.LookPath("xmllint"); err == nil {
		cmd := exec.Command("xmllint", "--noout", "--schema", path, "-")
		cmd.Stdin = strings.NewReader(text)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("xmllint: %s\n%s", out, text)
		}
	}
	source, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var doc, root node
	if err := xml.Unmarshal(source, &doc); err != nil {
		t.Fatal(err)
	}
	if err := xml.Unmarshal([]byte(text), &root); err != nil {
		t.Fatalf("%s: %s", err, text)
	}
	rules := map[string]*element{}
	doc.collect(rules, nil)
	root.check(t, rules)
}

// node is an element of an XML document.
type node struct {
	XMLName xml.Name
	Attrs   []xml.Attr `xml:",any,attr"`
	Nodes   []node     `xml:",any"`
}

func (n *node) attr(name string) string {
	for _, a := range n.Attrs {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// element is what a schema says of an element.
type element struct {
	attrs    map[string]bool // whether it has to be there
	children []string        // in the order in which a sequence has them
	ordered  bool
}

// collect reads the rules of a schema, and of what is in the element e of it.
func (n *node) collect(rules map[string]*element, e *element) {
	switch n.XMLName.Local {
	case "element":
		name := n.attr("name") + n.attr("ref")
		if e != nil {
			e.children = append(e.children, name)
		}
		if n.attr("ref") != "" {
			return
		}
		e = &element{attrs: map[string]bool{}, ordered: true}
		rules[name] = e
	case "choice":
		e.ordered = false
	case "attribute":
		if e != nil {
			e.attrs[n.attr("name")] = n.attr("use") == "required"
		}
	}
	for i := range n.Nodes {
		n.Nodes[i].collect(rules, e)
	}
}

func (n *node) check(t *testing.T, rules map[string]*element) {
	t.Helper()
	rule := rules[n.XMLName.Local]
	if rule == nil {
		t.Fatalf("unknown element %s", n.XMLName.Local)
	}
	for name, required := range rule.attrs {
		if required && n.attr(name) == "" {
			t.Errorf("%s has no %s", n.XMLName.Local, name)
		}
	}
	for _, a := range n.Attrs {
		if _, ok := rule.attrs[a.Name.Local]; !ok {
			t.Errorf("%s has an unknown %s", n.XMLName.Local, a.Name.Local)
		}
	}
	last := 0
	for i := range n.Nodes {
		at := -1
		for j, name := range rule.children {
			if name == n.Nodes[i].XMLName.Local {
				at = j
			}
		}
		if at < 0 || rule.ordered && at < last {
			t.Errorf("%s in %s, or its place there: not known", n.Nodes[i].XMLName.Local, n.XMLName.Local)
		}
		last = at
		n.Nodes[i].check(t, rules)
	}
}
