//go:build browser

package explore_test

import (
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// exportFolder exports the page, once for all tests, and returns its folder.
var exportFolder = sync.OnceValues(func() (string, error) {
	folder := filepath.Join(filepath.Dir(program), "page")
	out, err := exec.Command(program, "explore", "--export", folder).CombinedOutput()
	if err != nil {
		err = &exec.Error{Name: string(out), Err: err}
	}
	return folder, err
})

// exported returns the addresses of the exported page: as a file, and of a server of files.
func exported(t *testing.T) (file, served string) {
	t.Helper()
	folder, err := exportFolder()
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.FileServer(http.Dir(folder)))
	t.Cleanup(server.Close)
	return "file://" + filepath.Join(folder, "index.html"), server.URL + "/index.html"
}

// The exported page works as a file and from any server.
func TestExportedPage(t *testing.T) {
	file, served := exported(t)
	for _, address := range []string{file, served} {
		b := browser(t)
		begun := time.Now()
		b.do(chromedp.Navigate(address + "#live?seed=3"))
		b.until(`document.querySelector('#outcome').textContent`)
		t.Logf("%s: the first picture is there after %v", address[:5], time.Since(begun))
		b.live()
		b.screenshot("exported-" + address[:4])
		begun = time.Now()
		b.do(chromedp.Navigate(address + "#theory?beta=1.5"))
		b.until(`document.querySelector('#theory .text').textContent.includes('β_c = 0.6584789485')`)
		t.Logf("theory after %v", time.Since(begun))
		b.until(`document.querySelector('#theory .text').textContent.includes('P(antipodal) = 0.22')`)
		t.Logf("horizon after %v", time.Since(begun))
		begun = time.Now()
		b.do(chromedp.Navigate(address+"#runs/phase?dim=4&beta=1,2&trajectories=300&horizon=20&depth=20"),
			chromedp.WaitEnabled(chromedp.CSS("#run")), chromedp.Click(chromedp.CSS("#run")))
		b.until(`document.querySelector('.progress').textContent.startsWith('done')`)
		t.Logf("run after %v: %s", time.Since(begun), b.text(".progress"))
		b.until(`document.querySelector('#runView img').src`)
		b.screenshot("exported-run-" + address[:4])
	}
}
