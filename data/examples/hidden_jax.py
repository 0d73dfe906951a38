"""Saves the hidden states of a JAX model for antipode measure.

    python hidden_jax.py && antipode measure hidden.npy

Any function from one layer's states to the next will do in place of block.
"""

import jax
import jax.numpy as jnp
import numpy as np


def block(x, key):  # attention of one head with a residual connection, and a norm
    q, k, v = jax.random.normal(key, (3, x.shape[-1], x.shape[-1])) / x.shape[-1] ** 0.5
    scores = jax.nn.softmax((x @ q) @ (x @ k).swapaxes(-1, -2) / x.shape[-1] ** 0.5)
    x = x + scores @ (x @ v)
    return x / jnp.linalg.norm(x, axis=-1, keepdims=True)


keys = jax.random.split(jax.random.key(1), 13)
states = [jax.random.normal(keys[0], (8, 32, 64))]  # sequences × tokens × d
for key in keys[1:]:
    states.append(block(states[-1], key))
np.save("hidden.npy", np.stack(states))  # layers × sequences × tokens × d; in bfloat16 as well
