package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"antipode/cmd/antipode/explore"
	"antipode/cmd/antipode/interruption"
	"antipode/data"
	"antipode/experiments"
	"antipode/experiments/parameter"
	"antipode/experiments/simulate"
	"antipode/experiments/wording"
	"antipode/internal/longtest"
	"antipode/sphere/must"
)

// explored starts a server of the page, and returns a function that asks it questions in JSON.
func explored(t *testing.T) (ask func(path, question string) (*http.Response, []byte)) {
	t.Helper()
	listener := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	server := explore.New(explore.Options{Keep: true})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		server.Serve(ctx, listener)
	}()
	t.Cleanup(func() { cancel(); <-ended })
	return func(path, question string) (*http.Response, []byte) {
		t.Helper()
		method := http.MethodPost
		if question == "" {
			method = http.MethodGet
		}
		request, err := http.NewRequest(method, server.Address(listener)+path, strings.NewReader(question))
		if err != nil {
			t.Fatal(err)
		}
		response := must.Get(http.DefaultClient.Do(request))(t)
		defer response.Body.Close()
		content := must.Get(io.ReadAll(response.Body))(t)
		return response, content
	}
}

// The command prints the page's address, which contains the secret that was set, then which files it has, and
// ends by a signal as all commands do.
func TestExplore(t *testing.T) {
	t.Chdir(t.TempDir())
	runLine(t, "antipode phase --dim 4 --beta 1,2 --trajectories 10 --depth 5 --horizon 2 --quiet "+
		"--out p.arrow")
	must.Do(t, os.WriteFile("matrix.txt", []byte("1 0\n0 1\n"), 0o600))
	t.Setenv(explore.SecretVariable, "the-secret-of-this-test")
	ctx, cancel := context.WithCancel(t.Context())
	stdout, write := io.Pipe()
	code := make(chan int, 1)
	go func() {
		var said bytes.Buffer
		ended := execute(ctx, []string{"antipode", "explore", "--open=false", "--listen", "localhost:0",
			"p.arrow", "matrix.txt"}, write, &said)
		if said.String() != "antipode: interrupted; no file was written or changed\n" {
			t.Errorf("it says %q", &said)
		}
		write.Close()
		code <- ended
	}()
	var address string
	must.Get(fmt.Fscanf(stdout, "The page is at %s\n", &address))(t)
	const files = "It has p.arrow, a table of phase with 2 rows.\n" +
		"It has matrix.txt, for parameters that name a file.\nCtrl-C ends it.\n"
	said := make([]byte, len(files))
	if _, err := io.ReadFull(stdout, said); err != nil || string(said) != files {
		t.Errorf("it says %q, %v", said, err)
	}
	go io.Copy(io.Discard, stdout)
	response, err := http.Get(address)
	if err != nil || response.StatusCode != http.StatusOK ||
		!strings.HasSuffix(address, "/the-secret-of-this-test/") {
		t.Errorf("%s: %v, %v", address, response, err)
	}
	response.Body.Close()
	cancel()
	if got := <-code; got != interruption.Interrupted {
		t.Errorf("exit code %d", got)
	}
}

// runLine runs a command line that the page shows, and returns the content of the file that it writes.
func runLine(t *testing.T, line string) []byte {
	t.Helper()
	words := strings.Fields(line)
	var said bytes.Buffer
	if code := execute(t.Context(), words, &said, &said); code != exitDone {
		t.Fatalf("%s: exit code %d, %s", line, code, &said)
	}
	content := must.Get(os.ReadFile(words[slices.Index(words, "--out")+1]))(t)
	return content
}

// The file of a run on the page is, byte for byte, the file of the command line that the page shows.
func TestRunsOnThePageAreTheCommands(t *testing.T) {
	t.Chdir(t.TempDir())
	ask := explored(t)
	for k, question := range []string{
		`{"command":"tokens","given":{"tokens":"3,4","beta":"0.5:1:0.5","trajectories":"30","depth":"10",` +
			`"horizon":"5","seed":"4"}}`,
		`{"command":"simulate","given":{"model":"hybrid","epsilon":"0.4,0.8","seed":"2,3",` +
			`"trajectories":"5","interaction":"rotation:30"}}`,
		`{"command":"overlap","given":{"beta":"0:3:0.5"}}`,
		`{"command":"field","given":{}}`,
		`{"command":"verify","given":{"only":"eq5"}}`,
	} {
		response, said := ask("runs", question)
		if response.StatusCode != http.StatusCreated {
			t.Fatalf("%s: %s", response.Status, said)
		}
		_, said = ask("form", question)
		var form struct{ Line string }
		must.Do(t, json.Unmarshal(said, &form))
		want := runLine(t, form.Line)
		name := strings.Fields(form.Line)[1]
		for deadline := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
			response, got := ask(fmt.Sprintf("runs/%d/%s.arrow", k+1, name), "")
			if response.StatusCode == http.StatusOK {
				if !bytes.Equal(got, want) {
					t.Errorf("%s: %d bytes on the page, %d of the command, or others", form.Line, len(got),
						len(want))
				}
				break
			}
			if time.Now().After(deadline) {
				t.Fatalf("%s does not end on the page: %s", name, got)
			}
		}
	}
}

// The states that the page draws live are those that the command line shown by the page saves.
func TestWhatIsWatchedIsTheCommand(t *testing.T) {
	t.Chdir(t.TempDir())
	ask := explored(t)
	for _, given := range []string{
		`"tokens":"6","beta":"3","depth":"7","horizon":"3","seed":"5"`,
		`"model":"hybrid-sde","scheme":"heun","noise":"independent","dim":"4","epsilon":"0.5",` +
			`"depth":"20","horizon":"2","start":"overlap:-0.5"`,
		`"tokens":"3","dim":"5","depth":"9","horizon":"2","mlp":"relu:0.7:3"`,
	} {
		question := `{"page":"page-of-this-test","given":{` + given + `},"from":0,"step":1,"frames":1000}`
		stream, cancel := context.WithCancel(t.Context())
		opened := make(chan struct{})
		go func() { // the page's event stream stays open while it watches
			defer close(opened)
			for stream.Err() == nil {
				response, said := ask("live", question)
				if response.StatusCode == http.StatusOK {
					line := ""
					command := []byte(response.Header.Get("Antipode-Command"))
					if err := json.Unmarshal(command, &line); err != nil {
						t.Error(err)
					}
					compareWatched(t, said, runLine(t, line))
					return
				}
				time.Sleep(time.Millisecond)
			}
		}()
		go ask("events?page=page-of-this-test", "")
		<-opened
		ask("bye?page=page-of-this-test", "{}")
		cancel()
	}
}

// compareWatched compares the frames sent to the page with a table of the states of one trajectory.
func compareWatched(t *testing.T, frames, file []byte) {
	t.Helper()
	must.Do(t, os.WriteFile("watched.arrow", file, 0o666))
	table := must.Get(data.ReadFile("watched.arrow"))(t)
	states := must.Get(data.RowsOf[simulate.StateRow](table))(t)
	numbers := make([]float64, len(frames)/8)
	for k := range numbers {
		numbers[k] = math.Float64frombits(binary.LittleEndian.Uint64(frames[8*k:]))
	}
	tokens, dim := int(numbers[0]), int(numbers[1])
	length := 4 + tokens*(dim+1)
	if len(numbers) != 7+len(states)*length || len(states) < 10 {
		t.Fatalf("%d numbers for %d states", len(numbers), len(states))
	}
	for k, state := range states {
		seen := numbers[7+k*length:][:length]
		if seen[0] != float64(k) || !slices.Equal(seen[4+tokens:], slices.Concat(state.Tokens...)) {
			t.Fatalf("layer %d: %v on the page, %v in the file", k, seen, state.Tokens)
		}
	}
}

// The message that the page shows beside a field is the message of the command.
func TestProblemsOnThePageAreTheCommands(t *testing.T) {
	longtest.Only(t)
	t.Chdir(t.TempDir())
	ask := explored(t)
	for _, e := range experiments.All() {
		for _, p := range e.Parameters() {
			if _, is := p.Value.(parameter.Switch); is || p.Argument ||
				e.Name() == "measure" {
				continue
			}
			if _, is := p.Value.(parameter.FileNamer); is {
				continue // on the page these parameters have other values: only files that it may read
			}
			if several := e.Name() == "simulate" && p.Name == "save"; several {
				continue // the command then writes several tables
			}
			_, said := ask("form", fmt.Sprintf(`{"command":%q,"given":{%q:"-0.5"}}`, e.Name(), p.Name))
			var form struct {
				Fields []struct{ Name, Problem string }
			}
			must.Do(t, json.Unmarshal(said, &form))
			problem := ""
			for _, f := range form.Fields {
				if f.Problem != "" {
					line := fmt.Sprintf("antipode: --%s -0.5: %s", f.Name, f.Problem)
					problem += wording.Abbreviated(line, wording.MessageColumns) + "\n"
				}
			}
			var null, stderr bytes.Buffer
			if problem == "" {
				continue
			}
			code := execute(t.Context(), []string{"antipode", e.Name(), "--quiet", "--" + p.Name, "-0.5"},
				&null, &stderr)
			if code != exitUsage || stderr.String() != problem {
				t.Errorf("%s: the command says %q, the page %q", e.Name(), &stderr, problem)
			}
		}
	}
}

// A browser is opened under X, and under Wayland without X; where there is no screen, or where it is not
// wanted, none is opened.
func TestOpenBrowser(t *testing.T) {
	if runtime.GOOS == "darwin" || runtime.GOOS == "windows" {
		t.Skip("there is always a screen")
	}
	folder := t.TempDir()
	script := "#!/bin/sh\necho \"$1\" > " + folder + "/opened.part && mv " + folder + "/opened.part " +
		folder + "/opened\n"
	must.Do(t, os.WriteFile(filepath.Join(folder, "xdg-open"), []byte(script), 0o777))
	t.Setenv("PATH", folder+string(os.PathListSeparator)+os.Getenv("PATH"))
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, screen := range []string{"", "unwanted", "DISPLAY", "WAYLAND_DISPLAY"} {
		t.Setenv("DISPLAY", "")
		t.Setenv("WAYLAND_DISPLAY", "")
		open := screen != "unwanted"
		if !open {
			t.Setenv("DISPLAY", "0")
		} else if screen != "" {
			t.Setenv(screen, "0")
		}
		server := explore.New(explore.Options{})
		if err := serve(ended, server, "127.0.0.1:0", "", open, io.Discard); err != context.Canceled {
			t.Errorf("serving ends with %v", err)
		}
		opened := func() bool {
			content, _ := os.ReadFile(filepath.Join(folder, "opened"))
			return content != nil
		}
		if screen == "" || !open {
			if time.Sleep(20 * time.Millisecond); opened() {
				t.Errorf("a browser is opened, with screen %q", screen)
			}
			continue
		}
		for deadline := time.Now().Add(time.Minute); !opened(); time.Sleep(time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("no browser with %s", screen)
			}
		}
		must.Do(t, os.Remove(filepath.Join(folder, "opened")))
	}
}
