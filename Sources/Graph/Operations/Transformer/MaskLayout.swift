import TensorCore

/// Where in the mask of an ``Attention`` the number for a query and a key is.
struct MaskLayout: Sendable {
  /// Positions of queries that the mask has; nil where one row stands for all.
  let queries: Int?
  /// Positions of keys that the mask has.
  let keys: Int
  /// Elements from a query to the next one. Those of a query's keys lie side by side.
  let queryStep: Int
  private let segmentStep: Int
  private let headStep: Int
  /// Which mask each segment has, over and over; its own where there is no order.
  private let order: [Int]
  /// The element of the first query and the first key.
  private let origin: Int

  /// - Parameters:
  ///   - shape: of rank 4, as ``Attention`` demands it of a mask of that form.
  ///   - order: ``Attention/maskOrder``.
  /// - Returns: nil of the form whose masks are written while the model runs.
  init?(_ shape: Shape, _ form: Attention.MaskForm, order: [Int]) {
    self.order = order
    let strides = zip(shape.dimensions, shape.strides).map { $0 == 1 ? 0 : $1 }
    (segmentStep, headStep) = (strides[0], strides[1])
    switch form {
    case .buckets: return nil
    case .positions:
      queries = shape[2] == 1 ? nil : shape[2]
      keys = shape[3]
      (origin, queryStep) = (0, strides[2])
    case .distances:
      let length = (shape[3] + 1) / 2
      (queries, keys) = (length, length)
      // The next query is one nearer to each key behind it: its row begins one element before.
      (origin, queryStep) = (length - 1, -1)
    }
  }

  /// The element for the first key of a segment.
  func element(segment: Int, head: Int, query: Int) -> Int {
    let mask = order.isEmpty ? segment : order[segment % order.count]
    return origin + mask * segmentStep + head * headStep + query * queryStep
  }
}
