package main

import (
	"fmt"
	"math"
	"os"

	"antipode/data"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/experiments/wording"
	"antipode/sde"
)

// shardFlags are the flags --shard and --shards, which make a run one of several shards of a larger run.
type shardFlags struct {
	shard string // k/n or auto; "" if not given
	count int64  // number of shards for auto; 0 if not given
}

const automatic = "auto"

// indexVariables are the environment variables in which schedulers of clusters store the index of a task: the
// first variable for array jobs of Slurm, the second for Indexed Jobs of Kubernetes. The program uses the
// first variable that is set.
var indexVariables = []string{"SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX"}

// addTo adds the flags --shard and --shards to the command of an experiment. The help of an experiment that
// cannot be divided into shards does not show them.
func (f *shardFlags) addTo(flags *flagSet, e run.Experiment) {
	_, divisible := e.(run.Divisible)
	shard := flags.addFlag(parameter.Parameter{Name: "shard",
		Meaning: "compute only part k of n, for antipode merge: every n-th block of trajectories of each " +
			"cell, starting with block k, or every n-th network, matrix or cell of theory; without --out " +
			"the table is COMMAND-k-of-n.arrow; auto takes k from " + indexVariables[0] + ", counted from " +
			"the first task of the array if the array is complete and otherwise from 0, or from " +
			indexVariables[1],
		Value: shardValue(&f.shard)})
	shards := flags.addFlag(parameter.Parameter{Name: "shards",
		Meaning: "number n of shards, with --shard auto",
		Value:   wholeValue[int64]{field: &f.count, low: 1, high: run.MostShards}})
	shard.Hidden, shards.Hidden = !divisible, !divisible
}

// part returns the shard of an experiment that the flags ask for. With --shard auto outside of a scheduler, a
// dry run takes shard 0. If the experiment cannot be divided into shards, or if a figure is asked for, part
// returns an error.
func (f shardFlags) part(e run.Experiment, plot string, dry bool) (sde.Part, error) {
	part, err := f.asked(dry)
	if err != nil || part.Of == 0 {
		return part, err
	}
	if _, ok := e.(run.Divisible); !ok {
		return part, usagef("--shard %s: %s cannot be divided into shards", f.shard, e.Name())
	}
	if plot != "" {
		return part, usagef("--plot %s: a shard has no figure; plot the merged table", wording.Quoted(plot))
	}
	return part, nil
}

// checkShardInPlace returns an error if the table at path is the table of a complete run, or of another shard
// than that of the schema. Without checkShardInPlace, only the last shard would remain if all tasks of an
// array job had the same --out.
func checkShardInPlace(path string, schema data.Schema) error {
	own, isShard := schema.Value(run.KeyShard)
	if !isShard {
		return nil
	}
	there, err := data.Open(path)
	if err != nil {
		return nil // the file that would be replaced is not the table of a run
	}
	defer there.Close()
	if _, ours := there.Schema().Value(data.KeyCommand); !ours {
		return nil
	}
	what := "a complete table"
	if other, isShard := there.Schema().Value(run.KeyShard); isShard {
		if other == own {
			return nil
		}
		what = "shard " + other
	}
	return usagef("--out %s: is %s, which shard %s would replace; must be another file for each shard, as "+
		"it is without --out", wording.Quoted(path), what, own)
}

// asked returns the shard that the flags ask for, or the zero Part if they ask for none.
func (f shardFlags) asked(dry bool) (sde.Part, error) {
	switch {
	case f.shard != automatic && f.count > 0:
		return sde.Part{}, usagef("--shards %d: is for --shard auto; otherwise give --shard k/n", f.count)
	case f.shard == automatic && f.count == 0:
		return sde.Part{}, usagef("--shard auto: needs --shards n, the number of all shards")
	case f.shard == automatic:
		return f.fromEnvironment(dry)
	case f.shard == "":
		return sde.Part{}, nil
	}
	return run.ParseShard(f.shard)
}

func (f shardFlags) fromEnvironment(dry bool) (sde.Part, error) {
	for _, name := range indexVariables {
		text, ok := os.LookupEnv(name)
		if !ok || text == "" {
			continue
		}
		first := int64(0)
		if name == indexVariables[0] {
			first = f.firstOfArray()
		}
		k, err := parameter.ParseWithin(text, first, first+f.count-1)
		if err != nil {
			return sde.Part{}, usagef("--shard auto: %s is %s; must be a whole number from %d to %d for "+
				"--shards %d, or give --shard %d/%[5]d or another",
				name, wording.Quoted(text), first, first+f.count-1, f.count, f.count-1)
		}
		return sde.Part{Number: k - first, Of: f.count}, nil
	}
	if dry {
		return sde.Part{Of: f.count}, nil
	}
	return sde.Part{}, usagef("--shard auto: neither %s nor %s is set; give --shard k/n outside of a "+
		"scheduler", indexVariables[0], indexVariables[1])
}

// firstOfArray returns the index that stands for the first shard in an array job of Slurm. If the tasks of
// the array have consecutive indices and are as many as the shards, firstOfArray returns the index of the
// first task. In other cases, for example if a part of an array is submitted again, firstOfArray returns 0.
func (f shardFlags) firstOfArray() int64 {
	var bounds [3]int64
	for k, name := range []string{"SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_MAX", "SLURM_ARRAY_TASK_COUNT"} {
		n, err := parameter.ParseWithin(os.Getenv(name), 0, math.MaxInt32)
		if err != nil {
			return 0
		}
		bounds[k] = n
	}
	least, most, count := bounds[0], bounds[1], bounds[2]
	if count != f.count || most-least+1 != count {
		return 0
	}
	return least
}

// shardValue returns the value of the flag --shard: k/n or auto.
func shardValue(field *string) parameter.Value {
	accepts := func(text string) bool {
		_, err := run.ParseShard(text)
		return text == automatic || err == nil
	}
	allowed := fmt.Sprintf("k/n with k from 0 to n-1 and n at most %d, or auto", run.MostShards)
	return textValue{field, accepts, allowed, "K/N"}
}
