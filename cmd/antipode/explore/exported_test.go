//go:build browser

package explore_test

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"antipode/sphere/must"
)

// exportOnce exports the page, once for all tests, and returns its folder.
var exportOnce = sync.OnceValues(func() (string, error) {
	folder := filepath.Join(filepath.Dir(program), "page")
	if out, err := exec.Command(program, "explore", "--export", folder).CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return folder, nil
})

func exportedFolder(t *testing.T) string {
	t.Helper()
	folder := must.Get(exportOnce())(t)
	return folder
}

// exportedPatience is how long a test waits for WebAssembly on a busy machine.
const exportedPatience = time.Minute

// exportedFile returns the address of the exported page in its folder.
func exportedFile(t *testing.T) string {
	t.Helper()
	return "file://" + filepath.ToSlash(filepath.Join(exportedFolder(t), "index.html"))
}

// The exported page works from a folder and from any web server, and computes the same bits as the program: a
// trajectory, theory, a run whose table is that of the command byte for byte, and the tour. Its address opens
// the same view in another tab.
func TestExportedPage(t *testing.T) {
	folder := exportedFolder(t)
	server := httptest.NewServer(http.FileServer(http.Dir(folder)))
	t.Cleanup(server.Close)
	for _, address := range []string{exportedFile(t), server.URL + "/index.html"} {
		b := browser(t)
		b.patience = exportedPatience
		begun := time.Now()
		b.do(chromedp.Navigate(address + "#live?seed=3"))
		b.until(`document.querySelector('#outcome').textContent`)
		t.Logf("%s: the first picture is there after %v", address[:4], time.Since(begun))
		b.live()
		b.screenshot("exported-" + address[:4])
		if line := b.text("#liveLine"); !strings.Contains(line, "--seed 3") {
			t.Error(line)
		}
		b.do(chromedp.Navigate(address + "#theory?beta=1.5"))
		b.until(`document.querySelector('#theory .text').textContent.includes('β_c = 0.6584789485')`)
		b.until(`document.querySelector('#theory .text').textContent.includes('at time 20')`)
		if address[:4] == "file" {
			b.exportedRuns(address)
			b.tour(func(int) {})
		}
		hash := eval[string](b, "location.hash")
		again := b.another()
		again.patience = exportedPatience
		again.do(chromedp.Navigate(address + hash))
		const shown = `document.title + [...document.querySelectorAll(
			'main > section:not([hidden]) .field:not([hidden]) input:not([type=range])')].map((e) => e.value)`
		again.until(fmt.Sprintf(`%s === %q`, shown, eval[string](b, shown)))
	}
}

// exportedRuns checks that the exported page runs a small run, and refuses a large one.
func (b *tab) exportedRuns(address string) {
	b.Helper()
	const run = "#runs/hybrid?beta=1&epsilon=0.5,1&trajectories=300&depth=10&horizon=5"
	b.do(chromedp.Navigate(address+run),
		chromedp.WaitEnabled(chromedp.CSS("#run")), chromedp.Click(chromedp.CSS("#run")))
	b.until(`document.querySelector('.progress').textContent.startsWith('done')`)
	b.until(`document.querySelector('#runView img').src`)
	b.sameTable()
	b.do(chromedp.Navigate(address + "#runs/phase"))
	b.until(`document.querySelector('#runs .parameters code').textContent ===
		'antipode phase --out phase.arrow'`)
	b.do(chromedp.WaitEnabled(chromedp.CSS("#run")), chromedp.Click(chromedp.CSS("#run")))
	b.until(`document.querySelector('#runView .problem').textContent.includes('is much faster') &&
		document.querySelector('#runView code').textContent === 'antipode phase --out phase.arrow'`)
}

// sameTable compares the table of the page's run with that of the command shown on the page.
func (b *tab) sameTable() {
	b.Helper()
	line := strings.Fields(b.text("#runView code"))
	command := exec.Command(program, append(line[1:], "--quiet")...)
	command.Dir = b.TempDir()
	if out, err := command.CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", line, out)
	}
	want := must.Get(os.ReadFile(filepath.Join(command.Dir, line[len(line)-1])))(b)
	got := eval[string](b, `new Promise((done) => {
		const make = URL.createObjectURL;
		URL.createObjectURL = (blob) => {
			URL.createObjectURL = make;
			blob.bytes().then((bytes) => done(bytes.toBase64()));
			return 'blob:none';
		};
		document.querySelector('#save').click();
	})`)
	if got != base64.StdEncoding.EncodeToString(want) {
		b.Errorf("the table is not that of %s", line)
	}
}

// An exported page reveals nothing of the machine on which it was made, is the same when it is made again,
// and has at most six megabytes, compressed.
func TestExportedFiles(t *testing.T) {
	folder := exportedFolder(t)
	host, _ := os.Hostname()
	home, _ := os.UserHomeDir()
	work, _ := os.Getwd()
	checkout := strings.TrimSuffix(work, filepath.Join("cmd", "antipode", "explore"))
	secrets := []string{checkout, filepath.Join(home, "go"), os.TempDir() + "/antipode"}
	if len(host) > 3 && host != "localhost" {
		secrets = append(secrets, host)
	}
	var all bytes.Buffer
	small := gzip.NewWriter(&all)
	entries := must.Get(os.ReadDir(folder))(t)
	for _, entry := range entries {
		content := must.Get(os.ReadFile(filepath.Join(folder, entry.Name())))(t)
		small.Write(content)
		if packed, is := bytes.CutPrefix(content, []byte("program('")); is {
			packed, _, _ = bytes.Cut(packed, []byte("'"))
			unpack, err := gzip.NewReader(base64.NewDecoder(base64.StdEncoding, bytes.NewReader(packed)))
			if err != nil {
				t.Fatal(err)
			}
			if content, err = io.ReadAll(unpack); err != nil || len(content) < 10<<20 {
				t.Fatal(len(content), err)
			}
		}
		for _, secret := range secrets {
			if bytes.Contains(content, []byte(secret)) {
				t.Errorf("%s has %q in it", entry.Name(), secret)
			}
		}
	}
	small.Close()
	t.Logf("%d bytes, compressed", all.Len())
	if all.Len() > 6_000_000 {
		t.Errorf("%d bytes, compressed", all.Len())
	}
	before := must.Get(os.ReadFile(filepath.Join(folder, "program.js")))(t)
	again := exec.Command(program, "explore", "--export", folder)
	again.Dir = t.TempDir()
	again.Env = append(os.Environ(), "GOFLAGS=-tags=long", "TMPDIR="+t.TempDir())
	if out, err := again.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	after, err := os.ReadFile(filepath.Join(folder, "program.js"))
	if err != nil || !bytes.Equal(before, after) {
		t.Errorf("another program when it is made again: %v", err)
	}
}

// The tokens of the exported page move, for as many tokens as it allows; for more, the page says so and shows
// the command.
func TestExportedSpeed(t *testing.T) {
	b := browser(t)
	b.patience = exportedPatience
	address := exportedFile(t)
	for _, c := range []struct{ tokens, speed int }{{2, 10_000}, {50, 60}, {200, 60}} {
		tokens := c.tokens
		const view = "%s?%d#live?tokens=%[2]d&seed=3&horizon=1000&speed=%d"
		b.do(chromedp.Navigate(fmt.Sprintf(view, address, tokens, c.speed)))
		b.live()
		rate := eval[float64](b, `new Promise((done) => {
			const layer = () => Number(/layer (\d+)/.exec(document.querySelector('#moment').textContent)[1]);
			const first = layer(), begun = performance.now();
			setTimeout(() => done(1000 * (layer() - first) / (performance.now() - begun)), 4000);
		})`)
		t.Logf("%d tokens: %.4g layers a second", tokens, rate)
		if rate <= 0 {
			t.Errorf("%d tokens: they do not move", tokens)
		}
	}
	b.do(chromedp.Navigate(address + "?many#live?tokens=5000"))
	b.until(`document.querySelector('#simulate-tokens-problem')?.textContent.includes('on this page') &&
		document.querySelector('#liveLine').textContent.includes('--tokens 5000 ')`)
}
