//go:build unix

package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"antipode/experiments/run"
	"antipode/sphere/must"
)

// small replaces the grid and the size of the run in an example, so that it takes no time. In d = 2 the exact
// law takes least.
var small = strings.NewReplacer("4..10", "2", "0:3:0.1", "0.5,1.5", "4000", "60", "500", "1")

// The example for Slurm works with the variables that Slurm sets, also when a task runs twice.
func TestSlurmExample(t *testing.T) {
	script := must.Get(os.ReadFile(filepath.Join("examples", "slurm.sh")))(t)
	folder := t.TempDir()
	must.Do(t, os.WriteFile(filepath.Join(folder, "job.sh"), []byte(small.Replace(string(script))),
		0o777))
	program := filepath.Join(folder, "antipode")
	must.Do(t, os.Symlink(os.Args[0], program))
	for _, task := range []int{2, 0, 3, 1, 1} {
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		defer cancel()
		job := exec.CommandContext(ctx, "bash", "./job.sh")
		job.Dir, job.Env = folder, append(os.Environ(), "ANTIPODE="+program,
			fmt.Sprintf("SLURM_ARRAY_TASK_ID=%d", task), "SLURM_CPUS_PER_TASK=2")
		if text, err := job.CombinedOutput(); err != nil {
			t.Fatalf("task %d: %v: %s", task, err, text)
		}
	}
	mergeExample(t, folder)
}

// The example for Kubernetes works with the variables that Kubernetes sets.
func TestKubernetesExample(t *testing.T) {
	manifest := must.Get(os.ReadFile(filepath.Join("examples", "kubernetes.yaml")))(t)
	list := regexp.MustCompile(`(?s)args: \[(.*?)\]`).FindSubmatch(manifest)
	if list == nil {
		t.Fatal("the manifest has no arguments")
	}
	var arguments []string
	for _, word := range strings.Split(string(list[1]), ",") {
		arguments = append(arguments, small.Replace(strings.Trim(strings.TrimSpace(word), `"`)))
	}
	folder := t.TempDir()
	for index := range 4 {
		command, stderr := process(t.Context(), folder, arguments...)
		command.Env = append(os.Environ(), fmt.Sprintf("JOB_COMPLETION_INDEX=%d", index))
		if err := command.Run(); err != nil {
			t.Fatalf("%d: %v: %s", index, err, stderr)
		}
	}
	mergeExample(t, folder)
}

// mergeExample merges the shards in the folder, and compares the table with that of a run without shards.
func mergeExample(t *testing.T, folder string) {
	t.Helper()
	shards, err := filepath.Glob(filepath.Join(folder, "phase-*-of-4.arrow"))
	if err != nil || len(shards) != 4 {
		t.Fatalf("shards %v, %v", shards, err)
	}
	mustRun(t, folder, append([]string{"merge", "--out", "phase.arrow"}, shards...)...)
	mustRun(t, folder, "phase", "--dim", "2", "--beta", "0.5,1.5", "--trajectories", "60", "--depth",
		"100", "--horizon", "1", "--quiet", "--out", "local.arrow")
	if !bytes.Equal(readFile(t, folder, "phase.arrow"), readFile(t, folder, "local.arrow")) {
		t.Error("the merged table is not that of a run that was not spread")
	}
}

// Without a scheduler, or with a task number that does not fit, --shard auto is refused.
func TestAutomaticShard(t *testing.T) {
	badFolder(t)
	for _, name := range indexVariables {
		t.Setenv(name, "")
	}
	refuse(t, []string{"--shard auto", "--shards n"}, "phase", "--shard", "auto")
	refuse(t, []string{"--shards 4", "--shard auto"}, "phase", "--shards", "4")
	refuse(t, []string{"--shards 4", "--shard k/n"}, "phase", "--shard", "1/4", "--shards", "4")
	refuse(t, []string{"--shard auto", indexVariables[0], indexVariables[1]}, "phase", "--shard", "auto",
		"--shards", "4")
	for _, text := range []string{"4", "-1", "x", "1.5", "99999999999999999999"} {
		t.Setenv(indexVariables[0], text)
		refuse(t, []string{indexVariables[0], text, "from 0 to 3"}, "phase", "--shard", "auto", "--shards",
			"4")
	}
	t.Setenv(indexVariables[1], "2")
	for text, want := range map[string]int64{"1": 1, "": 2} { // if both variables are set, the first counts
		t.Setenv(indexVariables[0], text)
		if part, err := (shardFlags{automatic, 4}).asked(false); err != nil || part.Number != want ||
			part.Of != 4 {
			t.Errorf("%q: %v, %v", text, part, err)
		}
	}
	t.Setenv(indexVariables[1], "")
	for _, c := range []struct {
		id, least, most, count string
		want                   int64
	}{
		{"1", "1", "4", "4", 0}, {"4", "1", "4", "4", 3}, {"7", "4", "7", "4", 3}, {"0", "0", "3", "4", 0},
		{"2", "2", "2", "1", 2}, {"3", "2", "3", "2", 3}, // some tasks of an array, run again
		{"3", "1", "7", "4", 3}, // the tasks 1,3,5,7, whose numbers are not consecutive
	} {
		t.Setenv(indexVariables[0], c.id)
		t.Setenv("SLURM_ARRAY_TASK_MIN", c.least)
		t.Setenv("SLURM_ARRAY_TASK_MAX", c.most)
		t.Setenv("SLURM_ARRAY_TASK_COUNT", c.count)
		if part, err := (shardFlags{automatic, 4}).asked(false); err != nil || part.Number != c.want ||
			part.Of != 4 {
			t.Errorf("%+v: %v, %v", c, part, err)
		}
	}
	t.Setenv(indexVariables[0], "4") // not a whole array, so tasks count from 0, and 4 is too large
	refuse(t, []string{indexVariables[0] + " is 4", "--shard 3/4"}, "phase", "--shard", "auto", "--shards",
		"4")
	refuse(t, []string{"--shard 0/2", "field"}, "field", "--shard", "0/2")
	refuse(t, []string{"--plot a.png", "shard"}, "phase", "--shard", "0/2", "--plot", "a.png")
}

// The image is built with the Go version of go.mod; its tag is the program's version, and the one in the
// example for Kubernetes; and the program is where its entry point looks.
func TestDockerfile(t *testing.T) {
	dockerfile := string(readFile(t, "examples", "Dockerfile"))
	language := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindSubmatch(readFile(t, "../..", "go.mod"))
	for _, want := range []string{
		"FROM golang:" + string(language[1]) + " AS build\n", "CGO_ENABLED=0 go build ", " ./cmd/antipode\n",
		"COPY --from=build /usr/local/bin/antipode /usr/local/bin/antipode\n", "ENV PATH=/usr/local/bin\n",
		"--tag antipode:" + run.Version + " .",
	} {
		if !strings.Contains(dockerfile, want) {
			t.Errorf("the Dockerfile has no %q", want)
		}
	}
	manifest := string(readFile(t, "examples", "kubernetes.yaml"))
	if !strings.Contains(manifest, "image: antipode:"+run.Version+"\n") ||
		!strings.Contains(manifest, "workingDir: /results\n") {
		t.Error("the manifest names another image or folder")
	}
}
