"""Vectors of sentences beside sentence-transformers': the same lines, the same numbers.

Usage: python beside_sentence_transformers.py FOLDER, such as one with all-MiniLM-L6-v2
"""

# %% One folder, opened by both.
import sys

import numpy as np
from sentence_transformers import SentenceTransformer

from apus_inference import Model

theirs, ours = SentenceTransformer(sys.argv[1], device="cpu"), Model(sys.argv[1])
assert ours.max_seq_length == theirs.max_seq_length and ours.dimension == theirs.encode("a").shape[0]

# %% A list of texts, one text, and an empty list.
texts = ["A swift sleeps in flight.", "Birds of the family Apodidae.", "naïve café 😀", "", "word " * 600]
for options in ({}, {"normalize_embeddings": True}, {"batch_size": 2}):
    a, b = theirs.encode(texts, **options), ours.encode(texts, **options)
    print(options, a.shape, a.dtype, "differ by", float(np.abs(a - b).max()))
    assert a.shape == b.shape and a.dtype == b.dtype and np.abs(a - b).max() < 1e-5
assert ours.encode(texts[0]).shape == theirs.encode(texts[0]).shape

# %% Cosines.
a, b = theirs.similarity(theirs.encode(texts), theirs.encode(texts)), ours.similarity(ours.encode(texts), ours.encode(texts))
print("cosines differ by", float(np.abs(np.asarray(a) - b).max()))
assert np.abs(np.asarray(a) - b).max() < 1e-5
