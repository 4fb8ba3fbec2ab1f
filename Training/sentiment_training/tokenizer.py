"""The student's WordPiece vocabulary, made from the sentences to train on alone.

The trainers of the tokenizers library break ties by the order of a hash table, so no two runs of theirs agree; this
one breaks them by the alphabet.
"""

import heapq
from collections import Counter, defaultdict

from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors

PADDING, UNKNOWN, CLASS, SEPARATOR, MASK = SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
CONTINUATION = "##"


def joined(first, second):
    return first + second.removeprefix(CONTINUATION)


def pieces(counts, size):
    """All characters, then the commonest pairs merged until there are `size` pieces (Sennrich et al., 2016)."""
    words = [[word[0], *(CONTINUATION + letter for letter in word[1:])] for word in counts]
    weights = list(counts.values())
    vocabulary = dict.fromkeys(sorted({piece for word in words for piece in word}))
    totals, places = Counter(), defaultdict(set)
    for index, word in enumerate(words):
        for pair in zip(word, word[1:]):
            totals[pair] += weights[index]
            places[pair].add(index)
    heap = [(-total, pair) for pair, total in totals.items()]
    heapq.heapify(heap)
    while heap and len(vocabulary) < size:
        total, pair = heapq.heappop(heap)
        if -total != totals[pair]:
            continue
        vocabulary[joined(*pair)] = None
        touched = set()
        for index in places.pop(pair):
            word = words[index]
            for other in zip(word, word[1:]):
                totals[other] -= weights[index]
                touched.add(other)
            words[index] = word = merged(word, pair)
            for other in zip(word, word[1:]):
                totals[other] += weights[index]
                places[other].add(index)
                touched.add(other)
        for other in touched:
            if totals[other] > 0:
                heapq.heappush(heap, (-totals[other], other))
    return list(vocabulary)


def merged(word, pair):
    result = []
    for piece in word:
        if result and (result[-1], piece) == pair:
            result[-1] = joined(*pair)
        else:
            result.append(piece)
    return result


def train(texts, size, longest):
    tokenizer = Tokenizer(models.WordPiece(unk_token=UNKNOWN))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    counts = Counter()
    for text in texts:
        normal = tokenizer.normalizer.normalize_str(text)
        counts.update(word for word, _ in tokenizer.pre_tokenizer.pre_tokenize_str(normal))
    vocabulary = SPECIAL + pieces(counts, size - len(SPECIAL))
    tokenizer.model = models.WordPiece(
        {piece: index for index, piece in enumerate(vocabulary)}, unk_token=UNKNOWN, max_input_chars_per_word=100)
    tokenizer.add_special_tokens(SPECIAL)
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{CLASS} $A {SEPARATOR}", pair=f"{CLASS} $A {SEPARATOR} $B:1 {SEPARATOR}:1",
        special_tokens=[(token, tokenizer.token_to_id(token)) for token in (CLASS, SEPARATOR)])
    tokenizer.decoder = decoders.WordPiece()
    tokenizer.enable_truncation(longest)
    return tokenizer
