"""The student: a BERT of three narrow layers, all of it from random numbers."""

import torch
from torch import nn
from transformers import BertConfig, BertForSequenceClassification

VOCABULARY = 7000
LONGEST = 128
"""Tokens of a text the student reads; a longer one is cut."""


def configuration(vocabulary):
    """Without dropout, which the number of texts makes needless; plain attention is the fastest at this size."""
    return BertConfig(
        vocab_size=vocabulary, hidden_size=192, num_hidden_layers=3, num_attention_heads=6, intermediate_size=384,
        max_position_embeddings=LONGEST, type_vocab_size=2, hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0,
        attn_implementation="eager", id2label={0: "negative", 1: "positive"}, label2id={"negative": 0, "positive": 1})


class Student(nn.Module):
    """The classifier, and the projection on the teacher's embedding that only training needs."""

    def __init__(self, vocabulary, teacher_width):
        super().__init__()
        self.classifier = BertForSequenceClassification(configuration(vocabulary))
        self.projection = nn.Linear(self.classifier.config.hidden_size, teacher_width)

    def forward(self, ids, mask):
        """The logits, and a guess of the teacher's mean embedding."""
        output = self.classifier.bert(ids, attention_mask=mask)
        logits = self.classifier.classifier(output.pooler_output)
        weights = mask[..., None].float()
        mean = (output.last_hidden_state * weights).sum(1) / weights.sum(1)
        return logits, self.projection(mean)


@torch.no_grad()
def predict(model, rows):
    """Logits of texts' ids, in order."""
    from .batches import bucketed, padded

    model.eval()
    logits = torch.zeros(len(rows), 2)
    for batch in bucketed([len(row) for row in rows], 4096):
        logits[batch], _ = model(*padded([rows[index] for index in batch]))
    return logits
