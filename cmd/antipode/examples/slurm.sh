#!/bin/bash
# A run spread over an array job of Slurm:
#
#   sbatch --array=0-3 slurm.sh         and when all tasks are done
#   antipode merge --out phase.arrow phase-*-of-4.arrow
#
# A task that was killed, requeued or stopped by its time limit is resumed by running it
# again: sbatch --array=2 slurm.sh. A task that is complete does nothing. (The indices of a
# whole array may also begin at 1; if only some tasks run again, indices count from 0.) The
# signal is sent ten minutes before the time limit.
#
# Training is spread in the same way, with train --figure mind-the-gap-11 in place of phase
# and its flags: its pieces are the runs of one setting and one seed, and the states of
# unfinished runs are kept next to the results.
#
#SBATCH --job-name=phase
#SBATCH --time=12:00:00
#SBATCH --signal=B:USR1@600
#SBATCH --requeue
#SBATCH --open-mode=append

shards=4 # the size of the whole array, which is not known if only some tasks run again

# With exec, signals reach the program and not the shell.
exec "${ANTIPODE:-antipode}" phase --dim 4..10 --beta 0:3:0.1 --trajectories 4000 --depth 100 --horizon 500 \
  --shard auto --shards "$shards" --resume --progress lines --workers "${SLURM_CPUS_PER_TASK:-1}"
