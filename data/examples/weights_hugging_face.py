"""Saves the weights of a model of Hugging Face, and hidden states, for antipode measure.

    pip install "transformers<5" flax jax safetensors
    python weights_hugging_face.py bert model.safetensors hidden.npy
    antipode measure hidden.npy --weights model.safetensors

The weights are random here, of the Flax classes, under the names that PyTorch has; what save_pretrained of a
PyTorch model writes needs no such conversion.
"""

import sys

import numpy as np
from flax.traverse_util import flatten_dict
from safetensors.numpy import save_file
from transformers import (BertConfig, FlaxBertModel, FlaxGPT2Model, FlaxLlamaModel, FlaxViTModel, GPT2Config,
                          LlamaConfig, ViTConfig)

name, weights, hidden, *size = sys.argv[1:]
layers, length, sequences = (int(n) for n in size) if size else (12, 128, 4)
if name == "bert":
    model = FlaxBertModel(BertConfig(num_hidden_layers=layers), seed=1)
elif name == "vit":
    model = FlaxViTModel(ViTConfig(num_hidden_layers=layers), seed=1)
elif name == "llama":  # of a small dimension; four heads of queries share one of keys and values
    model = FlaxLlamaModel(LlamaConfig(num_hidden_layers=layers, hidden_size=512, intermediate_size=1376,
                                       num_attention_heads=8, num_key_value_heads=2, vocab_size=8192), seed=1)
else:
    model = FlaxGPT2Model(GPT2Config(n_layer=layers), seed=1)
    for block in model.params["h"].values():  # GPT-2 begins with smaller residual projections
        for part in "attn", "mlp":
            block[part]["c_proj"]["kernel"] /= (2 * layers) ** 0.5
arrays = {}
for path, array in flatten_dict(model.params).items():
    array = np.asarray(array)
    if path[-1] == "kernel":
        array = array.T  # to outputs x inputs, and for GPT-2, whose classes have that, to inputs x outputs
    last = {"kernel": "weight", "scale": "weight", "embedding": "weight"}.get(path[-1], path[-1])
    arrays[".".join([*path[:-1], last])] = np.ascontiguousarray(array)
save_file(arrays, weights)
random = np.random.default_rng(1)
if name == "vit":
    side = model.config.image_size
    pixels = random.normal(size=(sequences, 3, side, side)).astype("f4")
    states = model(pixels, output_hidden_states=True).hidden_states
else:
    ids = random.integers(model.config.vocab_size, size=(sequences, length))
    states = model(ids, output_hidden_states=True).hidden_states
np.save(hidden, np.stack(states))  # layers x sequences x tokens x d
