import Graph
import TensorCore

/// Attention of one sequence to itself, queries, keys and values side by side as linear layers leave them.
enum AttentionCases {
  static let shapes = [
    KernelShape(.attention, 50, 12, 64), KernelShape(.attention, 197, 12, 64),
    KernelShape(.attention, 128, 12, 32), KernelShape(.attention, 1024, 16, 72),
  ]

  static func cases(_ shape: KernelShape, threads: Int) throws(ApusError) -> [KernelCase] {
    let (tokens, heads, headWidth) = (shape.extents[0], shape.extents[1], shape.extents[2])
    let width = heads * headWidth
    let matrix = try Shape([tokens, 3 * width])
    let segments = try Tensor([0, Int32(clamping: tokens)], shape: .vector(2))
    return Arithmetic.available.filter { $0 != .int8 }.map { arithmetic in
      let work = KernelWork(
        .operations(4 * Double(tokens) * Double(tokens) * Double(width), arithmetic),
        byteCount: 4 * (matrix.elementCount + tokens * width), writing: 4 * tokens * width)
      return KernelCase(
        family: shape.family, shape: shape.description, detail: arithmetic.rawValue, work: work,
        threads: threads
      ) { () throws(ApusError) in
        let rows = try RandomElements.floats(matrix)
        // The three operands are one matrix in models; here each is a copy of its own.
        return try SingleNode(
          operation: Attention(
            heads: heads, headWidth: headWidth, scale: 1 / Float(headWidth).squareRoot(), isCausal: false,
            queryOffset: 0, keyOffset: width, valueOffset: 2 * width),
          operands: [
            .input(rows), .input(rows), .input(rows), .constant(segments), .constant(segments),
          ], precision: arithmetic.precision
        ).variants(arithmetic.family, threads: threads)
      }
    }
  }
}
