import Foundation
import Graph
import Kernels
import TensorCore
import TestSupport

/// A linear layer with random operands, and what it gives in double precision.
struct LinearCase {
  var shape: [Int]
  var columns: [Int]
  var storage: DataType = .float32
  var hasBias = true
  var activation: Activation = .none
  var precision: Precision = .float32
  var kernels: KernelSet = .best
  var threads = 1
  var store: PackedWeightStore?
  /// Whether the weights are turned round before the layer gets them.
  var weightsAreTransposed = false

  var depth: Int { shape.last ?? 1 }
  var rows: Int { shape.dropLast().reduce(1, *) }

  /// A random case: x, and for each part weights and bias.
  struct Operands {
    var x: Tensor
    var weights: [Tensor]
    var biases: [Tensor]
  }

  func operands(_ random: inout SeededRandom) throws -> Operands {
    let x = try Tensor(random.floats(rows * depth), shape: Shape(shape))
    var operands = Operands(x: x, weights: [], biases: [])
    for count in columns {
      operands.weights.append(
        try Self.stored(random.floats(count * depth), [count, depth], as: storage, &random))
      let biasType: DataType = storage == .int8 ? .float32 : storage
      operands.biases.append(try Self.stored(random.floats(count), [count], as: biasType, &random))
    }
    return operands
  }

  /// The graph of the layer alone.
  func graph(_ operands: Operands) throws -> Graph {
    var builder = GraphBuilder()
    let x = builder.input("x", operands.x.type)
    let weights = try operands.weights.map {
      builder.constant("w", weightsAreTransposed ? try Self.transposed($0) : $0)
    }
    let biases = hasBias ? operands.biases.map { builder.constant("b", $0) } : []
    let linear = Linear(
      parts: columns.count, hasBias: hasBias, activation: activation,
      weightsAreTransposed: weightsAreTransposed)
    builder.output(
      try builder.add(linear, [x] + weights + biases, results: [.init("y")], label: "linear")[0])
    return builder.graph
  }

  func compile(_ operands: Operands) throws -> CompiledModel {
    var options = CompileOptions()
    options.precision = precision
    options.kernels = kernels
    options.threads = threads
    options.packedWeights = store
    return try Compiler.compile(graph(operands), options)
  }

  func run(_ operands: Operands) throws -> [Float] {
    try compile(operands).run([operands.x])[0].elements()
  }

  /// The result in double precision, from the stored weights.
  func expected(_ operands: Operands) throws -> [Double] {
    let x = try operands.x.elements(of: Float.self).map(Double.init)
    let weights = try operands.weights.flatMap(Self.reals)
    let biases = try operands.biases.flatMap(Self.reals)
    let total = columns.reduce(0, +)
    var result = [Double](repeating: 0, count: rows * total)
    for row in 0..<rows {
      for column in 0..<total {
        var sum = hasBias ? biases[column] : 0
        for k in 0..<depth { sum += x[row * depth + k] * weights[column * depth + k] }
        result[row * total + column] = activation.exact(sum)
      }
    }
    return result
  }

  /// Random numbers as a tensor of a type that weights may have.
  static func stored(
    _ values: [Float], _ shape: [Int], as type: DataType, _ random: inout SeededRandom
  ) throws -> Tensor {
    let shape = try Shape(shape)
    switch type {
    case .float16, .bfloat16:
      let bits = values.map {
        type == .float16 ? Float16($0).bitPattern : UInt16(truncatingIfNeeded: $0.bitPattern >> 16)
      }
      return try Tensor(bits, shape: shape).reinterpreted(as: TensorType(type, shape))
    case .int8:
      let scales = random.floats(shape[0], 0.001...0.01)
      let quantization = try Quantization(
        scales: scales, zeroPoints: Array(repeating: 0, count: shape[0]), axis: 0)
      let integers = values.map { Int8(($0 * 127).rounded()) }
      return try Tensor(integers, shape: shape, quantization: quantization)
    default: return try Tensor(values, shape: shape)
    }
  }

  /// The transpose of stored weights, their scales along its columns.
  static func transposed(_ tensor: Tensor) throws -> Tensor {
    let (rows, columns, size) = (tensor.shape[0], tensor.shape[1], tensor.dataType.byteCount)
    let quantization = try tensor.quantization.map {
      try Quantization(scales: $0.scales, zeroPoints: $0.zeroPoints, axis: $0.isPerChannel ? 1 : nil)
    }
    let type = TensorType(tensor.dataType, try Shape([columns, rows]), quantization: quantization)
    return try Tensor(type) { target in
      tensor.withBytes { source in
        for index in 0..<rows * columns {
          let place = (index % columns * rows + index / columns) * size
          for byte in 0..<size { target[place + byte] = source[index * size + byte] }
        }
      }
    }
  }

  /// What stored elements stand for.
  static func reals(_ tensor: Tensor) throws -> [Double] {
    guard tensor.dataType == .int8, let scales = tensor.quantization?.scales else {
      return try tensor.floats().map(Double.init)
    }
    let depth = tensor.shape[1]
    return try tensor.elements(of: Int8.self).enumerated().map { index, value in
      Double(value) * Double(scales[scales.count == 1 ? 0 : index / depth])
    }
  }
}

extension Activation {
  /// The function in double precision.
  func exact(_ x: Double) -> Double {
    switch self {
    case .none: x
    case .relu: max(x, 0)
    case .reluN1To1: min(max(x, -1), 1)
    case .relu6: min(max(x, 0), 6)
    case .tanh: Foundation.tanh(x)
    case .gelu(.exact): 0.5 * x * erfc(-x / 2.0.squareRoot())
    case .gelu(.tanh):
      0.5 * x * (1 + Foundation.tanh((2 / Double.pi).squareRoot() * (x + 0.044715 * x * x * x)))
    case .gelu(.sigmoid): x / (1 + exp(-1.702 * x))
    case .swish: x / (1 + exp(-x))
    case .hardSwish: x * min(6, max(0, x + 3)) / 6
    }
  }
}
