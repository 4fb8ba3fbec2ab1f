"""Random texts that tokenizers find hard: many languages, code, emoji and broken text, from a seed."""

import random
import unicodedata

WORDS = {
    "english": "the a photo of cat dog shows chest X-ray with opacity in left lower lobe don't can't it's we're I'll you've "
    "running unhappiness internationalization e-mail naïve café Mr. Dr. U.S.A. 3.14 1,000,000 50% #1 @home state-of-the-art".split(),
    "german": "Straße Übergröße über schön Donaudampfschifffahrt Mädchen heißt GROẞ Fußgänger weiß".split(),
    "french": "l'été où ça garçon œuvre déjà aujourd'hui naïveté Noël «bonjour» cœur".split(),
    "spanish": "¿Qué? ¡Hola! mañana niño pingüino corazón José".split(),
    "polish": "zażółć gęślą jaźń Łódź ŁÓDŹ źdźbło".split(),
    "turkish": "İstanbul ISPARTA ılık İĞNE şöyle çiçek".split(),
    "vietnamese": "Tiếng Việt đẹp người phở ngữ được".split(),
    "greek": "Ελληνικά ΟΔΥΣΣΕΥΣ άνθρωπος φῶς ᾳ ᾼ Σίσυφος".split(),
    "russian": "Привет мир ёлка Ёж съешь ещё этих мягких французских булок".split(),
    "arabic": "السلام عليكم مُحَمَّد العربية ﷺ ٱلْحَمْدُ لِلَّهِ ١٢٣".split(),
    "hebrew": "שלום עולם שָׁלוֹם בְּרֵאשִׁית".split(),
    "hindi": "नमस्ते दुनिया हिन्दी क्षत्रिय श्री कि १२३ र्‍य".split(),
    "bengali": "বাংলা ভাষা স্বাধীনতা ক্ষ".split(),
    "tamil": "தமிழ் வணக்கம் நன்றி ஸ்ரீ".split(),
    "thai": "สวัสดีชาวโลก ภาษาไทย น้ำ กำลัง ที่".split(),
    "burmese": "မြန်မာ ဘာသာ".split(),
    "khmer": "ភាសាខ្មែរ".split(),
    "tibetan": "བོད་ཡིག".split(),
    "georgian": "საქართველო ᲡᲐᲥᲐᲠᲗᲕᲔᲚᲝ".split(),
    "amharic": "አማርኛ ሰላም".split(),
    "chinese": "你好世界 机器学习 我爱北京天安门 漢字 龍𠮷 〇 第一章。 「引用」 ，、！".split(),
    "japanese": "こんにちは カタカナ ﾊﾝｶｸ ガギグ か゛ 日本語 東京都 ㍿ ㌔ 々 ー〜".split(),
    "korean": "안녕하세요 세계 한국어 각 ㄱㄴㄷ 뷁".split(),
    "code": "def main(): return x[i+1]; std::vector<int> #include<stdio.h> a->b a!=b && || ++i {\"key\": [1,2.5e-3]} </div> // NOTE "
    "snake_case camelCase PascalCase $HOME \\n \\\\ 0xDEADBEEF fn(x)->y \t    \t\t __init__ `code` ```".split(" "),
    "emoji": "😀 👍🏽 👨‍👩‍👧‍👦 🏳️‍🌈 🇩🇪🇫🇷🇯 ❤️ ☺︎ 1️⃣ #️⃣ 🧑🏿‍🚀 ✈️ ©️ 🤷🏻‍♀️ 🫠 🏴󠁧󠁢󠁥󠁮󠁧󠁿 🦄".split(),
    "special": "</s> <unk> <s> <pad> [CLS] [SEP] [MASK] [UNK] <|startoftext|> <|endoftext|> <0x0A> <mask> <extra_id_0> ▁ ▁▁ ## ##ing Ġ ⁇".split(),
    "compatibility": "ﬁ ﬃ ① ⑳ ½ ¾ ² ³ ª º ™ ℃ Å Å ㎏ ａｂｃ ＡＢＣ １２３ ！？ Ⅷ ⅷ ﹏ ︵ ﷺ ﷽ ŉ Ǆ ǅ ẞ ʼn ½ … ‥ ⁄ ‼".split(),
    "symbols": "… — – “quoted” ‘x’ • → ∑ ∞ ≠ ± × ÷ € £ ¥ ₹ § ¶ † ° µ √ ♥ ★ █ ░ ┌─┐ ⠿".split(),
}
SPACES = [" "] * 30 + ["  ", "   ", "\t", "\n", "\r\n", "\u00a0", "\u3000", "\u200b", "\u2028", "\u2003", "\u1680", "\u180e", "\u0085", "\ufeff", "\x0b", "\x0c", "\u205f", "\u2060", ""]
CONTROLS = [chr(c) for c in list(range(0, 32)) + [127, 0x80, 0x85, 0x9f, 0xad, 0x200b, 0x200c, 0x200d, 0x200e, 0x202e, 0x2066, 0xfeff, 0xfffd, 0xfffe, 0xffff, 0xe0001, 0x10ffff, 0xe000]]
MARKS = [chr(c) for c in list(range(0x300, 0x370)) + [0x483, 0x5b0, 0x64b, 0x93c, 0x94d, 0xe31, 0x1ab0, 0x1dc0, 0x20d0, 0x20e3, 0x3099, 0x309a, 0xfe0e, 0xfe0f, 0xfe20, 0x1f3fb]]
ODD = ["", " ", "\0", "\0a\0", "   \t\n", "\u2581", "\u2581 a", " \u2581a", "\u0301", "\u200d", "\r\n", "a\r\nb", "\ufeffa", "'", "''s",
       "'S", "I'M", "\ud7ff\ue000", "a" * 300, ". ", ".", "!?"]
RANGES = [(0x20, 0x7f), (0xa0, 0x180), (0x180, 0x250), (0x250, 0x300), (0x370, 0x400), (0x400, 0x530), (0x530, 0x600), (0x600, 0x700),
          (0x700, 0x900), (0x900, 0xe00), (0xe00, 0x1000), (0x1000, 0x1200), (0x1100, 0x1200), (0x1200, 0x1800), (0x1800, 0x1e00), (0x1e00, 0x2000),
          (0x2000, 0x2100), (0x2100, 0x2c00), (0x2c00, 0x3000), (0x3000, 0x3400), (0x3400, 0xa000), (0xa000, 0xac00), (0xac00, 0xd7a4),
          (0xd7b0, 0xd800), (0xe000, 0xf900), (0xf900, 0x10000), (0x10000, 0x11000), (0x11000, 0x12000), (0x12000, 0x1d000), (0x1d000, 0x1e000),
          (0x1e000, 0x1f000), (0x1f000, 0x1fb00), (0x20000, 0x2a6e0), (0xe0000, 0xe0200)]


def words(r, language):
    return "".join(r.choice(WORDS[language]) + r.choice(SPACES) for _ in range(r.randint(1, 25)))


def mixed(r):
    return "".join(r.choice(WORDS[r.choice(list(WORDS))]) + r.choice(SPACES) for _ in range(r.randint(1, 20)))


def characters(r):
    low, high = r.choice(RANGES)
    return "".join(chr(r.randrange(low, high)) for _ in range(r.randint(1, 30)))


def jumble(r):
    parts = []
    for _ in range(r.randint(1, 25)):
        kind = r.random()
        if kind < 0.3:
            low, high = r.choice(RANGES)
            parts.append(chr(r.randrange(low, high)))
        elif kind < 0.5:
            parts.append(r.choice(MARKS))
        elif kind < 0.6:
            parts.append(r.choice(CONTROLS))
        elif kind < 0.7:
            parts.append(r.choice(SPACES))
        elif kind < 0.85:
            parts.append(r.choice("abcdeABCDE019.,'-_"))
        else:
            parts.append(r.choice(WORDS[r.choice(list(WORDS))]))
    return "".join(parts)


def combining(r):
    return "".join(r.choice("aeioukAEIOUகक한あ😀 ") + "".join(r.choice(MARKS) for _ in range(r.randint(0, 6))) for _ in range(r.randint(1, 12)))


def repeats(r):
    return r.choice(["a", " ", "é", "ab", "가", "😀", "▁", "0", "-", "=", "\u0301", "\t", "ha", "\n"]) * r.randint(1, 120)


def code(r):
    return "\n".join("    " * r.randint(0, 4) + " ".join(r.choice(WORDS["code"]) for _ in range(r.randint(1, 8))) for _ in range(r.randint(1, 6)))


def broken(r):
    """Bytes cut and flipped anywhere, repaired as Python and Unicode's recommendation do."""
    data = bytearray(mixed(r).encode())
    for _ in range(r.randint(1, 6)):
        if data:
            at = r.randrange(len(data))
            if r.random() < 0.5:
                data[at] = r.randrange(256)
            else:
                del data[at]
    return bytes(data).decode(errors="replace")


def decomposed(r):
    return unicodedata.normalize(r.choice(["NFD", "NFKD", "NFC", "NFKC"]), mixed(r))


def cased(r):
    text = mixed(r)
    return r.choice([str.upper, str.lower, str.title, str.swapcase])(text)


def odd(r):
    return r.choice(ODD)


KINDS = [(words, 25), (mixed, 20), (characters, 10), (jumble, 15), (combining, 5), (repeats, 3), (code, 7), (broken, 5), (decomposed, 5), (cased, 4), (odd, 1)]


def lines(count, seed):
    r = random.Random(seed)
    kinds = [kind for kind, weight in KINDS for _ in range(weight)]
    for _ in range(count):
        kind = r.choice(kinds)
        yield kind(r, r.choice(list(WORDS))) if kind is words else kind(r)


def plain_lines(count, seed):
    """Lines of words and code only, to train on."""
    r = random.Random(seed)
    for _ in range(count):
        yield code(r) if r.random() < 0.1 else words(r, r.choice(list(WORDS)))
