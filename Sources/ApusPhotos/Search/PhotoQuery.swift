import Apus
import TensorCore

/// What is looked for: the sum of sentences, pictures and vectors, each with a weight.
public struct PhotoQuery: Sendable {
  /// A part of the sum.
  public struct Term: Sendable {
    /// What a part is.
    public enum Subject: Sendable {
      case sentence(String)
      /// A picture, which may be one of the index.
      case picture(Picture)
      /// A vector of the space that the index's are of, of their width and of any length but 0.
      case vector(Embedding)
    }

    /// What it is.
    public var subject: Subject
    /// By how much it counts; below 0 for what the photographs should not be like.
    public var weight: Float

    /// A part of the sum.
    public init(_ subject: Subject, weight: Float = 1) { (self.subject, self.weight) = (subject, weight) }
  }

  /// The parts, at least one of which counts for something.
  public var terms: [Term]

  /// The sum of parts.
  public init(_ terms: [Term]) { self.terms = terms }

  /// Sentences as `apus photos search` takes them, and pictures that the photographs should be like.
  ///
  /// `-snow`, also with the sign U+2212, is what the photographs should not be like, `2:golden retriever` counts twice,
  /// `-0.5:people` both; `+` may stand before any. A `+` or `-` by itself is for the sentence behind it. A sentence that itself begins so, such as
  /// "3:10 to Yuma", is written with its weight: `1:3:10 to Yuma`.
  /// - Throws: ``ApusError`` of kind `argument` for a sentence without a word, a weight that is no number, or nothing at
  ///   all.
  public init(_ sentences: [String], like pictures: [Picture] = []) throws(ApusError) {
    terms = []
    var sign: Float?
    for sentence in sentences {
      if sentence == "+" || sentence == "-" {
        sign = (sign ?? 1) * (sentence == "-" ? -1 : 1)
        continue
      }
      var term = try Term(sentence)
      term.weight *= sign ?? 1
      sign = nil
      terms.append(term)
    }
    guard sign == nil else {
      throw ApusError(.argument, "the query ends with + or -", expected: "a sentence behind it")
    }
    terms += pictures.map { Term(.picture($0)) }
    guard !terms.isEmpty else {
      throw ApusError(.argument, "an empty query", expected: "a sentence or a picture")
    }
  }
}

extension PhotoQuery: ExpressibleByStringInterpolation {
  /// One sentence.
  public init(stringLiteral sentence: String) { self.init([Term(.sentence(sentence))]) }
}

extension PhotoQuery.Term {
  /// A sentence with its sign and weight.
  /// - Throws: ``ApusError`` of kind `argument`.
  init(_ text: String) throws(ApusError) {
    var rest = text[...]
    weight = 1
    if let first = rest.first, "+-\u{2212}".contains(first) {
      weight = first == "+" ? 1 : -1
      rest = rest.dropFirst()
    }
    if let colon = rest.firstIndex(of: ":"), let number = Float(rest[..<colon]) {
      guard number.isFinite, number >= 0 else {
        throw ApusError(.argument, "the weight of '\(text)'", expected: "a number from 0")
      }
      weight *= number
      rest = rest[rest.index(after: colon)...]
    }
    let sentence = String(rest.drop(while: \.isWhitespace))
    guard sentence.contains(where: { !$0.isWhitespace }) else {
      throw ApusError(.argument, "'\(text)' has no word", expected: "a sentence")
    }
    subject = .sentence(sentence)
  }
}
