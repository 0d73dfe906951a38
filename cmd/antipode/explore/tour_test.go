//go:build browser

package explore_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// tour carries out the steps of the tour one by one, and calls done after each.
func (b *tab) tour(done func(step int)) {
	b.Helper()
	b.do(chromedp.Click(chromedp.CSS("#tourLink")))
	for step, what := range []func(){
		func() { b.do(chromedp.Click(chromedp.CSS("#tour .reveal"))) },
		func() { b.fill("#overlap-beta", "1"+kb.Enter) },
		func() { b.fill("#simulate-beta", "0.5"+kb.Enter) },
		func() { b.fill("#simulate-epsilon", "1.6"+kb.Enter) },
		func() { b.fill("#simulate-mlp", "relu:0.5"+kb.Enter) },
	} {
		b.until(fmt.Sprintf(`document.querySelector('#tour .count').textContent === 'Step %d of 5' &&
			location.hash.includes('tour=%[1]d')`, step+1))
		b.until([]string{
			`document.querySelector('#simulate-tokens').value === '2'`,
			`document.querySelector('#theory .text').textContent.includes('non-attracting')`,
			`document.querySelector('#simulate-tokens').value === '50'`,
			`document.querySelector('#simulate-epsilon').value === '0.3'`,
			`document.querySelector('#simulate-mlp').value === 'tanh:0.5'`,
		}[step])
		if said := b.text("#tour .then"); said != "" {
			b.Errorf("step %d is done before anything is: %s", step+1, said)
		}
		what()
		b.until(`document.querySelector('#tour .then').textContent`)
		done(step + 1)
		b.do(chromedp.Click(chromedp.CSS("#tour .next")))
	}
	b.until(`document.querySelector('#tour').hidden && !location.hash.includes('tour')`)
}

// The tour leads through five steps, each of which shows when it is done. It is offered once, and every term
// has a definition, with and without a mouse.
func TestTour(t *testing.T) {
	b := browser(t)
	s := serve(t, nil)
	b.do(chromedp.Navigate(s.address))
	b.live()
	if !eval[bool](b, `document.querySelector('#tour').checkVisibility()`) {
		t.Error("the tour is not offered")
	}
	b.do(chromedp.Reload())
	b.live()
	if eval[bool](b, `document.querySelector('#tour').checkVisibility()`) {
		t.Error("the tour is offered again")
	}
	b.tour(func(step int) {
		b.screenshot(fmt.Sprintf("tour-%d", step))
		terms := eval[[]string](b, `[...document.querySelectorAll('#tour .term')].map((e) => {
			const tip = document.getElementById(e.getAttribute('aria-describedby'));
			const before = tip.checkVisibility();
			e.focus();
			const after = tip.checkVisibility();
			e.blur();
			return [tip.textContent.length > 20, before, after].join();
		})`)
		if len(terms) == 0 || strings.Join(terms, ";") != strings.TrimSuffix(
			strings.Repeat("true,false,true;", len(terms)), ";") {
			t.Errorf("step %d: definitions %q", step, terms)
		}
		if step == 1 && !strings.Contains(b.text("#tour .then"), "The theory gives 26.4 %") {
			t.Errorf("what is said of the guess: %s", b.text("#tour .then"))
		}
	})
}

// The ensemble on the page agrees with theory: the theoretical fraction is in the interval of the simulated
// one. The number of trajectories is part of the page's address.
func TestEnsembleOnThePage(t *testing.T) {
	b := browser(t)
	s := serve(t, nil)
	for _, address := range []string{s.address, exportedFile(t)} {
		b.patience = exportedPatience
		b.do(chromedp.Navigate(address + "#live?tokens=2&dim=4&beta=1.5&horizon=30&many=300"))
		b.until(`document.querySelector('#ensemble .about').textContent`)
		row := eval[[]float64](b, `[...document.querySelectorAll('#ensemble [data-outcome=antipodal] td')]
			.flatMap((e) => e.textContent.match(/[\d.]+/g).map(Number))`)
		// As the seed is fixed, 64 of the 300 trajectories end as antipodal; then come the interval, in
		// percent, and the theory of 22 %.
		if len(row) != 4 || row[0] != 64 || row[1] > row[3] || row[2] < row[3] || row[3] != 22 {
			t.Errorf("%s: %v", address[:5], row)
		}
		b.screenshot("ensemble-" + address[:4])
	}
	many := `((e) => { e.value = 1; e.dispatchEvent(new Event('change')); return true; })(
		document.querySelector('#many'))`
	eval[bool](b, many)
	b.until(`location.hash.includes('many=10') && document.querySelector('caption').textContent ===
		'At the horizon, 10 trajectories'`)
}

// Enter on a cell of the phase diagram starts a trajectory there, and the command can be copied in three
// languages.
func TestFromTheDiagramToATrajectory(t *testing.T) {
	b := browser(t)
	s := serve(t, nil)
	b.do(
		chromedp.Navigate(s.address+"#runs/phase?dim=4,6&beta=0.5,1,1.5&"+
			"trajectories=100&horizon=20&depth=20"),
		chromedp.WaitEnabled(chromedp.CSS("#run")),
		chromedp.Click(chromedp.CSS("#run")),
	)
	b.until(`document.querySelector('.progress').textContent.startsWith('done') &&
		document.querySelector('#runView img').src && !document.querySelector('#runView img').hidden &&
		document.querySelector('#runView .rows h2').textContent.endsWith('of 6')`)
	eval[bool](b, `(async () => {
		globalThis.copied = [];
		navigator.clipboard.writeText = async (text) => copied.push(text);
		for (const e of document.querySelectorAll('#runView .copy')) e.click();
		return true;
	})()`)
	copied := eval[[]string](b, `copied`)
	for k, want := range []string{
		"antipode phase --dim 4,6 --beta 0.5,1,1.5 --trajectories 100 --depth 20 --horizon 20 " +
			"--out phase.arrow",
		`antipode_sde.phase(dim="4,6", beta="0.5,1,1.5", trajectories=100, depth=20, horizon=20)`,
		`run.Configure(e, map[string]string{"dim": "4,6", "beta": "0.5,1,1.5", "trajectories": "100", ` +
			`"depth": "20", "horizon": "20"}, false)`,
	} {
		if k >= len(copied) || !strings.Contains(copied[k], want) {
			t.Errorf("copied %q, want %s", copied, want)
		}
	}
	b.do(chromedp.ScrollIntoView(chromedp.CSS("#runView img")), chromedp.Focus(chromedp.CSS("#runView img")))
	b.press(kb.ArrowRight)
	value := b.text("#runView .value")
	b.press(kb.Enter)
	b.until(`location.hash.startsWith('#live?') && location.hash.includes('depth=20')`)
	hash := eval[string](b, `location.hash`)
	if !strings.Contains(hash, "beta=") || !strings.Contains(value, "β =") {
		t.Errorf("at %s: %s", value, hash)
	}
	b.live()
}
