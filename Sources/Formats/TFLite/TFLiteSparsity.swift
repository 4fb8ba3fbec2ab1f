import TensorCore

/// Where the stored elements of a sparse tensor lie in the dense one: a tree with a level for each dimension, in the
/// order in which the dimensions are traversed. The leaves are the elements, as they are stored.
///
/// A tensor may be cut into dense blocks. Its dimensions then count blocks along each axis, and the last levels are
/// those inside a block.
///
/// Source: `SparsityParameters` of the TFLite schema.
package struct TFLiteSparsity: Sendable {
  /// The children of each node of the level above.
  package enum Children: Sendable {
    /// So many, one for each index.
    case dense(Int)
    /// Node `n` has those from `segments[n]` up to `segments[n + 1]`, not included; their indices ascend.
    case compressed(segments: TFLiteIndexVector, indices: TFLiteIndexVector)
  }

  package struct Level: Sendable {
    package let children: Children
    /// How far apart neighbouring indices are in the dense tensor, in elements.
    package let stride: Int
  }

  /// What to do about a file whose sparse tensors are refused.
  package static let advice = "Convert the model anew without EXPERIMENTAL_SPARSITY."

  package let levels: [Level]
  /// Elements that are stored.
  package let leafCount: Int

  /// - Throws: ``ApusError`` when dimensions are missing or there more than once, when blocks do not divide the shape
  ///   or are not dense, or when segments and indices are not those of a tree inside the shape.
  init(_ table: FlatBufferTable, shape: Shape) throws(ApusError) {
    let order = try table.ints(0, "traversal_order")
    let blockMap = try table.ints(1, "block_map")
    let metadata = try table.tables(2, "dim_metadata", as: "DimensionMetadata")
    try Self.check(order, blockMap, metadata.count, rank: shape.rank, table)
    var levels: [FlatBufferTable] = []
    for index in 0..<metadata.count { levels.append(try metadata.table(index)) }
    let dimensions = try Self.dimensions(order, blockMap, levels, shape, table)

    // Each node has an own place in the dense tensor, so that there are at most as many as elements: no overflow.
    var nodes = 1
    var checked: [Level] = []
    for (level, (dimension, metadata)) in zip(order, levels).enumerated() {
      do throws(ApusError) {
        let (extent, stride) = dimensions[dimension]
        let children = try Self.children(metadata, extent: extent, isInBlock: dimension >= shape.rank, nodes)
        switch children {
        case .dense(let count): nodes *= count
        case .compressed(_, let indices): nodes = indices.count
        }
        checked.append(Level(children: children, stride: stride))
      } catch {
        throw error.at("level \(level) of its sparse encoding")
      }
    }
    self.levels = checked
    leafCount = nodes
  }

  /// Dimensions of the tensor come first, each once, then those of the blocks, each once.
  private static func check(
    _ order: [Int], _ blockMap: [Int], _ levelCount: Int, rank: Int, _ table: FlatBufferTable
  ) throws(ApusError) {
    let isAscending = zip(blockMap, blockMap.dropFirst()).allSatisfy { $0 < $1 }
    guard isAscending, blockMap.allSatisfy({ 0..<rank ~= $0 }) else {
      throw table.error(
        1, "block_map", "blocks along the dimensions \(blockMap.prefix(8))",
        expected: "some of the \(rank) of the tensor, in ascending order")
    }
    let count = rank + blockMap.count
    guard order.prefix(rank).sorted() == Array(0..<rank),
      order.dropFirst(rank).sorted() == Array(rank..<count)
    else {
      throw table.error(
        0, "traversal_order", "the dimensions \(order.prefix(16))",
        expected: "0..<\(rank), each once, and then \(rank)..<\(count), each once")
    }
    guard levelCount == count else {
      throw table.error(
        2, "dim_metadata", "\(levelCount) levels", expected: "\(count), one for each dimension")
    }
  }

  /// The extent of each dimension, and how far apart its neighbours are in the dense tensor.
  private static func dimensions(
    _ order: [Int], _ blockMap: [Int], _ levels: [FlatBufferTable], _ shape: Shape, _ table: FlatBufferTable
  ) throws(ApusError) -> [(extent: Int, stride: Int)] {
    var dimensions = zip(shape.dimensions, shape.strides).map { (extent: $0, stride: $1) }
    let rank = shape.rank
    let inside = blockMap.map { (extent: 0, stride: shape.strides[$0]) }
    dimensions += inside
    for (level, dimension) in order.enumerated().dropFirst(rank) {
      let size = try levels[level].int(1, "dense_size")
      let axis = blockMap[dimension - rank]
      guard size > 0, shape[axis].isMultiple(of: size) else {
        throw levels[level].error(
          1, "dense_size", "blocks of \(size) along dimension \(axis) of shape \(shape)",
          expected: "a size that divides \(shape[axis])")
      }
      dimensions[dimension].extent = size
      dimensions[axis].extent /= size
      // At most the elements of the tensor, unless it has none, and then no place in it is asked for.
      dimensions[axis].stride &*= size
    }
    return dimensions
  }

  /// - Parameter nodes: of the level above.
  private static func children(
    _ table: FlatBufferTable, extent: Int, isInBlock: Bool, _ nodes: Int
  ) throws(ApusError) -> Children {
    let format = try table.integer(0, "format", default: 0 as Int8)
    switch format {
    case 0:
      let size = try table.int(1, "dense_size")
      guard size == extent else {
        throw table.error(1, "dense_size", "\(size) indices", expected: "\(extent), as the shape says")
      }
      return .dense(extent)
    case 1 where isInBlock:
      throw table.error(0, "format", "blocks that are sparse themselves", expected: "dense ones")
    case 1:
      let segments = try TFLiteIndexVector(table, 3, "array_segments")
      let indices = try TFLiteIndexVector(table, 5, "array_indices")
      try check(segments, indices, extent: extent, nodes, table)
      return .compressed(segments: segments, indices: indices)
    default: throw table.error(0, "format", "unknown format \(format)", expected: "0 or 1")
    }
  }

  private static func check(
    _ segments: TFLiteIndexVector, _ indices: TFLiteIndexVector, extent: Int, _ nodes: Int,
    _ table: FlatBufferTable
  ) throws(ApusError) {
    guard segments.count == nodes + 1 else {
      throw table.error(
        3, "array_segments", "\(segments.count) bounds of segments",
        expected: "\(nodes + 1) for \(nodes) nodes")
    }
    guard segments[0] == 0, segments[nodes] == indices.count else {
      throw table.error(
        3, "array_segments", "segments from \(segments[0]) to \(segments[nodes])",
        expected: "from 0 to \(indices.count), as there are so many indices")
    }
    for node in 0..<nodes {
      let (start, end) = (segments[node], segments[node + 1])
      guard start <= end, end <= indices.count else {
        throw table.error(
          3, "array_segments", "segment \(node) from \(start) to \(end)",
          expected: "bounds that do not descend, up to \(indices.count)")
      }
      var previous = -1
      for position in start..<end {
        let index = indices[position]
        guard index > previous, index < extent else {
          throw table.error(
            5, "array_indices", "index \(index) after \(previous) in segment \(node)",
            expected: "ascending ones below \(extent)")
        }
        previous = index
      }
    }
  }
}
