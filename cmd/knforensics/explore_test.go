//go:build unix

package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

var screens = flag.Bool("screens", false, "draw the screens in docs/explore.md anew")

// pane is a terminal of tmux in which a shell runs the program.
type pane struct {
	t      *testing.T
	socket string
}

// openPane starts a command line in a terminal of a size, in the folder of the module.
func openPane(t *testing.T, width, height int, environment, commandLine string) *pane {
	t.Helper()
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("tmux is not installed")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "pane") // its name is shorter than that of t.TempDir, as that of a socket has to be
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(self, filepath.Join(dir, "knforensics")); err != nil {
		t.Fatal(err)
	}
	p := &pane{t, filepath.Join(dir, "s")}
	t.Cleanup(func() {
		_ = exec.Command("tmux", "-S", p.socket, "kill-server").Run()
		_ = os.RemoveAll(dir)
	})
	line := fmt.Sprintf(`export PATH="%s:$PATH" LC_ALL=C.UTF-8 NO_COLOR=1 %s; %s; echo "exit status $?"; stty -a | grep -ow -e '-*icanon' -e '-*echo'; read forever`, dir, environment, commandLine)
	p.tmux("-f", os.DevNull, "-u", "new-session", "-d", "-x", fmt.Sprint(width), "-y", fmt.Sprint(height), "-c", "../..", "sh", "-c", line)
	return p
}

func (p *pane) tmux(args ...string) string {
	p.t.Helper()
	out, err := exec.Command("tmux", append([]string{"-S", p.socket}, args...)...).CombinedOutput()
	if err != nil {
		p.t.Fatalf("tmux %q: %s\n%s", args, err, out)
	}
	return string(out)
}

// press presses keys, by the names that tmux has for them; other words are typed.
func (p *pane) press(keys ...string) {
	p.t.Helper()
	for _, key := range keys {
		p.tmux("send-keys", key)
		if key == "Escape" {
			time.Sleep(200 * time.Millisecond) // or it is taken for the begin of the next key
		}
	}
}

func (p *pane) screen() string {
	p.t.Helper()
	return p.tmux("capture-pane", "-p")
}

// shows waits until the screen is as wanted.
func (p *pane) shows(what string, ok func(screen string) bool) {
	p.t.Helper()
	deadline := time.Now().Add(20 * time.Second)
	for !ok(p.screen()) {
		if time.Now().After(deadline) {
			p.t.Fatalf("it does not show %s, but\n%s", what, p.screen())
		}
		time.Sleep(50 * time.Millisecond)
	}
}

func (p *pane) has(text string) {
	p.t.Helper()
	p.shows(text, func(screen string) bool { return strings.Contains(screen, text) })
}

// rests returns the screen once it has not changed for a while.
func (p *pane) rests() string {
	p.t.Helper()
	for {
		before := p.screen()
		time.Sleep(700 * time.Millisecond)
		if now := p.screen(); now == before && strings.TrimSpace(now) != "" {
			return now
		}
	}
}

// restored waits until the program has ended with an exit code, and holds that the
// terminal is as it was before.
func (p *pane) restored(code int) {
	p.t.Helper()
	p.has(fmt.Sprintf("exit status %d\nicanon\necho\n", code))
	if state := p.tmux("display-message", "-p", "#{alternate_on} #{cursor_flag}"); state != "0 1\n" {
		p.t.Errorf("alternate screen and cursor are %s", state)
	}
}

// drawn is a screen in the documentation, with the keys that lead to it from the one
// before.
var drawn = regexp.MustCompile("(?ms)^```text keys:([^\n]*)\n(.*?)^```$")

// TestExploreScreens drives the program through every screen, as docs/explore.md
// shows them.
func TestExploreScreens(t *testing.T) {
	doc := "../../docs/explore.md"
	text, err := os.ReadFile(doc)
	if err != nil {
		t.Fatal(err)
	}
	found := drawn.FindAllSubmatchIndex(text, -1)
	if len(found) < 8 {
		t.Fatalf("%d screens", len(found))
	}
	p := openPane(t, 80, 24, "", "knforensics explore samples/latched")
	var out strings.Builder
	last := 0
	for _, at := range found {
		keys, want := string(text[at[2]:at[3]]), string(text[at[4]:at[5]])
		p.press(strings.Fields(keys)...)
		if *screens {
			want = p.rests()
		} else {
			p.shows("what "+doc+" does after"+keys+":\n"+want, func(screen string) bool { return screen == want })
		}
		out.Write(text[last:at[4]])
		out.WriteString(want)
		last = at[5]
	}
	out.Write(text[last:])
	if *screens {
		if err := os.WriteFile(doc, []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	p.press("C-c")
	p.restored(exitInterrupted)
}

func TestExploreLeaves(t *testing.T) {
	p := openPane(t, 80, 24, "", "knforensics explore samples/latched")
	p.has("Revisions by severity")
	p.press("Enter")
	p.has("1/30")
	p.press("q", "q")
	p.restored(exitOK)
}

// TestExploreTerminated: who is told to end leaves the terminal as it was.
func TestExploreTerminated(t *testing.T) {
	file := filepath.Join(t.TempDir(), "pid")
	p := openPane(t, 80, 24, "", fmt.Sprintf(`sh -c 'echo $$ >%s; exec knforensics explore samples/latched'`, file))
	p.has("Revisions by severity")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(pid, syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	p.restored(exitInterrupted)
}

// TestExploreStdin: keys come from the terminal while the input comes from a pipe, and
// what came from it can be read again.
func TestExploreStdin(t *testing.T) {
	p := openPane(t, 80, 24, "", "cat samples/latched/audit.log.zst | knforensics explore -")
	p.has("Revisions by severity")
	p.press("Enter")
	p.has("› repro/rt-00002") // there is no log of the controller
	p.press("d")
	p.has("difference to -:1029")
	p.press("Q")
	p.restored(exitOK)
}

func TestExploreCopies(t *testing.T) {
	p := openPane(t, 80, 24, "", "knforensics explore samples/latched")
	p.tmux("set", "-g", "set-clipboard", "on")
	p.has("Revisions by severity")
	p.press("Enter")
	p.has("1/30")
	p.press("n")
	p.has("8/30")
	p.press("c")
	p.has("34c004a4-d57e-4f70-b137-9a5fb369c614 copied")
	// tmux takes it into its buffer in its own time, and has none until then
	for deadline := time.Now().Add(10 * time.Second); !strings.Contains(p.tmux("list-buffers"), "34c004a4-d57e-4f70-b137-9a5fb369c614"); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("it was not copied")
		}
	}
}

func TestExploreResized(t *testing.T) {
	p := openPane(t, 120, 40, "", "knforensics explore samples/latched")
	p.has("Revisions by severity")
	p.press("Enter")
	p.has("1/30")
	p.press("G")
	p.has("30/30")
	p.tmux("resize-window", "-x", "40", "-y", "12")
	p.shows("twelve lines", func(screen string) bool {
		return strings.Contains(screen, "30/30") && strings.HasPrefix(screen, " repro/rt-00002") && strings.Contains(screen, " enter open  d diff  c copy ID  i about…\n")
	})
}

func TestExploreInASCII(t *testing.T) {
	p := openPane(t, 80, 24, "LC_ALL=C", "knforensics explore samples/latched")
	p.has("Revisions by severity")
	p.press("Enter")
	p.has("x img/rt-00002-cache-us")
	if at := strings.IndexFunc(p.screen(), func(r rune) bool { return r > '~' }); at >= 0 {
		t.Errorf("not only ASCII:\n%s", p.screen())
	}
}

func TestExploreRefuses(t *testing.T) {
	openPane(t, 80, 24, "TERM=dumb", "knforensics explore samples/latched").has("TERM is \"dumb\"\n  timeline, detect, coverage and show print the same\nexit status 2")
	openPane(t, 80, 24, "", "knforensics explore -o json samples/latched").has("exit status 2")
	openPane(t, 80, 24, "", "knforensics explore missing.log").has("no such file or directory\nexit status 2")
	openPane(t, 80, 24, "", "knforensics explore -n nowhere samples/latched").has("exit status 4")
}
