/// The ids of a text, or as many of them as are asked for.
struct TokenList {
  /// Which ids of a text are kept.
  enum Wanted: Equatable {
    case all
    /// So many from the start, and one more where there are more.
    case first(Int)
    /// So many from the end, and one more where there are more.
    case last(Int)
    /// None: they are counted.
    case none
  }

  let wanted: Wanted
  var ids: [Int32] = []
  /// Ids that were left out at the start.
  private var leftOut = 0

  init(_ wanted: Wanted) { self.wanted = wanted }

  /// Beyond so many ids, further ones make no difference.
  var limit: Int { if case .first(let count) = wanted { count } else { .max } }

  var isFull: Bool { ids.count > limit }

  /// The ids of the text, those among them that were left out.
  var count: Int { leftOut + ids.count }

  /// Leaves out what is not asked for, now and then.
  mutating func trim() {
    let kept =
      switch wanted {
      case .last(let count): count < .max - 1 << 16 ? count + 1 : .max
      case .none: 0
      case .all, .first: Int.max
      }
    guard kept < .max, ids.count > kept + 1 << 16 else { return }
    leftOut += ids.count - kept
    ids.removeFirst(ids.count - kept)
  }
}
