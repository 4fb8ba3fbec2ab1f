import Graph
import TensorCore

/// Weights in blocks along each column, with a scale and a zero point for each block: numbers of 2, 4 or 8 bits, the first in
/// the lowest bits of a byte.
struct BlockQuantization: Sendable {
  private let columns: Int
  private let depth: Int
  private let bits: Int
  private let size: Int

  init(columns: Int, depth: Int, bits: Int, size: Int) throws(ApusError) {
    guard (1...(1 << 24)).contains(columns), (1...(1 << 24)).contains(depth), [2, 4, 8].contains(bits),
      (16...(1 << 16)).contains(size), size & (size - 1) == 0
    else {
      throw ApusError(
        .unsupportedModel, "\(columns) columns of \(depth) numbers of \(bits) bits in blocks of \(size)",
        expected: "2, 4 or 8 bits, and blocks of a power of two from 16 on")
    }
    (self.columns, self.depth, self.bits, self.size) = (columns, depth, bits, size)
  }

  private var blocks: Int { (depth + size - 1) / size }
  private var blockBytes: Int { size * bits / 8 }
  /// Bytes of the zero points of a column.
  private var zeroBytes: Int { (blocks * bits + 7) / 8 }

  /// - Parameters:
  ///   - stored: bytes [columns, blocks, bytes of a block].
  ///   - scales: one for each block.
  ///   - zeros: packed as the weights are, or one float for each block; half the range where there are none.
  func weights(_ stored: Tensor, _ scales: Tensor, zeros: Tensor?) throws(ApusError) -> Tensor {
    let packed = zeros?.dataType == .uint8
    guard stored.dataType == .uint8, stored.shape.elementCount == columns * blocks * blockBytes,
      scales.shape.elementCount == columns * blocks,
      zeros.map({ $0.shape.elementCount == columns * (packed ? zeroBytes : blocks) }) ?? true
    else {
      throw ApusError(
        .malformedModel, "weights \(stored.type), scales \(scales.type)",
        expected: "\(columns) columns of \(blocks) blocks of \(blockBytes) bytes of uint8")
    }
    let type = TensorType(.float32, try Shape([columns, depth]))
    _ = try (scales.checkedFloats(), packed ? nil : zeros?.checkedFloats())
    let layout = self
    let derivation = Derivation(
      from: [stored, scales] + (zeros.map { [$0] } ?? []), rule: [columns, depth, bits, size],
      isTransient: true
    ) { target in
      guard let scales = try? scales.floats() else { return }
      let points = layout.points(zeros)
      layout.fill(target.bindMemory(to: Float.self), stored, scales, points)
    }
    return try Tensor(type, storage: TensorStorage(byteCount: type.byteCount, derivedBy: derivation))
  }

  /// The zero point of each block.
  private func points(_ zeros: Tensor?) -> [Float] {
    guard let zeros else { return [Float](repeating: Float(1 << (bits - 1)), count: columns * blocks) }
    if zeros.dataType != .uint8 { return (try? zeros.floats()) ?? [] }
    return zeros.withBytes { bytes in
      (0..<(columns * blocks)).map { index in
        let (column, block) = index.quotientAndRemainder(dividingBy: blocks)
        return Float(number(bytes, from: column * zeroBytes, block))
      }
    }
  }

  /// A number of the few bits.
  @inline(__always)
  private func number(_ bytes: UnsafeRawBufferPointer, from start: Int, _ index: Int) -> UInt8 {
    let bit = index * bits
    return bytes[start + bit / 8] >> UInt8(bit % 8) & UInt8(truncatingIfNeeded: (1 << bits) - 1)
  }

  private func fill(
    _ target: UnsafeMutableBufferPointer<Float>, _ stored: Tensor, _ scales: [Float], _ points: [Float]
  ) {
    stored.withBytes { bytes in
      for column in 0..<columns {
        for index in 0..<depth {
          let block = column * blocks + index / size
          let steps = Float(number(bytes, from: block * blockBytes, index % size)) - points[block]
          target[column * depth + index] = steps * scales[block]
        }
      }
    }
  }
}

extension Tensor {
  /// - Throws: ``ApusError`` where elements are of no float type of at most 32 bits.
  fileprivate func checkedFloats() throws(ApusError) {
    guard [.float32, .float16, .bfloat16].contains(dataType) else {
      throw ApusError(.malformedModel, "a tensor of \(dataType.rawValue)", expected: "float32 or float16")
    }
  }
}
