/// Which end of a text that is too long is cut off, or which end of a short one is padded.
public enum TextSide: String, Sendable, Equatable {
  /// The beginning of the text.
  case left
  /// Its end.
  case right
}

/// Which text of a pair is cut when both are too long together. Where cutting all of it is not enough, the other is cut
/// too.
public enum TruncationStrategy: String, Sendable, Equatable {
  /// The longer one, then both alike (`longest_first`).
  case longestFirst = "longest_first"
  /// The first (`only_first`).
  case onlyFirst = "only_first"
  /// The second (`only_second`), as for a question and the page that may answer it.
  case onlySecond = "only_second"
}

/// How long a result may be.
public struct Truncation: Sendable, Equatable {
  /// The ids in a result at most, special tokens included.
  public var maximumLength: Int
  /// The end that is cut off.
  public var side: TextSide
  /// Which text of a pair is cut.
  public var strategy: TruncationStrategy

  /// - Parameters:
  ///   - maximumLength: the ids in a result at most, special tokens included.
  ///   - side: the end that is cut off.
  ///   - strategy: which text of a pair is cut.
  public init(maximumLength: Int, side: TextSide = .right, strategy: TruncationStrategy = .longestFirst) {
    self.maximumLength = maximumLength
    self.side = side
    self.strategy = strategy
  }
}

/// How short results are made longer.
public struct Padding: Sendable, Equatable {
  /// The ids that a result has at least; nil for those of the longest of its batch.
  public var length: Int?
  /// The length is rounded up to a multiple of this.
  public var multiple: Int
  /// The id to fill up with.
  public var id: Int32
  /// The token type to fill up with.
  public var tokenType: Int32
  /// The end that is filled up.
  public var side: TextSide

  /// - Parameters:
  ///   - length: the ids that a result has at least; nil for those of the longest of its batch.
  ///   - id: the id to fill up with.
  ///   - tokenType: the token type to fill up with.
  ///   - side: the end that is filled up.
  ///   - multiple: the length is rounded up to a multiple of this.
  public init(length: Int?, id: Int32, tokenType: Int32 = 0, side: TextSide = .right, multiple: Int = 1) {
    self.length = length
    self.id = id
    self.tokenType = tokenType
    self.side = side
    self.multiple = multiple
  }
}
