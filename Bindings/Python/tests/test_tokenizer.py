"""Tokenizers: the ids of the tokenizers library."""

import os

import pytest

import apus_inference as apus

TEXTS = ["a quick bird", "naïve café 😀", "", "word " * 300]


def test_ids_and_back(sentiment):
    tokenizer = apus.Tokenizer(sentiment)
    found = tokenizer.encode("a joy", return_offsets=True)
    assert tokenizer.decode(found.ids) == "a joy"
    assert [tokenizer.id_to_token(each) for each in found.ids][0] == "[CLS]"
    assert tokenizer.token_to_id("[CLS]") == found.ids[0] and tokenizer.token_to_id("no such token") is None
    assert len(found) == len(found.attention_mask) and not found.truncated
    assert tokenizer.vocabulary_size > 100 and "tokens" in repr(tokenizer)


def test_padding_and_pairs(sentiment):
    tokenizer = apus.Tokenizer(sentiment)
    found = tokenizer.encode_batch(["a", "a longer text"], padding=True)
    assert len(found[0]) == len(found[1]) and found[0].attention_mask[-1] == 0
    assert tokenizer.encode("a b c d e", max_length=4).truncated
    pair = tokenizer.encode("a", "b")
    assert 1 in pair.type_ids


def test_ids_are_those_of_the_tokenizers_library(sentiment):
    tokenizers = pytest.importorskip("tokenizers")
    other = tokenizers.Tokenizer.from_file(os.path.join(sentiment, "tokenizer.json"))
    other.no_padding()
    other.no_truncation()
    for text, found in zip(TEXTS, apus.Tokenizer(sentiment).encode_batch(TEXTS, return_offsets=True)):
        expected = other.encode(text)
        assert found.ids == expected.ids
        assert found.offsets == expected.offsets
