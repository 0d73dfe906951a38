#!/usr/bin/env python3
"""Transformers in JAX, written for this comparison alone, beside those of sde/network: forward pass and
gradients by all weights and by the input agree to 1e-10 of the largest entry of each matrix.

usage: go run network.go | network.py
"""
import json
import os
import sys

os.environ.setdefault("JAX_PLATFORMS", "cpu")
import jax

jax.config.update("jax_enable_x64", True)
import jax.numpy as jnp
import numpy as np
import pyarrow as pa

TOLERANCE = 1e-10


def read(source):
    """Name and law of the next network, its weights and their gradients, and what else there is, by name."""
    value, gradient = {}, {}
    reader = pa.ipc.open_stream(source)
    metadata = reader.schema.metadata
    for row in reader:
        name, shape = row["name"][0].as_py(), (row["rows"][0].as_py(), row["columns"][0].as_py())
        for column, store in (("value", value), ("gradient", gradient)):
            numbers = np.array(row[column].values)
            store[name] = numbers.reshape(shape) if numbers.size == shape[0] * shape[1] else None
    return metadata[b"name"].decode(), json.loads(metadata[b"network"]), value, gradient


def linear(w, name, x):
    y = x @ w[name + ".weight"].T
    return y + w[name + ".bias"][0] if name + ".bias" in w else y


def layer_norm(law, w, name, x):
    if law["LayerNorm"]["Centred"]:
        x = x - jnp.mean(x, axis=-1, keepdims=True)
    x = x / jnp.sqrt(jnp.mean(x**2, axis=-1, keepdims=True) + law["LayerNorm"]["Epsilon"])
    return x * w[name + ".gain"][0] + w[name + ".bias"][0] if name + ".gain" in w else x


ACTIVATIONS = {
    0: jax.nn.relu,
    1: jnp.tanh,
    2: jax.scipy.special.erf,
    3: lambda x: jax.nn.gelu(x, approximate=False),
    4: lambda x: x,
    5: lambda x: jax.nn.gelu(x, approximate=True),
}
POST, PRE, NONE, PERI = range(4)
QUERIES_KEYS, FREE_SCORES, FREE_WEIGHTS = range(3)


def attention(law, w, place, x):
    tokens, heads = x.shape[0], law["Heads"]
    shared = "attention." if law["SharedKeys"] else place
    split = lambda y: y.reshape(tokens, heads, -1).transpose(1, 0, 2)
    value = split(linear(w, place + "value", x))
    mask = np.tril(np.ones((tokens, tokens))) if law["Causal"] else np.ones((tokens, tokens))
    if law["Attention"] == QUERIES_KEYS:
        query = split(linear(w, shared + "query", x))
        key = query if law["TiedKeys"] else split(linear(w, shared + "key", x))
        scores = jnp.einsum("htk,hsk->hts", query, key) / np.sqrt(query.shape[-1])
    else:
        scores = w[shared + "free.weight"].reshape(heads, tokens, tokens)
    if law["Attention"] == FREE_WEIGHTS:
        weights = mask * scores
    else:
        weights = jax.nn.softmax(jnp.where(mask > 0, scores, -jnp.inf), axis=-1)
    if law["GainControl"]:
        weights = weights - mask / mask.sum(axis=1, keepdims=True)
    mixed = jnp.einsum("hts,hsv->thv", weights, value).reshape(tokens, -1)
    return linear(w, place + "projection", mixed) if law["Projection"] else mixed


def mlp(law, w, place, x):
    return linear(w, place + "output", ACTIVATIONS[law["Activation"]](linear(w, place + "hidden", x)))


def beside(law, w, name, branch, x):
    y = layer_norm(law, w, name + ".norm", x) if law["Norm"] in (PRE, PERI) else x
    y = branch(y)
    if law["Norm"] == PERI:
        y = layer_norm(law, w, name + ".output_norm", y)
    y = w[name + ".skip"][0, 0] * x + w[name + ".strength"][0, 0] * y
    return layer_norm(law, w, name + ".norm", y) if law["Norm"] == POST else y


def embed(law, w, inputs):
    e = law["Embedding"]
    x = w["embedding.word.weight"][inputs["words"]] if e["Vocabulary"] else linear(
        w, "embedding.vector", inputs["vectors"])
    if e["Class"]:
        x = jnp.concatenate([w["embedding.class.weight"], x])
    if e["Positions"] == 1:
        x = x + w["embedding.position.weight"][: x.shape[0]]
    elif e["Positions"] == 2:
        k = np.arange(law["Dim"])
        angle = np.arange(x.shape[0])[:, None] / 10000 ** ((k - k % 2) / law["Dim"])
        x = x + np.where(k % 2 == 0, np.sin(angle), np.cos(angle))
    if e["Types"]:
        x = x + w["embedding.type.weight"][inputs["types"]]
    return x


def forward(law, w, inputs):
    # What is added to the sum of the embeddings has their gradient.
    x = embed(law, w, inputs) + inputs["added"]
    if law["Embedding"]["Norm"]:
        x = layer_norm(law, w, "embedding.norm", x)
    for l in range(law["Layers"]):
        place = f"layers.{l}."
        x = beside(law, w, place + "attention", lambda y: attention(law, w, place + "attention.", y), x)
        x = beside(law, w, place + "mlp", lambda y: mlp(law, w, place + "mlp.", y), x)
    if law["FinalNorm"]:
        x = layer_norm(law, w, "final_norm", x)
    return linear(w, "outputs", x) if law["Outputs"] else x


def compare(network, law, value, gradient):
    weights = {name: v for name, v in value.items() if not name.startswith("= ")}
    words, types, vectors = (value["= " + name] for name in ("words", "types", "vectors"))
    fixed = {"words": words[0].astype(int), "types": types[0].astype(int)}
    inputs = {"added": np.zeros((law["Tokens"], law["Dim"])), "vectors": vectors}

    # Not compiled as a whole, which takes minutes.
    output, pull = jax.vjp(lambda w, i: forward(law, w, {**fixed, **i}), weights, inputs)
    by_weights, by_inputs = pull(jnp.asarray(gradient["= output"]))
    pairs = [("output", value["= output"], output)]
    by_input = by_inputs["vectors" if vectors.size else "added"]
    pairs.append(("the gradient by the input", value["= input gradient"], by_input))
    pairs += [("the gradient by " + name, gradient[name], by_weights[name]) for name in weights]
    worst = 0.0
    for name, ours, theirs in pairs:
        theirs = np.asarray(theirs)
        largest = np.abs(theirs).max()
        # Biases of keys, and of values less their mean, have no effect: their gradients are rounding, to be
        # compared with those of the weights beside them.
        if name.endswith(("key.bias", "value.bias")):
            beside_it = by_weights[name.removeprefix("the gradient by ").removesuffix("bias") + "weight"]
            largest = max(largest, np.abs(np.asarray(beside_it)).max())
        far = np.abs(ours - theirs).max() / largest
        worst = max(worst, far)
        if not far <= TOLERANCE or largest == 0:
            sys.exit(f"{network}: {name} differs by {far:.3g} of its largest entry, {largest:.3g}")
    print(f"{network}: {len(weights)} weights, at most {worst:.2g} apart")


if __name__ == "__main__":
    networks = 0
    while sys.stdin.buffer.peek(1):
        compare(*read(sys.stdin.buffer))
        networks += 1
    if networks == 0:
        sys.exit("no networks to compare")
