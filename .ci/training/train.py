#!/usr/bin/env python3
"""What train.go has learned, in JAX with optax: 100 steps of each optimiser agree to 1e-10, the losses of
Transformers to 1e-8 of the first, and the tokens that are learned from in a second are told side by side.

usage: train.py FILE   of train.go
"""
import json
import math
import os
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "jax"))
from network import forward

import jax
import jax.numpy as jnp
import numpy as np
import optax


def rates(run):
    """The learning rate of each step."""
    schedule, steps = run["Method"]["Schedule"], run["Method"]["Steps"]
    warmup, top = schedule["Warmup"], schedule["Rate"]
    share = lambda s: (s - warmup) / max(steps - warmup, 1)
    decline = {
        "constant": lambda s: 1.0,
        "linear": lambda s: 1 - share(s),
        "cosine": lambda s: (1 + math.cos(math.pi * share(s))) / 2,
        "step": lambda s: 0.1 ** (int(5 * s / steps) // 2),
        "inverse-root": lambda s: math.sqrt(max(warmup, 1) / (s + 1)),
    }[run["Decline"]]
    return jnp.array([top * ((s + 1) / warmup if s < warmup else decline(s)) for s in range(steps)])


def optimiser(run):
    method, o = run["Method"], run["Method"]["Optimiser"]
    table = rates(run)
    rate = lambda count: table[count]
    decays = {p["Name"]: p["Decay"] for p in run["Parameters"]}
    mask = lambda weights: {name: decays[name] for name in weights}
    parts = [optax.clip_by_global_norm(method["Clip"])] if method["Clip"] else []
    if o["Decay"] and run["Rule"] != "adamw":
        parts.append(optax.add_decayed_weights(o["Decay"], mask))
    adam = dict(b1=o["Beta1"], b2=o["Beta2"], eps=o["Epsilon"])
    parts.append({
        "sgd": lambda: optax.sgd(rate),
        "momentum": lambda: optax.sgd(rate, momentum=o["Momentum"]),
        "adam": lambda: optax.adam(rate, **adam),
        "adamw": lambda: optax.adamw(rate, weight_decay=o["Decay"], mask=mask, **adam),
    }[run["Rule"]]())
    return optax.chain(*parts)


def batches(run):
    """Inputs and right answers of every step, and one more."""
    law, steps, batch = run["Law"], run["Method"]["Steps"] + 1, run["Method"]["Batch"]
    shape = lambda values, kind: np.array(values, dtype=kind).reshape(steps, batch, law["Tokens"], -1)
    if law["Embedding"]["Vocabulary"]:
        inputs = {"words": shape(run["Sequences"], int)[..., 0]}
    else:
        inputs = {"vectors": shape(run["Vectors"], float)}
    right = shape(run["Values"], float) if run["MeanSquare"] else shape(run["Classes"], int)[..., 0]
    return inputs, right


def learner(run, fixed):
    """The optimiser, and a step, compiled: new weights and state, and the loss before it."""
    law = run["Law"]
    rule = optimiser(run)

    def loss(weights, inputs, right):
        all_weights = {**weights, **fixed}
        added = jnp.zeros((law["Tokens"], law["Dim"]))
        y = jax.vmap(lambda i: forward(law, all_weights, {"added": added, **i}))(inputs)
        if run["MeanSquare"]:
            return jnp.mean((y - right) ** 2) / 2
        return jnp.mean(optax.softmax_cross_entropy_with_integer_labels(y, right))

    @jax.jit
    def step(weights, state, inputs, right):
        value, gradient = jax.value_and_grad(loss)(weights, inputs, right)
        moves, state = rule.update(gradient, state, weights)
        return optax.apply_updates(weights, moves), state, value

    return rule, step


def check(run):
    weights = {p["Name"]: jnp.array(p["First"], dtype=float).reshape(p["Rows"], p["Cols"])
               for p in run["Parameters"]}
    # Strengths of residual connections are not learned.
    fixed = {name: weights.pop(name) for name in list(weights) if name.endswith((".skip", ".strength"))}
    rule, step = learner(run, fixed)
    inputs, right = batches(run)
    state = rule.init(weights)
    losses, spells, processor = [], [], []
    count = run["Method"]["Steps"]
    for s in range(count):
        start, processors = time.perf_counter(), time.process_time()
        weights, state, value = step(weights, state, {n: x[s] for n, x in inputs.items()}, right[s])
        jax.block_until_ready(weights)
        spells.append(time.perf_counter() - start)
        processor.append(time.process_time() - processors)
        losses.append(float(value))
    for s, (ours, theirs) in enumerate(zip(run["Losses"], losses)):
        if not abs(ours - theirs) <= 1e-8 * abs(losses[0]):
            sys.exit(f"{run['Name']}: the loss at step {s} is {ours}, in JAX {theirs}")
    if run["Seconds"] == 0:
        worst = 0.0
        for p in run["Parameters"]:
            if p["Name"] in weights:
                there = np.asarray(weights[p["Name"]]).ravel()
                worst = max(worst, np.abs(np.array(p["Last"]) - there).max())
        if not worst <= 1e-10:
            sys.exit(f"{run['Name']}: weights differ by {worst:.3g} behind {count} steps")
        print(f"{run['Name']}: weights at most {worst:.2g} apart behind {count} steps, loss {losses[-1]:.4g}")
        return
    length = len(spells) // 6
    least = lambda of: min(sum(of[k * length : (k + 1) * length]) / length for k in range(1, 6))
    tokens = run["Method"]["Batch"] * run["Law"]["Tokens"]
    print(
        f"{run['Name']}: {tokens / run['Seconds']:.3g} tokens/s on {run['Workers']} processors, JAX "
        f"{tokens / least(spells):.3g}: {least(spells) / run['Seconds']:.2f} times as many; "
        f"a second of a processor {tokens / run['Processor']:.3g}, JAX {tokens / least(processor):.3g}: "
        f"{least(processor) / run['Processor']:.2f} times as many"
    )


with open(sys.argv[1]) as lines:
    for line in lines:
        check(json.loads(line))
