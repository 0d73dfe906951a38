"""Saves the weights and hidden states of PyTorch's TransformerEncoder for antipode measure.

    python weights_pytorch.py post-norm weights.npz hidden.npy names.json
    antipode measure hidden.npy --weights weights.npz --names names.json

With your own model, put its encoder in place of this one. Layers of a new TransformerEncoder are copies of
one and the same layer; they are drawn anew here, as nn.Transformer does it.
"""

import json
import sys

import numpy as np
import torch

norm, weights, hidden, names = sys.argv[1:]
torch.manual_seed(1)
layer = torch.nn.TransformerEncoderLayer(256, 8, 1024, batch_first=True, norm_first=norm == "pre-norm")
model = torch.nn.TransformerEncoder(layer, 6).eval()
for parameter in model.parameters():
    if parameter.dim() > 1:
        torch.nn.init.xavier_uniform_(parameter)
np.savez(weights, **{name: value.numpy() for name, value in model.state_dict().items()})
layout = {"like": "pytorch", "heads": 8}
if norm == "pre-norm":
    layout |= {"norm": norm, "attention-norm": "layers.{layer}.norm1.weight",
               "mlp-norm": "layers.{layer}.norm2.weight"}
with open(names, "w") as file:
    json.dump(layout, file)
x = torch.randn(8, 32, 256)  # sequences × tokens × d
states = [x]
with torch.no_grad():
    for block in model.layers:
        states.append(block(states[-1]))
np.save(hidden, torch.stack(states).numpy())  # layers × sequences × tokens × d
