import CLibrary
import Kernels
import TensorCore

/// The cosines and sines by which ``RotaryEmbedding`` turns the features of a head at each position.
///
/// Operand: positions int32 [T]. Result: float32 [T, headWidth], of each row the cosines of position · frequency, then
/// the sines; pair i of headWidth / 2 has the frequency 1 / base^(2i / headWidth). Frequencies and their products are
/// rounded to float32, as transformers computes them: at thousands of positions the angles of more exact ones are others.
///
/// Source: Su et al. 2021, "RoFormer: Enhanced Transformer with Rotary Position Embedding", section 3.2.2.
package struct RotaryAngles: Operation {
  /// Features of a head: an even number.
  package let headWidth: Int
  /// What the frequencies are powers of, often called theta.
  package let base: Float
  package var name: String { "rotaryAngles" }

  package init(headWidth: Int, base: Float) {
    self.headWidth = headWidth
    self.base = base
  }

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    try operands.requireCount(1...1)
    guard headWidth > 0, headWidth % 2 == 0 else {
      throw ApusError(.malformedModel, "heads of width \(headWidth)", expected: "a positive even number")
    }
    guard base > 0, base.isFinite else {
      throw ApusError(.malformedModel, "the base \(base)", expected: "a finite number above 0")
    }
    let positions = try operands.input(0, "the positions", of: [.int32], rank: 1).shape
    return [try operands.result(try Shape([positions[0], headWidth]), of: .float32)]
  }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let (frequencies, width) = (frequencies, headWidth)
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
            cosines[index] = cosf(position * frequency)
            sines[index] = sinf(position * frequency)
          }
        }
      }
    }
  }

  private var frequencies: [Float] {
    (0..<headWidth / 2).map { 1 / powf(base, Float(2 * $0) / Float(headWidth)) }
  }
}
