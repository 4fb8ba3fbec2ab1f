/// What becomes of the places where text is cut.
enum SplitBehavior: String, Sendable, CaseIterable {
  /// They are dropped.
  case removed = "Removed"
  /// Each stands alone.
  case isolated = "Isolated"
  /// Each goes with what stands before it, unless that is another.
  case mergedWithPrevious = "MergedWithPrevious"
  /// Each goes with what stands after it, unless that is another.
  case mergedWithNext = "MergedWithNext"
  /// Those that follow each other stand together.
  case contiguous = "Contiguous"
}

/// Cuts a stretch of text at its matches, given from the left.
struct MatchSplitter {
  private let behavior: SplitBehavior
  /// Whether the stretches between the matches are the places to cut at.
  private let isInverted: Bool
  private var position: Int
  private let end: Int
  /// Whether the last part was a place to cut at.
  private var previousIsPlace = false
  /// A place that waits for what follows it.
  private var waiting: Range<Int>?
  /// Whether a part has been appended in this stretch.
  private var hasParts = false

  init(_ range: Range<Int>, behavior: SplitBehavior, isInverted: Bool = false) {
    self.behavior = behavior
    self.isInverted = isInverted
    position = range.lowerBound
    end = range.upperBound
  }

  /// Takes in the next match.
  @inline(__always)
  mutating func add(_ match: Range<Int>, to list: inout PieceList) {
    if position < match.lowerBound { part(position..<match.lowerBound, isPlace: isInverted, &list) }
    part(match, isPlace: !isInverted, &list)
    position = match.upperBound
  }

  /// Takes in what is left behind the last match.
  mutating func finish(_ list: inout PieceList) {
    if position < end { part(position..<end, isPlace: isInverted, &list) }
    if let waiting { list.append(waiting.lowerBound, waiting.upperBound) }
  }

  @inline(__always)
  private mutating func part(_ range: Range<Int>, isPlace: Bool, _ list: inout PieceList) {
    defer { previousIsPlace = isPlace }
    switch behavior {
    case .removed: if !isPlace { list.append(range.lowerBound, range.upperBound) }
    case .isolated: list.append(range.lowerBound, range.upperBound)
    case .contiguous: append(range, joins: isPlace == previousIsPlace, &list)
    case .mergedWithPrevious: append(range, joins: isPlace && !previousIsPlace, &list)
    case .mergedWithNext:
      if let waiting {
        list.append(waiting.lowerBound, isPlace ? waiting.upperBound : range.upperBound)
      } else if !isPlace {
        list.append(range.lowerBound, range.upperBound)
      }
      waiting = isPlace ? range : nil
    }
  }

  private mutating func append(_ range: Range<Int>, joins: Bool, _ list: inout PieceList) {
    if joins, hasParts {
      list.extendLast(to: range.upperBound)
    } else {
      list.append(range.lowerBound, range.upperBound)
    }
    hasParts = true
  }
}
