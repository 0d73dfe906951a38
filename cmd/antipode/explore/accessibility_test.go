//go:build browser

package explore_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/chromedp/chromedp"

	"antipode/sphere/must"
)

// axeVariable is the environment variable that holds the path of axe.min.js, from the npm package axe-core.
const axeVariable = "EXPLORE_AXE"

// No view of the page violates a rule of WCAG 2.2, levels A and AA, that axe can check, at three widths and
// in both colour schemes.
func TestAxe(t *testing.T) {
	path := os.Getenv(axeVariable)
	if path == "" {
		t.Skip(axeVariable + " does not say where axe-core is")
	}
	axe := must.Get(os.ReadFile(path))(t)
	const check = `axe.run(document, {
		runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
	}).then(
		({violations, passes}) => [String(passes.length), ...violations.flatMap(({id, nodes}) =>
			nodes.map(({target, failureSummary}) => id + ' ' + target + ' ' + failureSummary))])`
	b := browser(t)
	s := serve(t, nil)
	seen := func(name string) {
		t.Helper()
		eval[bool](b, string(axe)+";true")
		found := eval[[]string](b, check)
		if len(found) > 1 || len(found[0]) < 2 { // at least ten rules pass
			t.Errorf("%s: %q", name, found)
		}
	}
	for k, view := range []struct{ address, ready string }{
		{"live?tokens=2&horizon=20&many=50&tour=1", `document.querySelector('.then').textContent`},
		{"live?tokens=8&second=beta:1&attention=true&horizon=2",
			`document.querySelector('#panel2 h2').textContent &&
				!document.querySelector('#attention2').closest('.attention').hidden`},
		{"theory?dim=5&tour=2", `document.querySelector('#theory .text').textContent`},
		{"runs/phase?beta=-1", `document.querySelector('#phase-beta-problem').textContent`},
		{"files", `document.querySelector('#files .problem').textContent`},
	} {
		for i, width := range []int64{1440, 800, 390} {
			for _, scheme := range []string{"light", "dark"} {
				if i == 1 && k > 2 || i > 0 && scheme == "dark" {
					continue // the layout is that of another width, or the colours are
				}
				b.media("prefers-color-scheme", scheme)
				name := fmt.Sprintf("axe-%d-%d-%s", k, width, scheme)
				b.do(
					chromedp.EmulateViewport(width, 900),
					chromedp.Navigate(s.address+"?"+name+"#"+view.address),
				)
				b.until(view.ready)
				seen(name)
				if wide := eval[int64](b, "document.documentElement.scrollWidth"); wide > width {
					t.Errorf("%s is %d wide", name, wide)
				}
				b.screenshot(name)
			}
		}
	}
	eval[bool](b, `(document.body.append(document.createElement('button')), true)`)
	if len(eval[[]string](b, check)) < 2 {
		t.Error("axe does not find a button without a name")
	}
}
