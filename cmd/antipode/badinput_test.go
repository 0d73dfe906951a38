package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"antipode/experiments/wording"
	"antipode/internal/longtest"
	"antipode/sphere/must"

	"github.com/urfave/cli/v2"
)

// badNumbers are texts that every flag with a number refuses, whatever its bounds.
var badNumbers = []string{"", " ", "x", "nan", "NaN", "inf", "-inf", "1e999", "-1e999", "1,,2", "0x", "1 2",
	"−1", "1e", "--", "1;2", "0x10", "0x1p4", "1_0"}

// outOfBounds are numbers below the lower bound, or above the upper bound, of every flag.
var outOfBounds = []string{"-1e17", "1e17", "-99999999999999999", "99999999999999999"}

var notWhole = []string{"2.5", "1e-3", "99999999999999999999999", "-99999999999999999999999"}

var badGrids = []string{
	"1:", ":1", "::", "1:2", "1:2:3:4", "5:1:1", "3:2:0.5", "1:2:0", "1:2:-1", "0:1:1e-9", "0:1000:0.000001",
	"1:2:nan", "inf:2:1", "1..", "..", "9..4", "4..1000000000", "2,", ",2", "2,2", "1:2:0.3", "3,x",
}

// badValues lists for each type of flag, by its placeholder in the help, values that it must refuse. A type
// that is missing here fails the test.
var badValues = map[string][]string{
	"COUNT":  join(badNumbers, outOfBounds, notWhole),
	"NUMBER": join(badNumbers, outOfBounds),
	"SEED": join(badNumbers, []string{"-1", "99999999999999999999", "18446744073709551616", "1e20"},
		notWhole),
	"SEEDS": join(badNumbers, []string{"-1", "99999999999999999999", "18446744073709551616", "1e20", "1,1",
		"5..4", "1..", "0..1000000", "1,18446744073709551615"}, notWhole),
	"COUNTS":  join(badNumbers, outOfBounds, notWhole, badGrids),
	"NUMBERS": join(badNumbers, outOfBounds, badGrids),
	"NAME":    {"", " ", "x", "0", "nan", "SOFTMAX", "softmax,unnormalized", "gauss"},
	"NAMES": {"", " ", "x", "0", "flow,", ",flow", "flow,flow", "Flow", "transformer flow",
		"transformer;flow"},
	"VALUES": {"", " ", "x", "0", "gaussian,", ",gaussian", "gaussian,gaussian", "Gaussian", "gaussian:",
		"gaussian:0", "gaussian:-1", "gaussian:nan", "gaussian:1e999", "gaussian:x", "gaussian:1:2"},
	"IDS": {"", " ", "x", "0", "eq21,", ",eq21", "eq21,eq21", "EQ21", "all,eq21", "eq21 eq5", "eq21;eq5"},
	"TOKENS": join([]string{"", " ", "x", "nan", "Inf", "-inf", "1e999", "1,2", "0", "1", "1_0", "2:3:1"},
		outOfBounds, notWhole),
	"K/N": join(badNumbers, outOfBounds, notWhole,
		[]string{"1", "1/", "/2", "2/2", "3/2", "-1/2", "0/0", "1/100001", "0/99999999999999999999", "0/1/2",
			"0x0/2", "+0/2", "0 /2", "Auto", "auto/2", "٠/2"}),
	"K[:M]": join(badNumbers, outOfBounds, notWhole, []string{"1:", ":2", "2:1", "1:2:3", "-1:2", "1;2",
		"1,2", "1:x", "0:99999999999999999999"}),
	"MASSES": join(badNumbers, outOfBounds, []string{"1", "1,", ",1", "1,2,3", "0,1", "1,-1", "1,nan",
		"inf,1", "1;2", "1,1e7"}),
	"PAIRS": join(badNumbers, outOfBounds, []string{"1", "1,", ",1", "1,2,3", "0,1", "1,-1", "1,1001",
		"1.5,2", "1,2/", "/1,2", "1,2/1,2", "1;2"}),
	"A,B,C": join(badNumbers, outOfBounds, []string{"1", "1,", "1,2", "1,0,0,0", "0.5,0.6,0", "0.5,-0.6,0",
		"0,0,0", "-1,0,0", "1,nan,0", "1,0,inf", "1e7,0,0", "1;0;0", "Ginibre", "ginibre,"}),
	"MATRIX": {"", " ", "resampled:", "resampled:x", "resampled:-1", "resampled:nan", "resampled:21",
		"resampled:1:", "resampled:1:0", "resampled:1:x", "resampled:1:2:3", "resampled", "missing.txt", ".",
		"folder.arrow", "plain", "empty", "Identity", "gaussian", "gaussian:", "gaussian:x", "gaussian:-1",
		"gaussian:nan", "gaussian:1e7", "gaussian:1,2", "rotation:", "rotation:1e3", "rotation:inf", "1,2",
		"a\x00", strings.Repeat("a", 300)},
	"MLP": {"", " ", "tanh", "tanh:", "tanh:-1", "tanh:nan", "tanh:1e7", "swish:1", "TANH:1", "tanh:1:0",
		"tanh:1:1e5", "tanh:1:", "tanh:1:1:0", "tanh:1:1:2.5", "tanh:1:1:1e9", "tanh:1:1:5:1", ":after",
		"tanh:after",
		"none:1", "tanh:1:after:1", "None"},
	"START": {"", " ", "Uniform", "overlap", "overlap:", "overlap:2", "overlap:nan", "overlap:1,2",
		"opposite", "opposite:1", "opposite:0,1", "opposite:1,-1", "opposite:1.5,1", "opposite:1,2,3",
		"opposite:99999999999,1", "missing.arrow", "folder.arrow", "text.arrow", "empty.arrow",
		"x.txt", "a\x00.arrow"},
	"ADDRESS:PORT": {"", " ", "x", ":", ":80", "127.0.0.1", "127.0.0.1:", "127.0.0.1:x", "127.0.0.1:-1",
		"127.0.0.1:65536", "127.0.0.1:080", "127.0.0.1:http", "0.0.0.0:80", "[::]:80", "192.168.0.1:80",
		"example.org:80", "::1:80", "localhost:80:80", "http://localhost:80", "127.1:80"},
	"PIXELS": join(badNumbers, notWhole, []string{"0", "-8", "3", "32", "1/", "/2", "1/0", "1/3", "2/4",
		"1/-2"}),
	"FOLDER": {"", "plain", "plain/x", "a\x00", strings.Repeat("a", 300)},
	"DIR":    {"", " ", "x", ".", "missing/x", "plain", "folder.arrow", "a\x00", strings.Repeat("a", 300)},
	"STATES": join(badNumbers, outOfBounds, []string{"x", "missing.npy", ".", "folder.arrow", "plain",
		"text.txt", "a\x00.npy", strings.Repeat("a", 300) + ".npy"}),
	"WEIGHTS": {"", " ", "x", "missing.npz", ".", "folder.arrow", "plain", "text.txt", "hidden.npy", "1",
		"missing.safetensors", "a\x00.npz", strings.Repeat("a", 300) + ".npz"},
	"NAMES-FILE": {"", " ", "x", "missing.json", ".", "folder.arrow", "plain", "text.txt", "Auto",
		"bert,gpt2", "1",
		"a\x00.json", strings.Repeat("a", 300) + ".json"},
	"FILES": join(badNumbers, outOfBounds, []string{"", ",", "x", "missing.npy", ".", "folder.arrow",
		measured + "," + measured, measured + ",missing.npy", "a\x00.npy",
		strings.Repeat("a", 300) + ".npy"}),
	"FILE": {"", " ", "x", "x.txt", ".", "/", "a.arrow/", "missing/a.arrow", "missing/a.png", "a\x00.arrow",
		"a\x00.png", "plain/a.arrow", "plain/a.png", "folder.arrow", "folder.png",
		strings.Repeat("a", 300) + ".arrow",
		strings.Repeat("a", 300) + ".png"},
}

func join(lists ...[]string) (all []string) {
	for _, list := range lists {
		all = append(all, list...)
	}
	return all
}

// sources is the folder of this package.
var sources, _ = os.Getwd()

// badFolder changes to a temporary folder with files and folders for every way to name a wrong file.
func badFolder(t *testing.T) {
	folder := filepath.Join(sources, "..", "..", "experiments", "measure", "hidden", "testdata")
	states := must.Get(os.ReadFile(filepath.Join(folder, "float32.npy")))(t)
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{"plain": "a file", "empty": "", "text.arrow": "a text",
		"empty.arrow": ""} {
		must.Do(t, os.WriteFile(name, []byte(text), 0o666))
	}
	must.Do(t, os.WriteFile(measured, states, 0o666))
	for _, name := range []string{"folder.arrow", "folder.png"} {
		must.Do(t, os.Mkdir(name, 0o777))
	}
}

// listing returns the names and contents of all files below the current folder.
func listing(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	must.Do(t, filepath.WalkDir(".", func(path string, entry os.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() {
			var content []byte
			content, err = os.ReadFile(path)
			b.Write(content)
		}
		b.WriteString(path + "\n")
		return err
	}))
	return b.String()
}

// refuse checks that the program refuses the arguments with exit code 2, within a minute (on an idle machine
// it takes a hundredth of a second), with one line that contains each of the words, and without creating or
// changing a file.
func refuse(t *testing.T, words []string, arguments ...string) {
	t.Helper()
	before, start := listing(t), time.Now()
	var stdout, stderr bytes.Buffer
	code := execute(t.Context(), append([]string{"antipode"}, arguments...), &stdout, &stderr)
	line := stderr.String()
	if code != exitUsage || stdout.Len() > 0 || strings.Count(line, "\n") != 1 ||
		!strings.HasSuffix(line, "\n") {
		t.Errorf("%q: exit code %d, stdout %q, stderr %q", arguments, code, &stdout, line)
		return
	}
	for _, word := range words {
		if !mentions(line, word) {
			t.Errorf("%q: %q does not name %q", arguments, line, word)
		}
	}
	if n := utf8.RuneCountInString(line); n > wording.MessageColumns+1 {
		t.Errorf("%q: %d characters, %q", arguments, n, line)
	}
	if elapsed := time.Since(start); elapsed > time.Minute {
		t.Errorf("%q: refused after %v", arguments, elapsed)
	}
	if after := listing(t); after != before {
		t.Errorf("%q: files before:\n%s\nafter:\n%s", arguments, before, after)
	}
}

// mentions reports whether the line contains the text or, if the line is abbreviated by "…", the beginning
// and the end of the text.
func mentions(line, text string) bool {
	head, tail, abbreviated := strings.Cut(line, "…")
	if !abbreviated || strings.Contains(line, text) {
		return strings.Contains(line, text)
	}
	const end = 8 // bytes of the text that must be found on each side
	if len(text) <= 2*end {
		return false
	}
	return strings.Contains(head, text[:end]) && strings.Contains(tail, text[len(text)-end:])
}

// measured is the file of hidden states in badFolder.
const measured = "hidden.npy"

// fileArgument returns the FILE argument of a command, or nothing if the command takes none.
func fileArgument(command *cli.Command) []string {
	if command.ArgsUsage == "" {
		return nil
	}
	if command.Name == "measure" {
		return []string{measured}
	}
	return []string{"plain"}
}

// Every flag of every command, from the commands' own definitions, refuses every bad value of its type. One
// bad value in 32 is also given to the whole program.
func TestEveryFlagRefusesBadValues(t *testing.T) {
	if testing.Short() {
		t.Skip("nothing in it runs at the same time")
	}
	badFolder(t)
	var null bytes.Buffer
	tried, turn := 0, 0
	for _, command := range newApp(&null, &null).Commands {
		for _, f := range command.Flags {
			flag, ok := f.(*cli.GenericFlag)
			if !ok {
				if _, isSwitch := f.(*cli.BoolFlag); !isSwitch {
					t.Errorf("%s %s: a flag of a type that this test does not know", command.Name, f.Names())
				}
				continue
			}
			value := flag.Value.(*valueFlag).parameter.Value
			kind := value.Placeholder()
			bad, known := badValues[kind]
			if !known {
				t.Errorf("%s --%s: no bad values for the type %s", command.Name, flag.Name, kind)
			}
			turn++
			for k, text := range bad {
				arguments := append([]string{command.Name}, fileArgument(command)...)
				arguments = append(arguments, "--"+flag.Name+"="+text)
				// The value is legal, as a.png is for --plot, but it may be impossible to write that file.
				if value.Set(text) == nil {
					if value.Placeholder() != "FILE" {
						t.Errorf("%q is accepted", arguments)
					}
					if strings.Contains(text, "/") || strings.HasPrefix(text, "folder") || len(text) > 255 {
						refuseOrFail(t, command, "--"+flag.Name, arguments)
					}
					continue
				}
				if (turn+k)%32 != 0 {
					continue
				}
				reason := "must be"
				if text == "missing.safetensors" { // the name is allowed, but no such file exists
					reason = "no such file"
				}
				refuse(t, []string{"--" + flag.Name, wording.Quoted(text), reason}, arguments...)
				tried++
			}
			refuse(t, []string{"--" + flag.Name, "a value is missing", "must be " + value.Allowed()},
				append(append([]string{command.Name}, fileArgument(command)...), "--"+flag.Name)...)
		}
	}
	if tried < 150 {
		t.Errorf("only %d bad values tried", tried)
	}
}

// refuseOrFail checks that the program refuses a file name which is legal but cannot be written. A command
// that reads FILE is not checked this way, since it finds FILE to be bad first.
func refuseOrFail(t *testing.T, command *cli.Command, flag string, arguments []string) {
	t.Helper()
	if command.ArgsUsage == "" {
		refuse(t, []string{flag}, arguments...)
	}
}

// Every command refuses a flag that is given twice, under either of its names, or once on the command line
// and once in a file of arguments.
func TestEveryFlagIsGivenOnce(t *testing.T) {
	longtest.Only(t)
	badFolder(t)
	var null bytes.Buffer
	for _, command := range newApp(&null, &null).Commands {
		for _, f := range command.Flags {
			for _, name := range f.Names() {
				words := []string{command.Name}
				for _, name := range []string{f.Names()[0], name} {
					words = append(words, "--"+name)
					if _, valued := f.(*cli.GenericFlag); valued {
						words = append(words, "1")
					}
				}
				refuse(t, []string{"--" + f.Names()[0], "--" + name, "once"}, words...)
			}
		}
	}
	if err := os.WriteFile("arguments", []byte(`["--dim","4"]`), 0o666); err != nil {
		t.Fatal(err)
	}
	refuse(t, []string{"--dim", "as 4 and as 5", "once"}, "phase", "@arguments", "--dim", "5")
}

// A shell may have put the content of a whole file in place of a value: the message stays short enough to
// read. Every third flag is tried.
func TestLongValuesAreCut(t *testing.T) {
	if testing.Short() {
		t.Skip("nothing in it runs at the same time")
	}
	badFolder(t)
	long := strings.Repeat("Zé\x00", 2000)
	lists := []string{long, strings.Repeat("1,", 5000) + "x", strings.Repeat("1 ", 5000),
		strings.Repeat("long-name-", 1000) + ".arrow"}
	var null bytes.Buffer
	turn := 0
	for _, command := range newApp(&null, &null).Commands {
		for _, f := range command.Flags {
			flag, ok := f.(*cli.GenericFlag)
			if !ok {
				continue
			}
			if turn++; turn%3 != 0 {
				continue
			}
			text := lists[turn/3%len(lists)]
			arguments := append([]string{command.Name}, fileArgument(command)...)
			arguments = append(arguments, "--"+flag.Name+"="+text)
			if flag.Value.(*valueFlag).parameter.Set(text) == nil { // the name of a file
				refuseOrFail(t, command, "--"+flag.Name, arguments)
			} else {
				refuse(t, []string{"--" + flag.Name}, arguments...)
			}
		}
	}
	for _, arguments := range [][]string{
		{"phase", "--beta=" + long}, {"phase", "--beta=0:" + long + ":1"}, {"phase", "--dim=" + long},
		{"phase", "--law=" + long}, {"phase", "--plot=" + long}, {"phase", "--trajectories=" + long},
		{"phase", long}, {long}, {"phase", "--" + long}, {"phase", "--quiet=" + long},
	} {
		var stdout, stderr bytes.Buffer
		code := execute(t.Context(), append([]string{"antipode"}, arguments...), &stdout, &stderr)
		if code != exitUsage || stderr.Len() > 300 || stdout.Len() > 0 {
			t.Errorf("%.20q: exit code %d, %d bytes, %.300q …", arguments, code, stderr.Len(), &stderr)
		}
	}
}

func TestStrayWordsAreRefused(t *testing.T) {
	if testing.Short() {
		t.Skip("nothing in it runs at the same time")
	}
	badFolder(t)
	var null bytes.Buffer
	for _, command := range newApp(&null, &null).Commands {
		if command.ArgsUsage == "" {
			refuse(t, []string{`"stray"`}, command.Name, "stray")
			refuse(t, []string{`"--quiet"`}, command.Name, "--", "--quiet")
		} else if strings.HasSuffix(command.ArgsUsage, "...") {
			refuse(t, []string{"needs the files"}, command.Name, "--out", "a.arrow")
			refuse(t, []string{"FILE is empty"}, command.Name, "--out", "a.arrow", "plain", "")
		} else if strings.HasPrefix(command.ArgsUsage, "[FILE") { // FILE arguments are optional
			refuse(t, []string{"FILE is empty"}, command.Name, "--open=false", "")
		} else if strings.HasPrefix(command.ArgsUsage, "FILE [") { // one FILE or more
			refuse(t, []string{"one FILE"}, command.Name)
			refuse(t, []string{"FILE"}, command.Name, "plain", "plain")
			refuse(t, []string{"FILE"}, command.Name, "plain", "")
		} else if !strings.HasPrefix(command.ArgsUsage, "[") {
			refuse(t, []string{"one FILE"}, command.Name)
			refuse(t, []string{"one FILE"}, command.Name, "plain", "plain")
			refuse(t, []string{"FILE"}, command.Name, "")
		}
		refuse(t, []string{"--nonsense"}, command.Name, "--nonsense")
		refuse(t, []string{"--nonsense"}, command.Name, "--nonsense=3")
		refuse(t, []string{"-x"}, command.Name, "-x")
		for k, f := range command.Flags { // every third flag, with a letter too many
			if k%3 != 0 {
				continue
			}
			if slices.ContainsFunc(command.Flags, func(other cli.Flag) bool { // that is another flag
				return other.Names()[0] == f.Names()[0]+"s"
			}) {
				continue
			}
			misspelt := "--" + f.Names()[0] + "s"
			refuse(t, []string{misspelt, "did you mean --"}, command.Name, misspelt)
		}
		refuse(t, []string{"did you mean ", command.Name}, command.Name+"s")
	}
	refuse(t, []string{"--out"}, "--out", "a.arrow")
	refuse(t, []string{`""`}, "")
}

func TestValuesThatDoNotFitTogether(t *testing.T) {
	badFolder(t)
	refuse(t, []string{"--beta 800", "overflows"}, "phase", "--attention", "unnormalized", "--beta", "800")
	refuse(t, []string{"--horizon 0.25", "whole number of layers"}, "phase", "--depth", "10",
		"--horizon", "0.25")
	refuse(t, []string{"--beta", "cells"}, "phase", "--dim", "2..1001", "--beta", "0:1:0.001")
	refuse(t, []string{"--trajectories 1000000000000", "years"}, "phase", "--trajectories", "1000000000000")
	refuse(t, []string{"--scheme heun", "does not fit the model transformer; must be euler"}, "simulate",
		"--scheme", "heun")
	refuse(t, []string{"--scheme rk4", "must be euler, geodesic or heun"}, "simulate", "--scheme", "rk4",
		"--model", "hybrid-sde")
	refuse(t, []string{"--noise independent", "must be common"}, "simulate", "--model", "flow",
		"--noise", "independent")
	refuse(t, []string{"--law uniform", "must be gaussian"}, "simulate", "--model", "transformer-sde",
		"--law", "uniform")
	refuse(t, []string{"--every 0.015", "whole number of layers"}, "simulate", "--model", "transformer-sde",
		"--every", "0.015")
	refuse(t, []string{"--depth 8,16", "at least three"}, "weak", "--depth", "8,16")
	refuse(t, []string{"--depth 8,16,24", "8 times powers of 2", "24 is not"}, "weak", "--depth", "8,16,24")
	refuse(t, []string{"--horizon 0.1", "whole number of layers"}, "weak", "--depth", "8,16,32",
		"--horizon", "0.1")
	refuse(t, []string{"--horizon 1e+06", "steps of the least depth"}, "weak", "--horizon", "1e6")
	refuse(t, []string{"--z0 0.5", "must be uniform"}, "weak", "--tokens", "3", "--z0", "0.5")
	refuse(t, []string{"--beta 500", "overflows"}, "weak", "--attention", "unnormalized", "--beta", "500")
	refuse(t, []string{"--model flow", "must be transformer or hybrid"}, "weak", "--model", "flow")
	refuse(t, []string{"--trajectories 1000000000000", "years"}, "weak", "--trajectories", "1000000000000",
		"--horizon", "8")
	refuse(t, []string{"--tokens 1", "from 2"}, "spectrum", "--tokens", "1")
	refuse(t, []string{"--dim 0", "from 1"}, "spectrum", "--dim", "0")
	refuse(t, []string{"--tokens 100000", "149 GiB"}, "spectrum", "--tokens", "100000")
	refuse(t, []string{"--tokens 3000", "at most 2000"}, "spectrum", "--tokens", "3000",
		"--attention", "softmax")
	refuse(t, []string{"--layers 50", "overflows in layer"}, "spectrum", "--tokens", "10", "--layers", "50",
		"--attention", "linear", "--json")
	refuse(t, []string{"--ratio 50", "skip connection"}, "stable-rank", "--ratio", "50", "--tokens", "10",
		"--architecture", "skip")
	for _, rate := range []string{"0", "-1", "nan", "1e7"} {
		refuse(t, []string{"--learning-rate " + rate, "above 0, up to 1e+06"}, "train",
			"--learning-rate", rate)
	}
	refuse(t, []string{"--steps 0", "from 1"}, "train", "--steps", "0")
	refuse(t, []string{"--batch 0", "from 1"}, "train", "--batch", "0")
	refuse(t, []string{"--heads 3", "must divide the dimension, 16"}, "train", "--heads", "3")
	refuse(t, []string{"--dim 60000", "GiB"}, "train", "--dim", "60000", "--layers", "500")
	refuse(t, []string{"--steps 1000000000", "years"}, "train", "--steps", "1e9", "--every", "1e9",
		"--batch", "1000")
	refuse(t, []string{"--every 1", "rows"}, "train", "--steps", "1e9", "--every", "1")
	refuse(t, []string{"--seed 9223372036854775806", "below 2^63"}, "train", "--seed", "9223372036854775806")
	refuse(t, []string{"--dim 10000", "GiB"}, "phase", "--law", "uniform", "--dim", "10000",
		"--workers", "100")
	refuse(t, []string{"--method chain", "gaussian", "must be tokens"}, "phase", "--method", "chain",
		"--law", "uniform")
	refuse(t, []string{"--alpha-sa 0", "layer 1", "become 0"}, "propagation", "--alpha-sa", "0")
	refuse(t, []string{"--alpha-sa 0", "layer 1", "become 0"}, "propagation", "--alpha-sa", "0", "--json",
		"--out", "a.arrow")
	refuse(t, []string{"--alpha-sa 1000", "overflows"}, "propagation", "--alpha-sa", "1000",
		"--block", "pre-norm", "--layers", "100")
	refuse(t, []string{"--weight-beta 100", "standard deviation"}, "propagation", "--beta", "100",
		"--tokens", "1000")
	refuse(t, []string{"--layers 100000", "must be at most"}, "propagation", "--layers", "100000",
		"--beta", "0:1:0.001")
	refuse(t, []string{"--weight-beta", "cells"}, "trainability", "--beta", "0:1:0.001",
		"--alpha-sa", "0:1:0.001")
	refuse(t, []string{"--layers 100000", "layers"}, "trainability", "--depth", "100000",
		"--beta", "0:1:0.001")
	refuse(t, []string{"--weight-beta", "cells"}, "attention-phase", "--beta", "0:1:0.001",
		"--rho", "0:1:0.001")
	refuse(t, []string{"--weight-beta 500", "standard deviation"}, "attention-phase", "--beta", "500",
		"--tokens", "2")
	refuse(t, []string{"--dim 20000", "GiB"}, "propagation", "--simulate", "100", "--dim", "20000",
		"--workers", "100")
	refuse(t, []string{"--simulate 1000000", "years"}, "propagation", "--simulate", "1000000",
		"--dim", "4096")
	refuse(t, []string{"--alpha-sa 0", "layer 1", "become 0"}, "propagation", "--simulate", "2",
		"--alpha-sa", "0")
	refuse(t, []string{"--dim 100", "GiB"}, "gradients", "--tokens", "60000", "--dim", "100")
	refuse(t, []string{"--weight-beta 100", "standard deviation"}, "gradients", "--beta", "100")
	refuse(t, []string{"--alpha-sa 0", "layer 1", "become 0"}, "gradients", "--alpha-sa", "0",
		"--block", "gain-post-norm", "--beta", "0")
	refuse(t, []string{"--figure 6", "must be 7, 8, 9, 10"}, "rank-collapse", "--figure", "6")
	refuse(t, []string{"--csv, --json and --jsonl"}, "inspect", "plain", "--csv", "--json")
}

func TestReadOnlyFolder(t *testing.T) {
	folder := "/proc/self/fd" // not even root can create files there
	if _, err := os.Stat(folder); err != nil {
		t.Skip("no folder here that nobody can write to")
	}
	t.Chdir(t.TempDir())
	refuse(t, []string{"--out " + folder}, "phase", "--out", folder+"/a.arrow")
	refuse(t, []string{"--plot " + folder}, "phase", "--plot", folder+"/a.png")
}
