/// The sparse encoding of a tensor of ``TFLiteModelBuilder``, sound or not.
package struct TFLiteSparsityBuilder {
  package enum Indices {
    case int32([Int32])
    case uint16([UInt16])
    case uint8([UInt8])

    /// The number in the union of the schema.
    package var kind: UInt8 {
      switch self {
      case .int32: 1
      case .uint16: 2
      case .uint8: 3
      }
    }

    package var node: FlatBufferNode {
      switch self {
      case .int32(let values): .table([0: .int32s(values)])
      case .uint16(let values): .table([0: .uint16s(values)])
      case .uint8(let values): .table([0: .bytes(values)])
      }
    }
  }

  /// The metadata of a dimension.
  package enum Level {
    case dense(Int32)
    case compressed(Indices, Indices)
    /// Fields by slot.
    case other([Int: FlatBufferNode])

    fileprivate var node: FlatBufferNode {
      switch self {
      case .dense(let size): .table([1: .int32(size)])
      case .compressed(let segments, let indices):
        .table([
          0: .int8(1), 2: .uint8(segments.kind), 3: segments.node, 4: .uint8(indices.kind), 5: indices.node,
        ])
      case .other(let fields): .table(fields)
      }
    }
  }

  package var order: [Int32]
  package var blockMap: [Int32]
  /// In the order of traversal.
  package var levels: [Level]

  package init(_ order: [Int32], _ levels: [Level], blockMap: [Int32] = []) {
    self.order = order
    self.levels = levels
    self.blockMap = blockMap
  }

  package var node: FlatBufferNode {
    var fields: [Int: FlatBufferNode] = [0: .int32s(order), 2: .vector(levels.map(\.node))]
    if !blockMap.isEmpty { fields[1] = .int32s(blockMap) }
    return .table(fields)
  }
}
