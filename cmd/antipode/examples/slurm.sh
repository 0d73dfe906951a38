#!/bin/bash
# A run spread over an array job of Slurm:
#
#   sbatch --array=0-3 slurm.sh         and when all tasks are done
#   antipode merge --out phase.arrow phase-*-of-4.arrow
#
# A task that was killed, requeued or stopped by its time limit goes on where it was when
# it runs again: sbatch --array=2 slurm.sh. One that is whole does nothing. (A whole array may
# begin at 1 as well; a part of it that runs again is counted from 0.) The signal comes ten
# minutes before the limit.
#
# Networks that learn go the same way, as train --figure mind-the-gap-11 in place of phase
# and its flags: the pieces are runs of one setting and seed, and what a run has learned when
# it is killed is kept beside the results.
#
#SBATCH --job-name=phase
#SBATCH --time=12:00:00
#SBATCH --signal=B:USR1@600
#SBATCH --requeue
#SBATCH --open-mode=append

shards=4 # the size of the array, which a part of it that runs again does not know

# exec, so that signals reach the program and not the shell.
exec "${ANTIPODE:-antipode}" phase --dim 4..10 --beta 0:3:0.1 --trajectories 4000 --depth 100 --horizon 500 \
  --shard auto --shards "$shards" --resume --progress lines --workers "${SLURM_CPUS_PER_TASK:-1}"
