package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"text/template"

	"go.yaml.in/yaml/v3"
)

// action is what action.yml says, as far as it is our own.
type action struct {
	Inputs map[string]struct{ Description string }
	Runs   struct {
		Steps []struct {
			ID, Name, Uses, If string
			Env                map[string]string
			Run                string
		}
	}
}

func readYAML(t *testing.T, file string, to any) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(text, to); err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// script is a script of a step, run as GitHub does it, with the programs of a folder.
func script(t *testing.T, text, bin string) *exec.Cmd {
	t.Helper()
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash")
	}
	cmd := exec.Command(bash, "--noprofile", "--norc", "-eo", "pipefail", "-c", text)
	cmd.Env = append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	return cmd
}

// The step of the action that checks passes on what it was given, whatever characters
// are in it, and its exit status.
func TestActionChecks(t *testing.T) {
	var a action
	readYAML(t, "../../action.yml", &a)
	step := a.Runs.Steps[len(a.Runs.Steps)-1]
	bin := t.TempDir()
	fake := "#!/bin/sh\nfor a; do echo \"[$a]\"; done\nexit 3\n"
	if err := os.WriteFile(filepath.Join(bin, "knforensics"), []byte(fake), 0o755); err != nil {
		t.Fatal(err)
	}
	inputs := map[string]string{
		"paths":  "  logs \n-odd `touch bad`\n \n\t$(touch bad)\n",
		"expect": "held",
		"args":   "--allow-inconclusive \n  --from=-15m\n",
	}
	cmd := script(t, step.Run, bin)
	cmd.Dir = t.TempDir()
	for name, value := range step.Env {
		input := strings.TrimSuffix(strings.TrimPrefix(value, "${{ inputs."), " }}")
		cmd.Env = append(cmd.Env, name+"="+inputs[input])
	}
	out, _ := cmd.CombinedOutput()
	want := "[check]\n[--expect=held]\n[--allow-inconclusive]\n[--from=-15m]\n[--]\n[logs]\n[-odd `touch bad`]\n[$(touch bad)]\n"
	if string(out) != want {
		t.Errorf("got\n%swant\n%s", out, want)
	}
	if code := cmd.ProcessState.ExitCode(); code != 3 {
		t.Errorf("exit status %d, want that of the program, 3", code)
	}
	if left, _ := filepath.Glob(filepath.Join(cmd.Dir, "*")); len(left) > 0 {
		t.Errorf("an input was run: %v", left)
	}
}

// The action builds with the Go of the job where that can, and changes nothing of it.
func TestActionLeavesGoAlone(t *testing.T) {
	var a action
	readYAML(t, "../../action.yml", &a)
	fake := "#!/bin/sh\necho \"go $1 by $GOTOOLCHAIN to $GOBIN\"\n[ $1 = install ] || exit $OLD\n"
	for old, builds := range map[string]string{"0": "builds=true\n", "1": ""} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "go"), []byte(fake), 0o755); err != nil {
			t.Fatal(err)
		}
		files := map[string]string{"GITHUB_OUTPUT": "", "GITHUB_PATH": "", "GITHUB_ENV": ""}
		var said strings.Builder
		for _, step := range a.Runs.Steps[:len(a.Runs.Steps)-1] {
			if step.Uses != "" {
				if want := "steps.go.outputs.builds != 'true'"; step.If != want {
					t.Errorf("%s: if %q, want %q", step.Uses, step.If, want)
				}
				continue
			}
			cmd := script(t, step.Run, dir)
			cmd.Env = append(cmd.Env, "OLD="+old, "GOTOOLCHAIN=local", "RUNNER_TEMP="+dir)
			for name := range files {
				cmd.Env = append(cmd.Env, name+"="+filepath.Join(dir, name))
			}
			for name, value := range step.Env {
				cmd.Env = append(cmd.Env, name+"="+value)
			}
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Errorf("%s: %s", step.Name, err)
			}
			said.Write(out)
		}
		for name := range files {
			text, _ := os.ReadFile(filepath.Join(dir, name))
			files[name] = string(text)
		}
		bin := filepath.Join(dir, "knforensics")
		if files["GITHUB_OUTPUT"] != builds || files["GITHUB_PATH"] != bin+"\n" || files["GITHUB_ENV"] != "" {
			t.Errorf("a Go that ends with %s: %q", old, files)
		}
		if want := "go list by auto to \ngo install by auto to " + bin + "\n"; said.String() != want {
			t.Errorf("a Go that ends with %s: %q, want %q", old, said.String(), want)
		}
	}
}

// Scripts of the action see inputs as variables only, and inputs that exist.
func TestActionInputs(t *testing.T) {
	var a action
	text := readYAML(t, "../../action.yml", &a)
	for _, step := range a.Runs.Steps {
		if strings.Contains(step.Run, "${{") {
			t.Errorf("%s: text of a workflow is put into a script", step.Name)
		}
	}
	used := map[string]bool{}
	for _, m := range regexp.MustCompile(`inputs\.([a-z]+)`).FindAllStringSubmatch(text, -1) {
		used[m[1]] = true
		if a.Inputs[m[1]].Description == "" {
			t.Errorf("there is no input %s", m[1])
		}
	}
	for name := range a.Inputs {
		if !used[name] {
			t.Errorf("input %s is not used", name)
		}
	}
}

// The hook is a command line that the program takes.
func TestHook(t *testing.T) {
	var hooks []struct {
		ID, Entry string
		Args      []string
	}
	readYAML(t, "../../.pre-commit-hooks.yaml", &hooks)
	line := append(strings.Fields(hooks[0].Entry), hooks[0].Args...)
	t.Chdir("../../samples/held")
	var out, errs strings.Builder
	if code := run(line[1:], strings.NewReader(""), &out, &errs); code != exitOK || !strings.Contains(out.String(), "1 passed") {
		t.Errorf("exit status %d\n%s%s", code, out.String(), errs.String())
	}
}

// The cluster of the example in docs/ci.md is that of policy --for kind, and its
// scripts are those of a shell.
func TestExampleOfCI(t *testing.T) {
	text, err := os.ReadFile("../../docs/ci.md")
	if err != nil {
		t.Fatal(err)
	}
	_, example, _ := strings.Cut(string(text), "```yaml\nname: e2e\n")
	example, _, _ = strings.Cut(example, "```")
	var workflow struct {
		Jobs map[string]struct{ Steps []struct{ Name, Run string } }
	}
	if err := yaml.Unmarshal([]byte(example), &workflow); err != nil {
		t.Fatal(err)
	}
	kind, err := policyFor("kind")
	if err != nil {
		t.Fatal(err)
	}
	same := false
	for _, step := range workflow.Jobs["e2e"].Steps {
		same = same || strings.Contains(step.Run, "<<'END'\n"+blocks(kind)[0]+"END\n")
		if out, err := exec.Command("sh", "-nc", step.Run).CombinedOutput(); err != nil {
			t.Errorf("%s: %s\n%s", step.Name, err, out)
		}
	}
	if !same {
		t.Error("the cluster of the example is not that of policy --for kind")
	}
}

// The manifest for krew, once it is filled in as krew-release-bot does, is YAML with a
// program for each platform.
func TestKrew(t *testing.T) {
	fill := template.New(".krew.yaml").Funcs(template.FuncMap{
		"addURIAndSha": func(uri, tag string) string {
			return "uri: " + strings.ReplaceAll(uri, "{{ .TagName }}", tag) + "\n      sha256: 00"
		},
	})
	if _, err := fill.ParseFiles("../../.krew.yaml"); err != nil {
		t.Fatal(err)
	}
	var filled strings.Builder
	if err := fill.Execute(&filled, map[string]string{"TagName": "v1.2.3"}); err != nil {
		t.Fatal(err)
	}
	var manifest struct {
		Metadata struct{ Name string }
		Spec     struct {
			Version   string
			Platforms []struct {
				Selector struct {
					MatchLabels struct{ OS, Arch string } `yaml:"matchLabels"`
				}
				Bin, URI, SHA256 string
			}
		}
	}
	if err := yaml.Unmarshal([]byte(filled.String()), &manifest); err != nil {
		t.Fatal(err)
	}
	if "kubectl-"+manifest.Metadata.Name != asPlugin || manifest.Spec.Version != "v1.2.3" {
		t.Errorf("name %s, version %s", manifest.Metadata.Name, manifest.Spec.Version)
	}
	for _, p := range manifest.Spec.Platforms {
		of := p.Selector.MatchLabels
		if want := "/v1.2.3/knforensics-" + of.OS + "-" + of.Arch + ".tar.gz"; !strings.HasSuffix(p.URI, want) || p.Bin != "knforensics" || p.SHA256 == "" {
			t.Errorf("%v: bin %s, uri %s, want ...%s", of, p.Bin, p.URI, want)
		}
	}
}
