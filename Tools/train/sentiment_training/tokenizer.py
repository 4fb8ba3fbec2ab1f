"""The student's WordPiece vocabulary, made from the training sentences alone."""

from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

PADDING, UNKNOWN, CLASS, SEPARATOR, MASK = SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]


def train(corpus, size, longest):
    tokenizer = Tokenizer(models.WordPiece(unk_token=UNKNOWN))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    trainer = trainers.WordPieceTrainer(vocab_size=size, special_tokens=SPECIAL, min_frequency=2, show_progress=False)
    tokenizer.train_from_iterator((text for example in corpus.training for text in example.texts), trainer)
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{CLASS} $A {SEPARATOR}", pair=f"{CLASS} $A {SEPARATOR} $B:1 {SEPARATOR}:1",
        special_tokens=[(token, tokenizer.token_to_id(token)) for token in (CLASS, SEPARATOR)])
    tokenizer.decoder = decoders.WordPiece()
    tokenizer.enable_truncation(longest)
    return tokenizer
