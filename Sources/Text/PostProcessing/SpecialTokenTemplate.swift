/// Which special tokens stand around a text, or around two.
struct SpecialTokenTemplate: Sendable {
  enum Part: Sendable, Equatable {
    /// The text: 0 is the first, 1 the second of a pair.
    case text(Int, tokenType: Int32)
    case special([Int32], tokenType: Int32)
  }

  var single: [Part] = [.text(0, tokenType: 0)]
  var pair: [Part] = [.text(0, tokenType: 0), .text(1, tokenType: 1)]
  /// Whether special tokens that the text before them already ends with are not added again.
  var keepsOwnEnd = false

  /// The special tokens around a text, or around a pair.
  func specialTokenCount(isPair: Bool) -> Int {
    (isPair ? pair : single).reduce(0) { count, part in
      if case .special(let ids, _) = part { count + ids.count } else { count }
    }
  }

  /// The texts with the special tokens, or without where they are not wanted; the type of each token, and 1 for each
  /// that was added.
  func apply(
    to texts: [[Int32]], addingSpecialTokens: Bool
  ) -> (ids: [Int32], tokenTypes: [Int32], specialTokensMask: [Int32]) {
    var ids: [Int32] = []
    var types: [Int32] = []
    var mask: [Int32] = []
    for part in texts.count > 1 ? pair : single {
      let (own, type, mark): ([Int32], Int32, Int32)
      switch part {
      case .text(let number, let tokenType):
        (own, type, mark) = (number < texts.count ? texts[number] : [], tokenType, 0)
      case .special(let special, let tokenType):
        let isWanted =
          addingSpecialTokens && !(keepsOwnEnd && ids.suffix(special.count).elementsEqual(special))
        (own, type, mark) = (isWanted ? special : [], tokenType, 1)
      }
      ids += own
      types += repeatElement(type, count: own.count)
      mask += repeatElement(mark, count: own.count)
    }
    return (ids, types, mask)
  }
}

extension SpecialTokenTemplate {
  /// As BERT has it: `[CLS] A [SEP]`, and `[CLS] A [SEP] B [SEP]` with the second text of type 1.
  static func bert(start: Int32, end: Int32) -> SpecialTokenTemplate {
    let first: [Part] = [
      .special([start], tokenType: 0), .text(0, tokenType: 0), .special([end], tokenType: 0),
    ]
    return SpecialTokenTemplate(
      single: first, pair: first + [.text(1, tokenType: 1), .special([end], tokenType: 1)])
  }

  /// As RoBERTa has it: `<s> A </s>`, and `<s> A </s></s> B </s>`, all of type 0.
  static func roberta(start: Int32, end: Int32) -> SpecialTokenTemplate {
    let first: [Part] = [
      .special([start], tokenType: 0), .text(0, tokenType: 0), .special([end], tokenType: 0),
    ]
    return SpecialTokenTemplate(
      single: first,
      pair: first + [.special([end], tokenType: 0), .text(1, tokenType: 0), .special([end], tokenType: 0)])
  }

  /// As T5 has it: `A </s>`, and `A </s> B </s>`, all of type 0.
  static func ended(by end: Int32) -> SpecialTokenTemplate {
    let single: [Part] = [.text(0, tokenType: 0), .special([end], tokenType: 0)]
    return SpecialTokenTemplate(
      single: single, pair: single + [.text(1, tokenType: 0), .special([end], tokenType: 0)])
  }
}
