package experiments

import (
	"slices"
	"strings"
	"testing"

	"antipode/experiments/parameter"
	"antipode/internal/longtest"
)

// combinations are further settings, in which options meet that others try one at a time.
var combinations = map[string][]string{
	"phase": {
		"dim=2,4 beta=0.5,2 depth=100 horizon=2 attention=unnormalized interaction=resampled:0.5",
		"dim=3 beta=1,2 depth=100 horizon=2 attention=unnormalized covariance=symmetric sigma=0.7",
		"dim=3,5 beta=1 depth=100 horizon=3 law=rademacher method=tokens tolerance=0.05",
		"dim=3 beta=0.5 depth=20 horizon=2 mlp=relu:0.4:2:5 drift=0.5",
		"dim=4 beta=1 depth=20 horizon=2 interaction=gaussian:0.5 method=tokens",
		"dim=4 beta=0 depth=100 horizon=1 trajectories=1",
	},
	"overlap": {
		"dim=3 beta=1,2 depth=none horizon=none attention=unnormalized interaction=resampled:0.7",
		"dim=3,6 beta=1 horizon=2 masses=1,3 attention=unnormalized covariance=0.8,0.6,0.3",
		"dim=3 beta=1 epsilon=0.5,1.2 z0=0.3 depth=20 horizon=4 law=uniform",
		"dim=3 beta=1 epsilon=1.2 z0=-0.5 depth=100 horizon=4 law=gaussian",
		"dim=3 beta=1 epsilon=1.2 depth=none horizon=4 mlp=tanh:0.5:2",
		"dim=3 beta=1 epsilon=1.2 z0=-0.5 depth=40 horizon=60 law=uniform",
		"dim=2 beta=0.3 depth=50 horizon=none attention=unnormalized interaction=resampled:0.1",
		"dim=5 beta=0.9,1,3 depth=none horizon=none interaction=resampled:0.5 boundary=true",
		"dim=4 beta=1 z0=-0.9 depth=100 horizon=1 tolerance=0.01 derivatives=true",
		"dim=4 beta=2 masses=1,2 z0=-0.999 depth=none horizon=10 mlp=relu:0.3",
		"dim=2,10,100 beta=0,0.1,5 depth=none horizon=none",
		"dim=4 beta=1 depth=100 horizon=1 drift=0.4 mlp=erf:0.2:3",
		"dim=5 beta=1 depth=none horizon=none covariance=antisymmetric derivatives=true boundary=true",
		"dim=4 beta=1,1.5 depth=50 horizon=none certify=true",
	},
	"hybrid": {
		"beta=1 epsilon=0.8,1.6 dim=2 depth=10 horizon=5 law=gaussian",
		"beta=1 epsilon=1.3 dim=4 depth=10 horizon=5 law=uniform attention=unnormalized mlp=relu:0.3",
		"beta=0,2 epsilon=0 dim=3 depth=10 horizon=5 law=gaussian interaction=rotation:30",
	},
	"tokens": {
		"tokens=2,3 beta=1 dim=3 attention=unnormalized interaction=resampled:0.5:4 law=uniform",
		"tokens=3 beta=0,2 dim=2 interaction=identity covariance=symmetric sigma=0.6",
		"tokens=3 beta=1 dim=4 interaction=resampled:0.5 heads=2",
		"tokens=6 beta=1 dim=3 interaction=identity mlp=gelu:0.4:2:7 sublayers=in-sequence drift=0.3",
		"tokens=2 beta=1 dim=4 interaction=identity horizon=20 tolerance=0.1",
	},
	"evolve": {
		"model=hybrid,flow tokens=2 dim=3 beta=0.5,1 depth=4 epsilon=1.4 attention=unnormalized",
		"model=transformer tokens=2 dim=3 beta=2 log-time=false forecast=1e3",
		"model=transformer tokens=4 dim=3 beta=1 interaction=resampled:0.5 law=rademacher",
		"model=transformer,hybrid tokens=2 dim=4 beta=1 tolerance=0.1 interaction=identity",
		"figure=9 tokens=3 dim=3 horizon=2", "figure=8 dim=4,5 horizon=2",
	},
	"crowd": {"dim=2 beta=0 tokens=2", "dim=4 beta=2 tokens=5,9 time=1 tolerance=0.3"},
	"stability": {
		"masses=1,1/2,5 dim=3 beta=1 attention=unnormalized law=rademacher sigma=0.5",
		"masses=1,2 dim=3 beta=1 mlp=tanh:0.4:2",
	},
	"mlp": {
		"activation=hermite3,gelu dim=3 beta=1 strength=0,2 variance=2 trajectories=5",
		"activation=relu dim=5 beta=0,1,2 strength=1 variance=0.5 trajectories=5 horizon=20",
	},
	"weak": {
		"model=hybrid attention=unnormalized z0=0.5 trajectories=20",
		"mlp=tanh:0.3 beta=1 z0=0.5 trajectories=20",
		"tokens=3 interaction=gaussian:0.4 trajectories=20 depth=8,16,32",
		"depth=8,16,32 z0=uniform trajectories=20 beta=0 dim=2",
	},
	"simulate": {
		"model=hybrid beta=0.5,2 epsilon=1,1.5 tokens=2,4 start=uniform save=outcomes horizon=3",
		"model=hybrid start=overlap:0.3 tokens=2 save=overlaps law=uniform",
		"model=hybrid-sde scheme=heun start=uniform tokens=2 save=overlaps",
		"model=transformer-sde scheme=heun start=opposite:1,2 save=overlaps noise=independent",
		"model=transformer-sde scheme=geodesic start=uniform tokens=3 save=summary",
		"model=flow scheme=rk4 interaction=rotation:40 start=uniform tokens=4 dim=4 save=states",
		"attention=unnormalized interaction=gaussian:0.5 start=uniform tokens=4 save=attention",
		"interaction=resampled:0.7:3 start=uniform save=summary dim=3 tokens=5",
		"save=density start=uniform tokens=3 trajectories=1 horizon=0.5",
		"save=outcomes start=uniform tokens=1",
		"method=chain tokens=2 start=uniform save=overlaps",
		"method=chain tokens=2 start=uniform save=outcomes",
		"mlp=tanh:0.5:2:6 drift=0.4 sublayers=in-sequence tokens=3 start=uniform save=overlaps",
		"covariance=0.8,0.6,0.3 sigma=0.5 law=gaussian start=uniform save=overlaps trajectory=3:5",
		"start=uniform tokens=2 tolerance=0.4 splitting=single repetitions=2 horizon=1",
	},
	"field": {"attention=softmax angles=10 points=5", "beta=4 angles=0,90,200 points=6"},
	"propagation": {
		"simulate=none layers=5 weight-beta=0,2", "block=post-norm simulate=none sigma-v2=1 activation=relu",
		"block=gain-post-norm causal=true heads=2",
		"alpha-sa=0.5,2 sigma-w2=0.3,1 simulate=none weight-beta=2",
		"block=pre-norm activation=gelu sequences=2 save=attention weight-beta=1",
		"weight-beta=0.5,1,2 layers=1 simulate=none start=0.5 tokens=20",
	},
	"rank-collapse": {"figure=9", "figure=10", "figure=11", "figure=13", "figure=14 temperature=matched",
		"figure=7 save=states"},
	"gradients": {"block=pre-norm activation=erf start=0.3 save=states", "alpha-mlp=0 weight-beta=1",
		"block=post-norm sigma-w2=0.9 sigma-v2=0.4 sigma-b2=0.1 alpha-sa=0.5"},
	"trainability": {"block=pre-norm activation=tanh start=0.2", "tokens=50 dim=64 alpha-sa=1,2",
		"weight-beta=1 sigma-w2=2 sigma-v2=0.9", "alpha-sa=1 weight-beta=0,1,2 alpha-mlp=0"},
	"attention-phase":  {"rho=0 tokens=60 simulate=2 dim=8", "weight-beta=1 rho=0,0.5,1 tokens=inf"},
	"attention-matrix": {"rho=0.5 weight-beta=0,1,2", "rho=1 tokens=9 dim=3"},
	"spectrum": {
		"attention=markov law=lognormal gap=remove-uniform values=orthogonal layers=3",
		"attention=softmax key-scale=xavier heads=2 skip=true layer-norm=false dim=8",
		"attention=linear,sigmoid,relu,identity gap=remove-outliers samples=1",
		"attention=markov law=half-normal dim=12 save=attention",
	},
	"stable-rank": {
		"attention=softmax gap=remove-outliers values=orthogonal ratio=0.7 samples=1",
		"attention=markov law=lognormal architecture=skip-layer-norm,skip ratio=0.5",
		"attention=markov,identity gap=keep,remove tokens=8,12",
	},
	"width-gradients": {"architecture=skip,plain attention=softmax gap=remove",
		"tokens=8 layers=1,2,3 samples=2",
		"architecture=layer-norm attention=markov law=uniform"},
	"residual": {"tokens=1 dim=1", "depth=4,8,16 beta=0 horizon=1 samples=5"},
	"advise": {
		"input=words norm=post-norm activation=silu gated=true", "norm=peri-norm causal=true check=0",
		"gated=true norm=pre-norm check=0", "dim=16 heads=4 tokens=3 layers=1 check=3",
	},
	"measure": {"each=true", "thresholds=true", "weights=measure/weights/testdata/model.safetensors",
		"compare=measure/hidden/testdata/float16.npy each=true",
		"mask=none block=pre-norm sigma-w2=0.7 beta=0.5"},
	"train": {
		"task=heaviside attention=softmax seeds=1 steps=6 optimiser=sgd",
		"seeds=1 map=true alpha-sa=0.5,2 weight-beta=0.3,1 norm=pre-norm projection=0.5",
		"mlp=none norm=pre-norm seeds=1 steps=6 optimiser=adamw weight-decay=0.2 schedule=cosine warmup=2",
		"heads=1 layers=1,2 learning-rate=0.01,0.1 seeds=1 steps=6",
		"values=orthogonal projection=0.5 seeds=1 steps=6",
		"norm=post-norm learning-rate=3 seeds=2 steps=8", "by-layer=true seeds=1 steps=6",
		"task=masked causal=true mlp=silu share=all seeds=1 steps=6",
		"attention=gain-controlled smoothing=0.1 seeds=1 steps=6",
	},
	"verify": {"only=eq21", "only=c4,eq21"},
}

// What runs give in which several options have other values than their defaults is what is recorded.
func TestCombinations(t *testing.T) {
	longtest.Only(t)
	for _, e := range All() {
		t.Run(e.Name(), func(t *testing.T) {
			record := newRecord(t, "combinations", e.Name())
			for _, setting := range combinations[e.Name()] {
				e := flagged(t, e.Name(), setting)
				if err := parameter.CheckGiven(e.Parameters(), func(p parameter.Parameter) bool {
					return strings.Contains(" "+setting, " "+p.Name+"=")
				}); err != nil {
					t.Errorf("%s: %v", setting, err)
				}
				record.check(t, setting, e, outputOf(t, e, !slices.Contains(slowOutput, e.Name())))
			}
			record.finish(t)
		})
	}
}
