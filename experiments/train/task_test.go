package train

import (
	"testing"

	"antipode/experiments/experimenttest"
	"antipode/experiments/run"
)

// The default network can be trained on every task with its default parameters. The task heaviside has 16
// tokens by default, the others 20.
func TestTasksWithTheirDefaults(t *testing.T) {
	for _, task := range taskNames {
		e := New()
		given := map[string]string{"task": task, "steps": "2", "seeds": "1"}
		if _, err := run.Configure(e, given, false); err != nil {
			t.Errorf("%s: %v", task, err)
			continue
		}
		want := int64(20)
		if task == heaviside {
			want = 16
		}
		if e.Tokens != want {
			t.Errorf("%s: %d tokens", task, e.Tokens)
		}
		rows := rowsOf(t, e, 1)
		if end := rows[len(rows)-int(e.Layers[0])-2]; end.Status != finished || !(end.ValidationLoss > 0) {
			t.Errorf("%s: %+v", task, end)
		}
	}
}

// A given number of tokens is never changed; too many tokens are refused.
func TestTokensOfHeaviside(t *testing.T) {
	for tokens, allowed := range map[string]bool{"9": true, "16": true, "17": false} {
		e := New()
		_, err := run.Configure(e, map[string]string{"task": heaviside, "tokens": tokens}, false)
		if allowed && err != nil {
			t.Errorf("%s tokens: %v", tokens, err)
		}
		if !allowed {
			experimenttest.CheckRefused(t, err, "tokens", "must be at most the dimension, 16")
		}
		if got := e.parameter("tokens").Value.String(); got != tokens {
			t.Errorf("%s tokens are %s", tokens, got)
		}
	}
}
