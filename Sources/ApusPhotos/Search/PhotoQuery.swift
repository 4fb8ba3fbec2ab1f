import Apus
import TensorCore

/// A query: the sum of sentences, pictures and vectors, each with a weight.
///
/// A string is read as `apus photos search` reads it, with its sign and weight, whether it stands by itself or in a list:
/// `"-snow"` is `PhotoQuery(["-snow"])`. A sentence to be taken literally, such as a user's input, is
/// `PhotoQuery(sentence: "3:10 to Yuma")`, or a term ``Term/Subject/sentence(_:)`` among others.
public struct PhotoQuery: Sendable {
  /// A part of the sum.
  public struct Term: Sendable {
    /// The content of a term.
    public enum Subject: Sendable {
      /// A sentence as it is: what looks like a sign or a weight is a part of it.
      case sentence(String)
      /// A picture, which may be one of the index.
      case picture(Picture)
      /// A vector of the space that the index's are of, of their width and of any length but 0.
      case vector(Embedding)
    }

    /// The content.
    public var subject: Subject
    /// By how much it counts; below 0 for what the photographs should not be like.
    public var weight: Float

    /// A part of the sum.
    public init(_ subject: Subject, weight: Float = 1) { (self.subject, self.weight) = (subject, weight) }
  }

  /// The parts, at least one of which counts for something.
  public var terms: [Term]
  /// Why a literal has no terms.
  private var refusal: ApusError?

  /// The sum of parts.
  public init(_ terms: [Term]) { self.terms = terms }

  /// A sentence as it is, whatever it begins with.
  public init(sentence: String) { self.init([Term(.sentence(sentence))]) }

  /// Sentences as `apus photos search` takes them, and pictures that the photographs should be like.
  ///
  /// `-snow`, also with the sign U+2212, is what the photographs should not be like, `2:golden retriever` counts twice,
  /// `-0.5:people` both; `+` may stand before any. A `+` or `-` by itself is for the sentence behind it. A sentence that
  /// itself begins so, such as "3:10 to Yuma", is written with its weight, `1:3:10 to Yuma`, or given as
  /// ``init(sentence:)``.
  /// - Parameters:
  ///   - parts: sentences with their signs and weights.
  ///   - sentences: such as are taken as they are.
  ///   - pictures: what the photographs should be like.
  /// - Throws: ``ApusError`` of kind `argument` for a sentence without a word, a weight that is no number, or nothing at
  ///   all.
  public init(
    _ parts: [String], sentences: [String] = [], like pictures: [Picture] = []
  ) throws(ApusError) {
    terms = []
    var sign: Float?
    for sentence in parts {
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
    terms += sentences.map { Term(.sentence($0)) } + pictures.map { Term(.picture($0)) }
    try validate()
  }
}

extension PhotoQuery: ExpressibleByStringInterpolation {
  /// One sentence with its sign and weight, as in a list. What that throws, a search throws.
  public init(stringLiteral sentence: String) {
    do throws(ApusError) {
      try self.init([sentence])
    } catch {
      self.init([])
      refusal = error
    }
  }

  /// - Throws: ``ApusError`` of kind `argument` for a query that says nothing.
  func validate() throws(ApusError) {
    guard !terms.isEmpty else {
      throw refusal ?? ApusError(.argument, "an empty query", expected: "a sentence or a picture")
    }
    for term in terms {
      if case .sentence(let text) = term.subject, text.allSatisfy(\.isWhitespace) {
        throw ApusError(.argument, "'\(text)' has no word", expected: "a sentence")
      }
    }
  }
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
