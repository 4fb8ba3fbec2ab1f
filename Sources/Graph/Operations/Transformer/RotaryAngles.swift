import CLibrary
import Kernels
import TensorCore

/// The cosines and sines by which ``RotaryEmbedding`` turns the features of a head at each position.
///
/// Operand: positions int32 [T]. Result: float32 [T, headWidth], of each row the cosines of position · frequency, then
/// the sines, both times a factor. Frequencies and their products are rounded to float32, as transformers computes them:
/// at thousands of positions the angles of more exact ones are others.
///
/// Source: Su et al. 2021, "RoFormer: Enhanced Transformer with Rotary Position Embedding", section 3.2.2.
package struct RotaryAngles: Operation {
  /// Of each pair of features of a head.
  package let frequencies: [Float]
  /// What cosines and sines are multiplied by.
  package let factor: Float
  /// Features of a head: an even number.
  package let headWidth: Int
  package var name: String { "rotaryAngles" }

  package init(_ frequencies: [Float], factor: Float = 1) {
    self.frequencies = frequencies
    self.factor = factor
    headWidth = 2 * frequencies.count
  }

  /// The usual frequencies: 1 / base^(2i / headWidth) of pair i.
  /// - Parameter base: often called theta.
  package init(headWidth: Int, base: Float) {
    frequencies = Self.powers(headWidth: headWidth, base: base).map { 1 / $0 }
    factor = 1
    self.headWidth = headWidth
  }

  /// base^(2i / headWidth) of each pair i, rounded to float32.
  package static func powers(headWidth: Int, base: Float) -> [Float] {
    (0..<max(headWidth, 0) / 2).map { powf(base, Float(2 * $0) / Float(headWidth)) }
  }

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    try operands.requireCount(1...1)
    guard headWidth > 0, headWidth % 2 == 0 else {
      throw ApusError(.malformedModel, "heads of width \(headWidth)", expected: "a positive even number")
    }
    guard factor.isFinite, frequencies.allSatisfy({ $0 > 0 && $0.isFinite }) else {
      throw ApusError(
        .malformedModel, "frequencies of rotary positions", expected: "finite numbers above 0")
    }
    let positions = try operands.input(0, "the positions", of: [.int32], rank: 1).shape
    return [try operands.result(try Shape([positions[0], headWidth]), of: .float32)]
  }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let (frequencies, factor, width) = (frequencies, factor, headWidth)
    return Lowering("\(name) float32") { arguments in
      let positions = arguments.input(0, as: Int32.self)
      let result = arguments.outputAddress(0).assumingMemoryBound(to: Float.self)
      // About ten nanoseconds for each function.
      ThreadPool.shared.parallel(
        count: positions.count, nanosecondsPerItem: 10 * width, threads: arguments.threads
      ) { rows, _ in
        for row in rows {
          let position = Float(positions[row])
          let cosines = result + row * width
          let sines = cosines + frequencies.count
          for (index, frequency) in frequencies.enumerated() {
            cosines[index] = cosf(position * frequency) * factor
            sines[index] = sinf(position * frequency) * factor
          }
        }
      }
    }
  }
}
