"""Saves the hidden states of a PyTorch model for antipode measure.

    python hidden_pytorch.py && antipode measure hidden.npy

Forward hooks keep what each block returns; with your own model, put its blocks in their place.
"""

import numpy as np
import torch

model = torch.nn.TransformerEncoder(torch.nn.TransformerEncoderLayer(64, 4, batch_first=True), 6).eval()
states = []


def keep(module, inputs, output):
    states.append(output.detach().float().cpu().numpy())  # NumPy has no bfloat16


for block in model.layers:
    block.register_forward_hook(keep)
with torch.no_grad():
    model(torch.randn(8, 32, 64))  # sequences × tokens × d
np.save("hidden.npy", np.stack(states))  # layers × sequences × tokens × d
