import Kernels
import TensorCore

/// Scaled dot-product attention of many heads over ragged segments of rows: softmax(q·kᵀ·scale)·v.
///
/// Operands: queries [Tq, …], keys [Tk, …] and values [Tk, …] in float32, often one and the same matrix read at
/// three offsets; then the segments of the queries and those of the keys, int32 [B + 1]: rows
/// `segments[b]..<segments[b + 1]` of the queries attend those rows of the keys. Segments ascend and lie in
/// 0…T, else the run throws. The result is [Tq, heads · headWidth], head h in columns h · headWidth and on;
/// rows of no segment, and those that see no key, are zero.
///
/// Head h of the queries lies in the columns h · headWidth and on from their offset, and attends head h · keyHeads / heads of
/// the keys and values, rounded down: of these there may be fewer, each shared by as many neighbours ("grouped queries").
///
/// A sixth operand may be left out: a mask, float32 [B or 1, heads or 1, Q or 1, K], that is added to the products
/// times the scale. Its last two axes are the positions of query and key in their segments, none of which may be
/// longer, else the run throws; 1 stands for all. Of the form ``MaskForm/distances`` they are [1, 2 · L − 1] instead, for
/// segments of at most L rows. With an order of masks the first axis has any number of them, and segment b has the mask
/// `maskOrder[b mod n]` of the n in the order, which must divide the number of segments.
///
/// In the place of a mask of the form ``MaskForm/buckets`` there are three operands: for each head and row of the queries a
/// number for each bucket of distances, float32 [heads, Tq, R]; the same for the keys, float32 [heads, Tk, R], either of
/// which may be left out; and the bucket of each distance, a constant of integers [2 · L − 1]. To the product of query and
/// key times the scale both rows' numbers for the bucket of their distance are added.
///
/// With a window a query sees only the keys of its segment up to so many positions before it and behind it, and a segment
/// must not have more queries than keys, unless it has none, else the run throws. Time then grows with the window and
/// not with the length of a segment. A mask is refused beside it.
///
/// Source: Vaswani et al. 2017, "Attention Is All You Need", section 3.2; of the window, Beltagy et al. 2020,
/// "Longformer: The Long-Document Transformer", section 3.1; of shared keys, Ainslie et al. 2023, "GQA: Training Generalized
/// Multi-Query Transformer Models from Multi-Head Checkpoints", section 2.2.
package struct Attention: Operation {
  /// What the last two axes of a mask stand for.
  package enum MaskForm: Sendable {
    /// The positions of query and key.
    case positions
    /// How far the key stands behind the query, from 1 − L to L − 1.
    case distances
    /// The same as ``distances``, by the bucket of each of them, for every row.
    case buckets
  }

  package let heads: Int
  /// Heads of the keys and of the values: a divisor of ``heads``.
  package let keyHeads: Int
  /// Columns of one head.
  package let headWidth: Int
  /// What the products of queries and keys are multiplied by.
  package let scale: Float
  /// Whether query i of a segment sees only its keys 0…i.
  package let isCausal: Bool
  /// The first column of head 0 in each operand.
  package let queryOffset: Int
  package let keyOffset: Int
  package let valueOffset: Int
  package let maskForm: MaskForm
  /// Which of the masks each segment has, over and over; empty where all have one, or each its own.
  package let maskOrder: [Int]
  /// How far from its query a key is seen, at most; nil where all are.
  package let window: Int?
  /// Whether the result of a query whose keys all have a mask of −∞ is zero, as PyTorch's attention says; else it is NaN, as a
  /// softmax of nothing but −∞ is.
  package let zeroesHidden: Bool
  package var name: String { "attention" }

  package init(
    heads: Int, keyHeads: Int? = nil, headWidth: Int, scale: Float, isCausal: Bool, queryOffset: Int = 0,
    keyOffset: Int = 0,
    valueOffset: Int = 0, maskForm: MaskForm = .positions, maskOrder: [Int] = [], window: Int? = nil,
    zeroesHidden: Bool = false
  ) {
    self.heads = heads
    self.keyHeads = keyHeads ?? heads
    self.headWidth = headWidth
    self.scale = scale
    self.isCausal = isCausal
    self.queryOffset = queryOffset
    self.keyOffset = keyOffset
    self.valueOffset = valueOffset
    self.maskForm = maskForm
    self.maskOrder = maskOrder
    self.window = window
    self.zeroesHidden = zeroesHidden
  }

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    try operands.requireCount(maskForm == .buckets ? 8...8 : 5...6)
    let width = try columns()
    let queries = try matrix(operands, 0, "the queries", offset: queryOffset, heads: heads)
    let keys = try matrix(operands, 1, "the keys", offset: keyOffset, heads: keyHeads)
    let values = try matrix(operands, 2, "the values", offset: valueOffset, heads: keyHeads)
    guard keys[0] == values[0] else {
      throw ApusError(
        .malformedModel, "\(values[0]) rows of values", expected: "\(keys[0])")
    }
    let querySegments = try segments(operands, 3, "the query segments")
    let keySegments = try segments(operands, 4, "the key segments")
    guard querySegments == keySegments else {
      throw ApusError(
        .malformedModel, "\(querySegments - 1) segments of queries and \(keySegments - 1) of keys",
        expected: "as many of one as of the other")
    }
    let hasMask = maskForm == .buckets || operands.has(5)
    guard window == nil || !hasMask, window ?? 0 >= 0 else {
      throw ApusError(
        .malformedModel, "a window of \(window ?? 0)\(hasMask ? " beside a mask" : "")",
        expected: "one of them, a window of at least 0")
    }
    guard maskOrder.isEmpty || maskForm != .buckets && operands.has(5) else {
      throw ApusError(.malformedModel, "an order of masks", expected: "a mask with it")
    }
    if maskForm == .buckets {
      _ = try DistanceTerms(operands, heads: heads, queries: queries[0], keys: keys[0])
    } else if operands.has(5) {
      try checkMask(operands, segments: querySegments - 1)
    }
    return [try operands.result(try Shape([queries[0], width]), of: .float32)]
  }

  private func checkMask(_ operands: Operands, segments: Int) throws(ApusError) {
    let mask = try operands.input(5, "the mask", of: [.float32], rank: 4).shape
    guard !maskOrder.isEmpty || [1, max(segments, 1)].contains(mask[0]) else {
      throw ApusError(.malformedModel, "a mask of shape \(mask)", expected: "1 or \(segments) segments")
    }
    guard [1, heads].contains(mask[1]) else {
      throw ApusError(.malformedModel, "a mask of shape \(mask)", expected: "1 or \(heads) heads")
    }
    guard maskForm == .positions || mask[2] == 1 && mask[3] % 2 == 1 else {
      throw ApusError(
        .malformedModel, "a mask of shape \(mask) by distance", expected: "an odd number for each head")
    }
    guard maskOrder.allSatisfy({ $0 >= 0 && $0 < mask[0] }), segments % max(maskOrder.count, 1) == 0 else {
      throw ApusError(
        .malformedModel, "an order of \(maskOrder.count) masks for \(segments) segments",
        expected: "a number of them that divides the segments, each of the \(mask[0]) that there are")
    }
  }

  /// The columns that all heads take together.
  private func columns() throws(ApusError) -> Int {
    let (width, overflow) = heads.multipliedReportingOverflow(by: headWidth)
    guard heads > 0, headWidth > 0, !overflow else {
      throw ApusError(
        .malformedModel, "\(heads) heads of width \(headWidth)", expected: "at least one head of width 1")
    }
    guard keyHeads > 0, heads % keyHeads == 0 else {
      throw ApusError(
        .malformedModel, "\(keyHeads) heads of keys for \(heads) of queries", expected: "a divisor of these")
    }
    guard scale.isFinite else {
      throw ApusError(.malformedModel, "the scale \(scale)", expected: "a finite number")
    }
    return width
  }

  /// The shape of a matrix that must have the columns of so many heads from `offset` on.
  private func matrix(
    _ operands: Operands, _ index: Int, _ role: String, offset: Int, heads: Int
  ) throws(ApusError) -> Shape {
    let width = heads * headWidth
    let shape = try operands.input(index, role, of: [.float32], rank: 2).shape
    guard offset >= 0, shape[1] >= width, offset <= shape[1] - width else {
      throw ApusError(
        .malformedModel, "\(Operands.place(index, role)) of shape \(shape) read from column \(offset)",
        expected: "\(heads) heads of \(headWidth) columns from there on")
    }
    return shape
  }

  /// The length of a vector of segment bounds.
  private func segments(_ operands: Operands, _ index: Int, _ role: String) throws(ApusError) -> Int {
    let shape = try operands.input(index, role, of: [.int32], rank: 1).shape
    guard shape[0] > 0 else {
      throw ApusError(
        .malformedModel, "\(Operands.place(index, role)) has no element",
        expected: "the first row of each, and the last's end")
    }
    return shape[0]
  }

  /// Those of segments of equal length, empty ones among them; how long they are is known only when the model runs.
  package func multiplyAccumulates(_ operands: Operands, results: [TensorType]) -> Int {
    guard let queries = try? operands.input(0).shape, let keys = try? operands.input(1).shape,
      let bounds = try? operands.input(3).shape, queries.rank == 2, keys.rank == 2, bounds.rank == 1
    else { return 0 }
    let all = keys[0] / max(bounds[0] - 1, 1)
    let near = AttentionWindow(window, keys: keys[0]).map { min(all, 2 * $0.reach + 1) } ?? all
    let seen = near / (isCausal ? 2 : 1)
    return [queries[0], seen, 2, heads, headWidth].saturatingProduct
  }

  package func preparedInputs(_ operands: Operands) -> Set<Int> { maskForm == .buckets ? [7] : [] }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    try AttentionLowering(self, context).lowering
  }
}
