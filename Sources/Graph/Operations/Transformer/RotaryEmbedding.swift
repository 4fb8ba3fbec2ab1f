import Kernels
import TensorCore

/// Some heads of each row turned by the angles of its position: feature i of a head and feature i of its second half
/// are a point of the plane.
///
/// Operands: x float32 [T, …], whose `heads` · `headWidth` columns from `offset` on are heads; and what ``RotaryAngles`` makes of the
/// positions, float32 [T, headWidth]. Result: float32 [T, heads · headWidth], `a · cos − b · sin` in the first half of a
/// head with the halves a and b, `b · cos + a · sin` in the second.
///
/// Source: Su et al. 2021, "RoFormer: Enhanced Transformer with Rotary Position Embedding", section 3.4.2, with the pairs of
/// transformers, half a head apart.
package struct RotaryEmbedding: Operation {
  package let heads: Int
  /// Columns of one head: an even number.
  package let headWidth: Int
  /// The first column of the first head.
  package let offset: Int
  package var name: String { "rotaryEmbedding" }

  package init(heads: Int, headWidth: Int, offset: Int = 0) {
    self.heads = heads
    self.offset = offset
    self.headWidth = headWidth
  }

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    try operands.requireCount(2...2)
    let (width, overflow) = heads.multipliedReportingOverflow(by: headWidth)
    guard heads > 0, headWidth > 0, headWidth % 2 == 0, !overflow else {
      throw ApusError(
        .malformedModel, "\(heads) heads of width \(headWidth)",
        expected: "at least one head of an even width")
    }
    let rows = try operands.input(0, of: [.float32], rank: 2).shape
    guard offset >= 0, rows[1] >= width, offset <= rows[1] - width else {
      throw ApusError(
        .malformedModel, "\(Operands.place(0, nil)) has shape \(rows)",
        expected: "\(width) columns or more from \(offset) on")
    }
    let angles = try operands.input(1, "the angles", of: [.float32], rank: 2).shape
    guard angles.dimensions == [rows[0], headWidth] else {
      throw ApusError(
        .malformedModel, "\(Operands.place(1, "the angles")) has shape \(angles)",
        expected: "[\(rows[0]), \(headWidth)]")
    }
    return [try operands.result(try Shape([rows[0], width]), of: .float32)]
  }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let shape = try context.operands.input(0).shape
    let (count, columns) = (shape[0], shape[1])
    let (heads, width, offset) = (heads, headWidth, offset)
    return Lowering("\(name) float32") { arguments in
      guard let source = arguments.inputAddress(0)?.assumingMemoryBound(to: Float.self),
        let angles = arguments.inputAddress(1)?.assumingMemoryBound(to: Float.self)
      else { return }
      let result = arguments.outputAddress(0).assumingMemoryBound(to: Float.self)
      // About a nanosecond for eight features.
      ThreadPool.shared.parallel(
        count: count, nanosecondsPerItem: heads * width / 8 + 1, threads: arguments.threads
      ) { rows, _ in
        for row in rows {
          for head in 0..<heads {
            Self.turn(
              source + row * columns + offset + head * width, by: angles + row * width,
              to: result + (row * heads + head) * width, half: width / 2)
          }
        }
      }
    }
  }

  /// One head, in vectors of eight while they last.
  private static func turn(
    _ source: UnsafePointer<Float>, by angles: UnsafePointer<Float>, to result: UnsafeMutablePointer<Float>,
    half: Int
  ) {
    var index = 0
    while index + 8 <= half {
      let (a, b) = (vector(source + index), vector(source + half + index))
      let (cosines, sines) = (vector(angles + index), vector(angles + half + index))
      store(a * cosines - b * sines, result + index)
      store(b * cosines + a * sines, result + half + index)
      index += 8
    }
    while index < half {
      let (a, b) = (source[index], source[half + index])
      let (cosine, sine) = (angles[index], angles[half + index])
      result[index] = a * cosine - b * sine
      result[half + index] = b * cosine + a * sine
      index += 1
    }
  }

  @inline(__always)
  private static func vector(_ address: UnsafePointer<Float>) -> SIMD8<Float> {
    UnsafeRawPointer(address).loadUnaligned(as: SIMD8<Float>.self)
  }

  @inline(__always)
  private static func store(_ vector: SIMD8<Float>, _ address: UnsafeMutablePointer<Float>) {
    UnsafeMutableRawPointer(address).storeBytes(of: vector, as: SIMD8<Float>.self)
  }
}
