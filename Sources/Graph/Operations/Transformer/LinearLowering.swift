import Foundation
import Kernels
import TensorCore

extension Linear {
  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let operands = context.operands
    let input = try operands.input(0).shape
    let depth = input.dimensions.last ?? 1
    let format = WeightFormat(context.precision, depth: depth, context.kernels)
    let product = DenseProduct(
      try packedWeights(operands, depth: depth, format, context), format,
      isRectified: activation == .relu, kernels: context.kernels)
    let rows = input.elementCount / depth
    let residualIndex = addsResidual ? residualIndex : nil
    let activation = activation
    let scratch = product.scratchByteCount(rows: rows, threads: context.threads)
    return Lowering(product.name, scratchByteCount: scratch) { arguments in
      guard let input = arguments.inputAddress(0) else { return }
      let result = arguments.outputAddress(0)
      let residual = residualIndex.flatMap { arguments.inputAddress($0) }
      product.multiply(
        .init(input: input, result: result, residual: residual?.assumingMemoryBound(to: Float.self)),
        rows: rows, scratch: arguments.scratch, threads: arguments.threads)
      activation.apply(to: arguments.output(0, as: Float.self))
    }
  }

  private func packedWeights(
    _ operands: Operands, depth: Int, _ format: WeightFormat, _ context: LoweringContext
  ) throws(ApusError) -> PackedMatrix {
    var columns: [StoredColumns] = []
    var tensors: [Tensor] = []
    var bias: [Float] = []
    for index in 0..<parts {
      let part = try LinearPart(operands, index, of: self, depth: depth)
      let weights = try part.constant(operands)
      tensors.append(weights)
      columns.append(
        StoredColumns(
          weights.bytes, weights.dataType, count: part.columns, scales: part.scales(weights)))
      bias += try part.bias(operands) ?? Array(repeating: 0, count: part.columns)
    }
    defer { withExtendedLifetime(tensors) {} }
    return try .linear(columns, depth: depth, bias: hasBias ? bias : nil, format: format, kernels: context.kernels, threads: context.threads)
  }
}

extension WeightFormat {
  /// The format of a linear layer's products at a precision.
  init(_ precision: Precision, depth: Int, _ kernels: KernelSet) {
    switch precision {
    case .float32: self = .float32
    case .bfloat16: self = kernels.linear.hasBFloat16Products ? .bfloat16 : .float32
    // Sums of 255 × 128 × depth must fit 32 bits.
    case .int8: self = depth <= 65_000 ? .int8 : .float32
    }
  }
}

extension LinearActivation {
  /// Applies the function to every element.
  func apply(to elements: UnsafeMutableBufferPointer<Float>) {
    switch self {
    case .none: break
    case .relu: for index in elements.indices where elements[index] < 0 { elements[index] = 0 }
    case .tanh: for index in elements.indices { elements[index] = Foundation.tanhf(elements[index]) }
    case .gelu(let form):
      for index in elements.indices { elements[index] = form.apply(elements[index]) }
    }
  }
}

extension GeluForm {
  func apply(_ x: Float) -> Float {
    switch self {
    case .exact: 0.5 * x * Foundation.erfcf(x * -Float(0.5.squareRoot()))
    case .tanh: 0.5 * x * (1 + Foundation.tanhf(0.797884560802865 * (x + 0.044715 * x * x * x)))
    case .sigmoid: x / (1 + Foundation.expf(-1.702 * x))
    }
  }
}
