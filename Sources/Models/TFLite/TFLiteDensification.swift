import Formats
import TensorCore

/// Spreads the stored elements of a sparse tensor out among zeros. What is not stored is zero in memory, whatever the
/// zero point, as for TFLite.
struct TFLiteDensification<Word: BitwiseCopyable> {
  private let levels: [TFLiteSparsity.Level]
  private let source: UnsafeRawPointer
  private let target: UnsafeMutableRawPointer

  /// - Parameters:
  ///   - source: as many elements as the encoding has leaves, at any address.
  ///   - target: zeros, as many as the tensor has elements against whose shape the encoding was verified.
  static func run(
    _ sparsity: TFLiteSparsity, from source: UnsafeRawPointer, to target: UnsafeMutableRawPointer
  ) {
    // With elements, every node has a place in the tensor. Without, dense levels above one of extent 0 may have any number.
    guard sparsity.leafCount > 0 else { return }
    Self(levels: sparsity.levels, source: source, target: target).visit(0, node: 0, at: 0)
  }

  private init(
    levels: [TFLiteSparsity.Level], source: UnsafeRawPointer, target: UnsafeMutableRawPointer
  ) {
    (self.levels, self.source, self.target) = (levels, source, target)
  }

  /// Goes through the children on a level of a node that stands at a place of the dense tensor.
  private func visit(_ level: Int, node: Int, at place: Int) {
    guard level < levels.count else { return put(node, at: place) }
    let stride = levels[level].stride
    let isLast = level + 1 == levels.count
    switch levels[level].children {
    case .dense(let count):
      for index in 0..<count {
        let (child, childPlace) = (node * count + index, place + index * stride)
        if isLast { put(child, at: childPlace) } else { visit(level + 1, node: child, at: childPlace) }
      }
    case .compressed(let segments, let indices):
      for child in segments[node]..<segments[node + 1] {
        let childPlace = place + indices[child] * stride
        if isLast { put(child, at: childPlace) } else { visit(level + 1, node: child, at: childPlace) }
      }
    }
  }

  private func put(_ leaf: Int, at place: Int) {
    let width = MemoryLayout<Word>.size
    let element = source.loadUnaligned(fromByteOffset: leaf * width, as: Word.self)
    target.storeBytes(of: element, toByteOffset: place * width, as: Word.self)
  }
}
