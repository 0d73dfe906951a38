//go:build browser

package explore_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/audits"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// The program, built once.
var program string

func TestMain(m *testing.M) {
	folder, err := os.MkdirTemp("", "explore")
	if err != nil {
		panic(err)
	}
	program = filepath.Join(folder, "antipode")
	if out, err := exec.Command("go", "build", "-o", program, "antipode/cmd/antipode").CombinedOutput(); err != nil {
		panic(fmt.Sprintf("%v: %s", err, out))
	}
	code := m.Run()
	os.RemoveAll(folder)
	os.Exit(code)
}

// served is a server in a process of its own.
type served struct {
	address string
	process *exec.Cmd
}

// serve starts the program as a person would, and returns when it has printed the address.
func serve(t *testing.T, environment []string, arguments ...string) *served {
	t.Helper()
	s := &served{process: exec.Command(program, append([]string{"explore", "--open=false"}, arguments...)...)}
	s.process.Env = append(os.Environ(), environment...)
	s.process.Stderr = os.Stderr
	stdout, err := s.process.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.process.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.kill)
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	s.address = strings.TrimSpace(strings.TrimPrefix(line, "The page is at "))
	return s
}

func (s *served) kill() {
	s.process.Process.Kill()
	s.process.Wait()
}

// A tab is a page in the browser. Anything that the page throws, and anything that its policy refuses, fails the test.
type tab struct {
	*testing.T
	ctx context.Context
}

// browser starts Chromium and returns its first tab.
func browser(t *testing.T) *tab {
	t.Helper()
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.NoSandbox, chromedp.WindowSize(1280, 900),
		chromedp.ExecPath("chromium"))
	ctx, cancel := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	return watched(t, ctx)
}

// another opens another tab in the same browser.
func (b *tab) another() *tab {
	ctx, cancel := chromedp.NewContext(b.ctx)
	b.Cleanup(cancel)
	return watched(b.T, ctx)
}

func watched(t *testing.T, ctx context.Context) *tab {
	err := chromedp.Listen(ctx, func(event any) {
		switch event := event.(type) {
		case *runtime.EventExceptionThrown:
			t.Errorf("the page throws %s at %s:%d: %v", event.ExceptionDetails.Text, event.ExceptionDetails.URL,
				event.ExceptionDetails.LineNumber, event.ExceptionDetails.Exception.Description)
		case *audits.EventIssueAdded:
			if event.Issue.Code == audits.InspectorIssueCodeContentSecurityPolicyIssue {
				t.Errorf("the policy refuses %+v", event.Issue.Details.ContentSecurityPolicyIssueDetails)
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := chromedp.Call(ctx, audits.Enable, cdp.Empty{}); err != nil {
		t.Fatal(err)
	}
	return &tab{t, ctx}
}

// do does things one after the other.
func (b *tab) do(actions ...chromedp.Action[chromedp.Void]) {
	b.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, time.Minute)
	defer cancel()
	if err := chromedp.Do(ctx, actions...); err != nil {
		b.Fatal(err)
	}
}

// eval is the value of an expression on the page.
func eval[T any](b *tab, expression string) T {
	b.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, time.Minute)
	defer cancel()
	value, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		b.Fatalf("%s: %v", expression, err)
	}
	return value
}

// until waits until an expression holds, and returns how long that took.
func (b *tab) until(expression string) time.Duration {
	b.Helper()
	begun := time.Now()
	for time.Since(begun) < 20*time.Second {
		if eval[bool](b, "Boolean("+expression+")") {
			return time.Since(begun)
		}
		time.Sleep(10 * time.Millisecond)
	}
	b.screenshot("failed")
	b.Fatalf("never: %s", expression)
	return 0
}

// screenshot keeps a picture of the page where EXPLORE_SCREENSHOTS says.
func (b *tab) screenshot(name string) {
	folder := os.Getenv("EXPLORE_SCREENSHOTS")
	if folder == "" {
		return
	}
	png, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
	if err != nil {
		b.Error(err)
	}
	if err := os.WriteFile(filepath.Join(folder, name+".png"), png, 0o666); err != nil {
		b.Error(err)
	}
}

// dark has the system prefer dark colours.
func (b *tab) dark() {
	media := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}}}
	if _, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, media); err != nil {
		b.Fatal(err)
	}
}

func TestScreenshots(t *testing.T) {
	if os.Getenv("EXPLORE_SCREENSHOTS") == "" {
		t.Skip("EXPLORE_SCREENSHOTS names no folder")
	}
	s := serve(t, nil)
	b := browser(t)
	b.do(chromedp.Navigate(s.address))
	b.until(`document.querySelector('#moment').textContent.includes('layer 1')`)
	time.Sleep(3 * time.Second)
	b.screenshot("live")
	b.do(chromedp.Navigate(s.address + "#theory"))
	b.until(`document.querySelector('#theory img').src`)
	time.Sleep(time.Second)
	b.screenshot("theory")
	b.do(chromedp.Navigate(s.address + "#runs/phase?trajectories=200"))
	b.until(`document.querySelector('#phase-beta')`)
	b.do(chromedp.Click(chromedp.CSS("#run")))
	b.until(`document.querySelector('#runView img').src`)
	b.screenshot("run")
	b.until(`document.querySelector('.progress').textContent.startsWith('done')`)
	time.Sleep(time.Second)
	b.screenshot("done")
	b.dark()
	b.screenshot("dark-run")
	b.do(chromedp.Navigate(s.address + "#live?tokens=20&dim=5"))
	time.Sleep(2 * time.Second)
	b.screenshot("dark")
	b.do(chromedp.EmulateViewport(390, 844))
	time.Sleep(time.Second)
	b.screenshot("narrow")
}
