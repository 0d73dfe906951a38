"""Saves the hidden states of a model of Hugging Face for antipode measure.

    pip install "transformers<5" flax jax
    python hidden_hugging_face.py bert hidden.npy && antipode measure hidden.npy --mask mask.npy

The model has random weights here; from_pretrained in place of the configuration gives a trained one.
"""

import sys

import numpy as np
from transformers import BertConfig, FlaxBertModel, FlaxGPT2Model, GPT2Config

name, out, *size = sys.argv[1:]
layers, length, sequences = (int(n) for n in size) if size else (12, 128, 4)
if name == "bert":
    model = FlaxBertModel(BertConfig(num_hidden_layers=layers), seed=1)
else:
    model = FlaxGPT2Model(GPT2Config(n_layer=layers), seed=1)
    # GPT-2 begins with smaller residual projections, which Flax leaves out.
    for block in model.params["h"].values():
        for part in "attn", "mlp":
            block[part]["c_proj"]["kernel"] /= (2 * layers) ** 0.5
ids = np.random.default_rng(1).integers(model.config.vocab_size, size=(sequences, length))
mask = np.arange(length) < np.linspace(length, length // 2, sequences).astype(int)[:, None]  # as of padding
states = model(ids, attention_mask=mask.astype("i4"), output_hidden_states=True).hidden_states
np.save(out, np.stack(states))  # layers × sequences × tokens × d
np.save(out.replace("hidden", "mask"), mask)
