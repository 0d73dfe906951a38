//go:build unix

package main

import (
	"antipode/cmd/antipode/interruption"
	"antipode/internal/longtest"
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

// soon is the longest time in which a process must stop after a signal. On an idle machine that takes at most
// two seconds; a minute allows for a busy machine. The runs in these tests would take longer than that if
// they ignored the signal.
const soon = time.Minute

// patience is the longest time that a test waits for something that takes about a second; the machine may be
// busy, or the race detector on.
const patience = 5 * time.Minute

// process returns a command that runs the program in its own process, which is killed after patience.
func process(
	ctx context.Context, folder string, arguments ...string,
) (command *exec.Cmd, stderr *bytes.Buffer) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	context.AfterFunc(ctx, cancel)
	command = exec.CommandContext(ctx, os.Args[0])
	command.Args = append([]string{"antipode"}, arguments...) // by this name TestMain runs the program
	command.Dir = folder
	stderr = new(bytes.Buffer)
	command.Stderr = stderr
	return command, stderr
}

// mustRun runs the program to its end, and fails the test if the program fails.
func mustRun(t *testing.T, folder string, arguments ...string) {
	t.Helper()
	command, stderr := process(t.Context(), folder, arguments...)
	if err := command.Run(); err != nil {
		t.Fatalf("%q: %v: %s", arguments, err, stderr)
	}
}

// readFile returns the content of a file in the folder, nil if there is no such file.
func readFile(t *testing.T, folder, name string) []byte {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(folder, name))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return content
}

// aRun returns the arguments of a run that takes about half a second, and ends trajectories early when their
// outcome is decided. Its value matrices are uniform, for which no exact law is computed; that would take
// much longer than the trajectories.
func aRun(more ...string) []string {
	return with(more, "phase", "--dim", "3,4", "--beta", "0.5,1.5", "--trajectories", "1000",
		"--depth", "50", "--horizon", "10", "--law", "uniform", "--quiet", "--out", "t.arrow")
}

// with returns the arguments followed by more, without those flags that more gives too.
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

// rowsRun returns the arguments of a run whose table has rows for each trajectory.
func rowsRun(more ...string) []string {
	return with(more, "simulate", "--tokens", "3", "--trajectories", "1500", "--depth", "50",
		"--horizon", "40", "--quiet", "--out", "t.arrow")
}

// networksRun returns the arguments of a run with random networks.
func networksRun(more ...string) []string {
	return with(more, "gradients", "--dim", "24", "--tokens", "12", "--networks", "200", "--layers", "2",
		"--quiet", "--out", "t.arrow")
}

// learningRun returns the arguments of a run that trains networks, and so keeps their states in files of
// their own until it ends.
func learningRun(more ...string) []string {
	return with(more, "train", "--steps", "100", "--seeds", "2", "--every", "25", "--validation", "8",
		"--quiet", "--out", "t.arrow")
}

// tablesRun returns the arguments of a run that writes two tables of the same trajectories.
func tablesRun(more ...string) []string {
	return rowsRun(append(more, "--save", "overlaps,outcomes")...)
}

// If a run is killed at any instant, its table is either the earlier one or the whole new one; and when it is
// resumed, it writes the same files as an undisturbed run.
func TestKilledAtAnyInstant(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some ten runs")
	}
	killings := longtest.Choose(4, 50) // in two halves
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

// The states of networks that a killed training run has kept are not discarded by a new run, unless it has
// --restart; then they are removed.
func TestKeptStates(t *testing.T) {
	folder := t.TempDir()
	long := learningRun("--steps", "1000000", "--every", "1000000")
	command, _ := process(t.Context(), folder, long...)
	must.Do(t, command.Start())
	waitUntil(t, func() bool { return readFile(t, folder, "t.arrow.partial-states/0") != nil })
	time.Sleep(50 * time.Millisecond) // until the journal has recorded the state
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

// readFiles returns the contents of files in the folder, nil for a file that does not exist.
func readFiles(t *testing.T, folder string, names []string) (contents [][]byte) {
	t.Helper()
	for _, name := range names {
		contents = append(contents, readFile(t, folder, name))
	}
	return contents
}

// kill starts the program and kills it after some time, unless it has ended before.
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

// stopCodes are the exit codes for the signals that stop a run. They are those of a shell, except for
// SIGUSR1, the warning of a scheduler, which counts as an interruption by a person.
var stopCodes = map[os.Signal]int{
	os.Interrupt: 130, syscall.SIGTERM: 143, syscall.SIGHUP: 129, syscall.SIGUSR1: 130,
}

// A signal ends a run soon, with the signal's exit code and one line that says how to resume.
func TestSignalsToStop(t *testing.T) {
	folder := t.TempDir()
	long := func(more ...string) []string {
		return with(more, "phase", "--dim", "4", "--beta", "0.1,0.2", "--trajectories", "1000000",
			"--depth", "100", "--horizon", "50", "--no-shortcuts", "--quiet", "--out", "t.arrow")
	}
	for sent, want := range stopCodes {
		if signal.Ignored(sent) { // under nohup, SIGHUP is ignored by the tests and what they start
			continue
		}
		command, stderr := process(t.Context(), folder, long("--resume")...)
		must.Do(t, command.Start())
		before := len(readFile(t, folder, "t.arrow.partial"))
		waitUntil(t, func() bool { return len(readFile(t, folder, "t.arrow.partial")) > max(before, 2000) })
		start := time.Now()
		for range 3 { // timeout(1) signals the process and its group: repeated signals count as one
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

// After the first signal, a second one ends a program that would go on, at once; but not if it comes within
// 100 ms of the first, as an echo of it. The program prints when it has received the first signal, so the
// test does not depend on how busy the machine is.
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
				time.Sleep(200 * time.Millisecond) // a signal sooner than 100 ms later would count as an echo
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

// oneCore in the environment of a process keeps it to one core of the processor, for commands that compute
// until a test ends them.
const oneCore = "GOMAXPROCS=1"

// While a run computes a matrix that takes many minutes, the second signal ends it; without one it ends by
// itself a second after the first. The pieces finished before are kept.
func TestSecondSignal(t *testing.T) {
	longtest.Only(t)
	folder := t.TempDir()
	must.Do(t, os.WriteFile(filepath.Join(folder, "t.arrow"), []byte("earlier"), 0o666))
	// between is the time between signals. After the first, a run has a second to stop.
	const between = 300 * time.Millisecond
	long := []string{"stable-rank", "--tokens", "10,2000", "--samples", "2", "--gap", "remove-outliers",
		"--quiet", "--log-level", "info", "--out", "t.arrow", "--resume"}
	for _, sent := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGUSR1} {
		command, stderr := process(t.Context(), folder, long...)
		command.Env = append(os.Environ(), oneCore)
		must.Do(t, command.Start())
		waitUntil(t, func() bool { // until two small matrices are recorded after the description of the run
			_, pieces, _ := bytes.Cut(readFile(t, folder, "t.arrow.partial"), []byte("}]"))
			return len(pieces) > 2*3*8
		})
		ended := make(chan struct{})
		go func() {
			_ = command.Wait()
			close(ended)
		}()
		time.Sleep(between) // so that the large matrix has begun
		start := time.Now()
		// A third signal is sent if the machine is so busy that the second counted as an echo.
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

// A signal also ends a command that keeps nothing: spectrum in the midst of a matrix that takes many seconds,
// and inspect while it prints rows that nobody reads.
func TestSignalsWhereNothingIsKept(t *testing.T) {
	longtest.Only(t)
	folder := t.TempDir()
	mustRun(t, folder, rowsRun()...)
	for _, arguments := range [][]string{
		// takes many seconds
		{"spectrum", "--tokens", "2000", "--samples", "1", "--json", "--quiet", "--log-level", "info"},
		{"inspect", "--jsonl", "t.arrow"}, // prints more than a pipe holds
	} {
		command, _ := process(t.Context(), folder, arguments...)
		command.Env = append(os.Environ(), oneCore)
		command.Stderr = nil
		stdout, outErr := command.StdoutPipe()
		stderr, errErr := command.StderrPipe()
		must.Do(t, errors.Join(outErr, errErr, command.Start()))
		told, lines := stdout, 1 // what is read from told shows that the command has begun
		if arguments[0] == "spectrum" {
			told, lines = stderr, 2
		}
		must.Get(told.Read(make([]byte, 1)))(t)
		time.Sleep(300 * time.Millisecond) // so that the matrix has begun, or the pipe is full
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

// Under nohup(1) a run goes on after SIGHUP, the signal that a closed terminal sends.
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

// If two processes write the same file, the second is refused, and the first finishes.
func TestTwoProcesses(t *testing.T) {
	longtest.Only(t)
	folder := t.TempDir()
	const trajectories = "8000" // so many that the first process has not finished when it is halted
	first, firstErr := process(t.Context(), folder, rowsRun("--trajectories", trajectories)...)
	must.Do(t, first.Start())
	waitUntil(t, func() bool { return readFile(t, folder, "t.arrow.partial") != nil })
	must.Do(t, first.Process.Signal(syscall.SIGSTOP)) // until the others have tried
	for _, more := range [][]string{nil, {"--resume"}} {
		second, stderr := process(t.Context(), folder,
			rowsRun(append(more, "--trajectories", trajectories)...)...)
		if err := second.Run(); err == nil || second.ProcessState.ExitCode() != exitFailed ||
			!strings.Contains(stderr.String(), "t.arrow: another process is writing it") {
			t.Errorf("the second: %v, %q", err, stderr)
		}
	}
	must.Do(t, first.Process.Signal(syscall.SIGCONT))
	if err := first.Wait(); err != nil {
		t.Errorf("the first: %v: %s", err, firstErr)
	}
}

// If a file cannot be written for lack of room, the error is one line; and when the run is resumed with more
// room, it writes the same file as an undisturbed run.
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
			strings.Contains(stderr.String(), "the finished part") != kept {
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

// If the folder of the output is removed during a run, the run fails with an error of one line.
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

// If somebody removes the partial file of a run, the run still succeeds. If the temporary table is removed,
// the run fails with one line, keeps the earlier table, and can be resumed.
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

// If standard output is closed, the table and the figure are still written, and nothing is printed to stderr.
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
