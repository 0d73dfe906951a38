//go:build unix

package main

import (
	"antipode/cmd/antipode/interruption"
	"antipode/sphere/must"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// soon is when a process has stopped that was told to: within two seconds, but for a machine that is busy
// with other work. What these tests start goes on for longer if it does not hear.
const soon = time.Minute

// patience is how long a test waits for what should take a second, on a machine that is busy, under the race
// detector.
const patience = 5 * time.Minute

// process is the program in a process of its own, which is killed when patience ends.
func process(
	ctx context.Context, folder string, arguments ...string,
) (command *exec.Cmd, stderr *bytes.Buffer) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	context.AfterFunc(ctx, cancel)
	command = exec.CommandContext(ctx, os.Args[0])
	command.Args = append([]string{"antipode"}, arguments...) // which TestMain looks at
	command.Dir = folder
	stderr = new(bytes.Buffer)
	command.Stderr = stderr
	return command, stderr
}

// mustRun runs the program to its end.
func mustRun(t *testing.T, folder string, arguments ...string) {
	t.Helper()
	command, stderr := process(t.Context(), folder, arguments...)
	if err := command.Run(); err != nil {
		t.Fatalf("%q: %v: %s", arguments, err, stderr)
	}
}

// readFile returns a file of the folder, nil if there is none.
func readFile(t *testing.T, folder, name string) []byte {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(folder, name))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return content
}

// aRun is a run of about half a second, whose trajectories end early where their outcome is decided. There is
// no exact law of its matrices, which would take much longer than they do.
func aRun(more ...string) []string {
	return with(more, "phase", "--dim", "3,4", "--beta", "0.5,1.5", "--trajectories", "1000",
		"--depth", "50", "--horizon", "10", "--law", "uniform", "--quiet", "--out", "t.arrow")
}

// with returns the arguments of a run, with some more in the place of those of the same flags.
func with(more []string, arguments ...string) (all []string) {
	for k := 0; k < len(arguments); k++ {
		flag := arguments[k]
		given := strings.HasPrefix(flag, "--") && slices.Contains(more, flag)
		switch {
		case !given:
			all = append(all, flag)
		case flag != "--quiet":
			k++ // its value
		}
	}
	return append(all, more...)
}

// rowsRun is the same with rows of trajectories.
func rowsRun(more ...string) []string {
	return with(more, "simulate", "--tokens", "3", "--trajectories", "1500", "--depth", "50",
		"--horizon", "40", "--quiet", "--out", "t.arrow")
}

// networksRun is one of random networks.
func networksRun(more ...string) []string {
	return with(more, "gradients", "--dim", "24", "--tokens", "12", "--networks", "200", "--layers", "2",
		"--quiet", "--out", "t.arrow")
}

// learningRun is one of networks that learn, of which states are kept too.
func learningRun(more ...string) []string {
	return with(more, "train", "--steps", "100", "--seeds", "2", "--every", "25", "--validation", "8",
		"--quiet", "--out", "t.arrow")
}

// tablesRun is one with two tables of the same trajectories.
func tablesRun(more ...string) []string {
	return rowsRun(append(more, "--save", "overlaps,outcomes")...)
}

// Killed at any instant, a run leaves what stood under the names before, and goes on to the
// same files.
func TestKilledAtAnyInstant(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some ten runs")
	}
	random := rand.New(rand.NewPCG(9, uint64(killings)))
	for name, c := range map[string]struct {
		arguments func(more ...string) []string
		tables    []string
	}{
		"counts":   {aRun, []string{"t.arrow"}},
		"rows":     {tablesRun, []string{"t-overlaps.arrow", "t-outcomes.arrow"}},
		"networks": {networksRun, []string{"t.arrow"}},
		"learning": {learningRun, []string{"t.arrow"}},
	} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			start := time.Now()
			mustRun(t, folder, c.arguments()...)
			whole := time.Since(start)
			want := readFiles(t, folder, c.tables)
			kept, killed := 0, 0
			for killed < killings/2 {
				var before []byte
				if random.IntN(2) == 0 {
					before = []byte("earlier")
				}
				for _, table := range c.tables {
					must.Do(t, os.Remove(filepath.Join(folder, table)))
					if before == nil {
						continue
					}
					must.Do(t, os.WriteFile(filepath.Join(folder, table), before, 0o666))
				}
				for again := true; again; again = random.IntN(3) == 0 {
					killed++
					kill(t, folder, time.Duration(random.Int64N(int64(whole))),
						c.arguments("--resume", "--workers", fmt.Sprint(1+random.IntN(3)))...)
					for k, got := range readFiles(t, folder, c.tables) {
						if !bytes.Equal(got, before) && !bytes.Equal(got, want[k]) {
							t.Fatalf("a file of %d bytes stands under the name", len(got))
						}
					}
				}
				if len(readFile(t, folder, c.tables[0]+".partial")) > 1000 ||
					readFile(t, folder, statesFolder(c.tables[0])+"/0") != nil {
					kept++
				}
				mustRun(t, folder, c.arguments("--resume")...)
				if !slices.EqualFunc(readFiles(t, folder, c.tables), want, bytes.Equal) {
					t.Fatal("another file")
				}
				if entries, _ := os.ReadDir(folder); len(entries) != len(c.tables) {
					t.Errorf("files left: %v", entries)
				}
			}
			t.Logf("killed %d times; %d times a run went on with what was kept", killed, kept)
		})
	}
}

// What a killed run has kept of networks that learn is not given up unless asked to, and then is gone.
func TestKeptStates(t *testing.T) {
	folder := t.TempDir()
	long := learningRun("--steps", "1000000", "--every", "1000000")
	command, _ := process(t.Context(), folder, long...)
	must.Do(t, command.Start())
	waitUntil(t, func() bool { return readFile(t, folder, "t.arrow.partial-states/0") != nil })
	time.Sleep(50 * time.Millisecond) // until the journal knows
	_ = command.Process.Kill()
	_ = command.Wait()
	again, stderr := process(t.Context(), folder, long...)
	if again.Run(); again.ProcessState.ExitCode() != 2 || !strings.Contains(stderr.String(), "--restart") {
		t.Errorf("exit code %d, %s", again.ProcessState.ExitCode(), stderr)
	}
	if readFile(t, folder, "t.arrow.partial-states/0") == nil {
		t.Error("a state is given up")
	}
	mustRun(t, folder, learningRun("--seeds", "1", "--steps", "5", "--restart")...)
	if entries, _ := os.ReadDir(folder); len(entries) != 1 {
		t.Errorf("files left: %v", entries)
	}
}

// readFiles returns files of the folder, nil for one that is not there.
func readFiles(t *testing.T, folder string, names []string) (contents [][]byte) {
	t.Helper()
	for _, name := range names {
		contents = append(contents, readFile(t, folder, name))
	}
	return contents
}

// kill starts the program and kills it after some time, unless it has ended.
func kill(t *testing.T, folder string, after time.Duration, arguments ...string) {
	t.Helper()
	command, stderr := process(t.Context(), folder, arguments...)
	must.Do(t, command.Start())
	killing := time.AfterFunc(after, func() { _ = command.Process.Kill() })
	defer killing.Stop()
	if err := command.Wait(); err != nil && stderr.Len() > 0 {
		t.Errorf("%v: %s", err, stderr)
	}
}

// stopCodes are the exit codes of the signals to stop: a shell's, but for the warning of a
// scheduler, which is as if a person had stopped the run.
var stopCodes = map[os.Signal]int{
	os.Interrupt: 130, syscall.SIGTERM: 143, syscall.SIGHUP: 129, syscall.SIGUSR1: 130,
}

// A signal to stop ends a run within two seconds, with its exit code and a line that says
// how to go on.
func TestSignalsToStop(t *testing.T) {
	folder := t.TempDir()
	long := func(more ...string) []string {
		return with(more, "phase", "--dim", "4", "--beta", "0.1,0.2", "--trajectories", "1000000",
			"--depth", "100", "--horizon", "50", "--no-shortcuts", "--quiet", "--out", "t.arrow")
	}
	for sent, want := range stopCodes {
		if signal.Ignored(sent) { // by these tests under nohup, hence by what they start
			continue
		}
		command, stderr := process(t.Context(), folder, long("--resume")...)
		must.Do(t, command.Start())
		before := len(readFile(t, folder, "t.arrow.partial"))
		waitUntil(t, func() bool { return len(readFile(t, folder, "t.arrow.partial")) > max(before, 2000) })
		start := time.Now()
		for range 3 { // as timeout(1) does, which signals the process and its group, both within an echo
			if err := command.Process.Signal(sent); err != nil && !errors.Is(err, os.ErrProcessDone) {
				t.Fatal(err)
			}
			time.Sleep(time.Millisecond)
		}
		_ = command.Wait()
		if elapsed := time.Since(start); elapsed > soon {
			t.Errorf("%v: stopped after %v", sent, elapsed)
		}
		said := stderr.String()
		if code := command.ProcessState.ExitCode(); code != want || strings.Count(said, "\n") != 1 ||
			!strings.Contains(said, "t.arrow.partial") || !strings.Contains(said, "--resume") {
			t.Errorf("%v: exit code %d, %q", sent, code, said)
		}
	}
	if content := readFile(t, folder, "t.arrow"); content != nil {
		t.Errorf("a file of %d bytes stands under the name", len(content))
	}
}

// A second signal ends what has heard the first one and goes on, at once; one that comes within an echo of it
// does not. The process says what it has heard, so that nothing depends on how busy the machine is.
func TestSecondSignalEndsAtOnce(t *testing.T) {
	for sent, want := range stopCodes {
		if signal.Ignored(sent) {
			continue
		}
		command := exec.Command(os.Args[0])
		command.Args = []string{deaf}
		stdout, outErr := command.StdoutPipe()
		stderr := new(bytes.Buffer)
		command.Stderr = stderr
		must.Do(t, errors.Join(outErr, command.Start()))
		killed := time.AfterFunc(patience, func() { _ = command.Process.Kill() })
		var said string
		for _, word := range []string{"begun", "heard"} {
			if _, err := fmt.Fscanln(stdout, &said); err != nil || said != word {
				t.Fatalf("%v: it says %q, not %q: %v", sent, said, word, err)
			}
			if word == "heard" {
				time.Sleep(200 * time.Millisecond) // or it is an echo
			}
			must.Do(t, command.Process.Signal(sent))
		}
		_ = command.Wait()
		killed.Stop()
		if code := command.ProcessState.ExitCode(); code != want ||
			stderr.String() != "antipode: interrupted again; ended at once\n" {
			t.Errorf("%v: exit code %d, %q", sent, code, stderr)
		}
	}
}

// In the midst of a matrix that takes many minutes a run ends with the second signal, or by itself when it
// does not stop within a second of the first. What was finished before is kept.
func TestSecondSignal(t *testing.T) {
	folder := t.TempDir()
	must.Do(t, os.WriteFile(filepath.Join(folder, "t.arrow"), []byte("earlier"), 0o666))
	// the first signal, which a run has a second to obey, and the second
	const between = 300 * time.Millisecond
	long := []string{"stable-rank", "--tokens", "10,2000", "--samples", "2", "--gap", "remove-outliers",
		"--quiet", "--log-level", "info", "--out", "t.arrow", "--resume"}
	for _, sent := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGUSR1} {
		command, stderr := process(t.Context(), folder, long...)
		must.Do(t, command.Start())
		waitUntil(t, func() bool { // for the two small matrices after the description of the run
			_, pieces, _ := bytes.Cut(readFile(t, folder, "t.arrow.partial"), []byte("}]"))
			return len(pieces) > 2*3*8
		})
		ended := make(chan struct{})
		go func() {
			_ = command.Wait()
			close(ended)
		}()
		time.Sleep(between) // into the matrix
		start := time.Now()
		// A third one, where the machine is so busy that the second came as an echo.
		for alive := true; alive; {
			if err := command.Process.Signal(sent); err != nil && !errors.Is(err, os.ErrProcessDone) {
				t.Fatal(err)
			}
			select {
			case <-ended:
				alive = false
			case <-time.After(between):
			}
		}
		if elapsed := time.Since(start); elapsed > soon {
			t.Errorf("%v: ended after %v", sent, elapsed)
		}
		if code := command.ProcessState.ExitCode(); code != stopCodes[sent] ||
			!strings.Contains(stderr.String(), "antipode: interrupted") {
			t.Errorf("%v: exit code %d, %q", sent, code, stderr)
		}
		if sent != os.Interrupt && !strings.Contains(stderr.String(), "pieces=2") {
			t.Errorf("%v: does not go on with the two small matrices: %q", sent, stderr)
		}
	}
	if content := readFile(t, folder, "t.arrow"); string(content) != "earlier" {
		t.Errorf("%d bytes stand under the name", len(content))
	}
}

// A signal ends also what keeps nothing: in the midst of a matrix that takes many seconds,
// and of rows that nobody reads.
func TestSignalsWhereNothingIsKept(t *testing.T) {
	folder := t.TempDir()
	mustRun(t, folder, rowsRun()...)
	for _, arguments := range [][]string{
		// a long one
		{"spectrum", "--tokens", "2000", "--samples", "1", "--json", "--quiet", "--log-level", "info"},
		{"inspect", "--jsonl", "t.arrow"}, // more than a pipe holds
	} {
		command, _ := process(t.Context(), folder, arguments...)
		command.Stderr = nil
		stdout, outErr := command.StdoutPipe()
		stderr, errErr := command.StderrPipe()
		must.Do(t, errors.Join(outErr, errErr, command.Start()))
		told, lines := stdout, 1 // told says that the command is on the way
		if arguments[0] == "spectrum" {
			told, lines = stderr, 2
		}
		must.Get(told.Read(make([]byte, 1)))(t)
		time.Sleep(300 * time.Millisecond) // into the matrix, and until the pipe is full
		start := time.Now()
		must.Do(t, command.Process.Signal(os.Interrupt))
		said := must.Get(io.ReadAll(stderr))(t)
		_ = command.Wait()
		if elapsed := time.Since(start); elapsed > soon {
			t.Errorf("%v: stopped after %v", arguments, elapsed)
		}
		if code := command.ProcessState.ExitCode(); code != interruption.Interrupted ||
			!bytes.HasSuffix(said, []byte("antipode: interrupted; no file was written or changed\n")) ||
			bytes.Count(said, []byte("\n")) != lines {
			t.Errorf("%v: exit code %d, %q", arguments, code, said)
		}
	}
}

// Under nohup(1) the end of a terminal does not end a run.
func TestNoHangup(t *testing.T) {
	nohup, err := exec.LookPath("nohup")
	if err != nil {
		t.Skip("there is no nohup here")
	}
	folder := t.TempDir()
	command, stderr := process(t.Context(), folder)
	command.Path = nohup
	command.Args = append([]string{"nohup", "bash", "-c", `exec -a antipode "$0" "$@"`, os.Args[0]},
		rowsRun()...)
	must.Do(t, command.Start())
	waitUntil(t, func() bool { return readFile(t, folder, "t.arrow.partial") != nil })
	must.Do(t, command.Process.Signal(syscall.SIGHUP))
	if err := command.Wait(); err != nil || readFile(t, folder, "t.arrow") == nil {
		t.Errorf("%v: %s", err, stderr)
	}
}

func waitUntil(t *testing.T, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !done(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("it does not happen")
		}
	}
}

// Of two processes that write one file the second is refused, and the first comes to its
// end.
func TestTwoProcesses(t *testing.T) {
	folder := t.TempDir()
	const trajectories = "40000" // of which the first is not at its end before the second begins
	first, firstErr := process(t.Context(), folder, rowsRun("--trajectories", trajectories)...)
	must.Do(t, first.Start())
	waitUntil(t, func() bool { return readFile(t, folder, "t.arrow.partial") != nil })
	for _, more := range [][]string{nil, {"--resume"}} {
		second, stderr := process(t.Context(), folder,
			rowsRun(append(more, "--trajectories", trajectories)...)...)
		if err := second.Run(); err == nil || second.ProcessState.ExitCode() != exitFailed ||
			!strings.Contains(stderr.String(), "t.arrow: another process is writing it") {
			t.Errorf("the second: %v, %q", err, stderr)
		}
	}
	if err := first.Wait(); err != nil {
		t.Errorf("the first: %v: %s", err, firstErr)
	}
}

// What cannot be written is an error of one line, and a run that goes on with more room
// makes the same file.
func TestNoRoom(t *testing.T) {
	folder := t.TempDir()
	mustRun(t, folder, rowsRun()...)
	want := readFile(t, folder, "t.arrow")
	earlier := []byte("earlier")
	must.Do(t, os.WriteFile(filepath.Join(folder, "t.arrow"), earlier, 0o666))
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("there is no bash here")
	}
	for _, kilobytes := range []int{0, 20} {
		kept := kilobytes > 0
		command, stderr := process(t.Context(), folder)
		command.Path, command.Args = bash,
			append([]string{"bash", "-c", fmt.Sprintf(`ulimit -f %d; exec -a antipode "$0" "$@"`, kilobytes),
				os.Args[0]}, rowsRun("--resume")...)
		err = command.Run()
		said := stderr.String()
		if code := command.ProcessState.ExitCode(); code != exitFailed ||
			strings.Count(said, "\n") != 1 || !strings.Contains(said, "file too large") {
			t.Errorf("%v: exit code %d, %q", err, code, said)
		}
		if there := readFile(t, folder, "t.arrow.partial") != nil; there != kept ||
			strings.Contains(stderr.String(), "what is finished") != kept {
			t.Errorf("with %d kB there is a partial file: %v; %q", kilobytes, there, stderr)
		}
		if !bytes.Equal(readFile(t, folder, "t.arrow"), earlier) {
			t.Error("the earlier file is not what it was")
		}
	}
	must.Do(t, os.Remove(filepath.Join(folder, "t.arrow")))
	mustRun(t, folder, rowsRun("--resume")...)
	if !bytes.Equal(readFile(t, folder, "t.arrow"), want) {
		t.Error("another file")
	}
}

// A folder that vanishes is an error of one line.
func TestFolderVanishes(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "f")
	must.Do(t, os.Mkdir(folder, 0o777))
	command, stderr := process(t.Context(), filepath.Dir(folder), rowsRun("--out", "f/t.arrow")...)
	must.Do(t, command.Start())
	waitUntil(t, func() bool { return len(readFile(t, folder, "t.arrow.partial")) > 2000 })
	must.Do(t, os.RemoveAll(folder))
	err := command.Wait()
	code, said := command.ProcessState.ExitCode(), stderr.String()
	if code != exitFailed || strings.Count(said, "\n") != 1 {
		t.Errorf("%v: exit code %d, %q", err, code, said)
	}
}

// A run whose partial file somebody removes ends well; one whose table on the way is removed
// says so in one line, keeps the earlier table, and goes on.
func TestFileVanishes(t *testing.T) {
	folder := t.TempDir()
	mustRun(t, folder, rowsRun()...)
	want := readFile(t, folder, "t.arrow")
	for name, code := range map[string]int{"t.arrow.partial": exitDone, ".t.arrow.writing": exitFailed} {
		must.Do(t, os.WriteFile(filepath.Join(folder, "t.arrow"), []byte("earlier"), 0o666))
		command, stderr := process(t.Context(), folder, rowsRun()...)
		must.Do(t, command.Start())
		waitUntil(t, func() bool { return len(readFile(t, folder, "t.arrow.partial")) > 2000 })
		must.Do(t, os.Remove(filepath.Join(folder, name)))
		_ = command.Wait()
		if got := command.ProcessState.ExitCode(); got != code ||
			code != exitDone && strings.Count(stderr.String(), "\n") != 1 {
			t.Errorf("%s: exit code %d, %q", name, got, stderr)
		}
		if code != exitDone {
			if content := readFile(t, folder, "t.arrow"); string(content) != "earlier" {
				t.Errorf("%d bytes stand under the name", len(content))
			}
			mustRun(t, folder, rowsRun("--resume")...)
		}
		if !bytes.Equal(readFile(t, folder, "t.arrow"), want) {
			t.Errorf("%s: another file", name)
		}
	}
}

// Nobody reads what is printed: table and figure are there, and nothing is said of it.
func TestClosedStdout(t *testing.T) {
	folder := t.TempDir()
	command, stderr := process(t.Context(), folder, rowsRun("--plot", "t.png")...)
	pipe := must.Get(command.StdoutPipe())(t)
	must.Do(t, command.Start())
	pipe.Close()
	_ = command.Wait()
	if code := command.ProcessState.ExitCode(); code != 128+int(syscall.SIGPIPE) || stderr.Len() > 0 {
		t.Errorf("exit code %d, %q", code, stderr)
	}
	if readFile(t, folder, "t.arrow") == nil || readFile(t, folder, "t.png") == nil {
		t.Error("there is no table, or no figure")
	}
}
