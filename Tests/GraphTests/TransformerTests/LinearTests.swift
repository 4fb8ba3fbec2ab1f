import Graph
import Kernels
import TensorCore
import TestSupport
import Testing

/// Linear layers against sums in double precision.
@Suite struct LinearTests {
  static let activations: [Activation] = [
    .none, .relu, .tanh, .gelu(.exact), .gelu(.tanh), .gelu(.sigmoid), .swish, .hardSwish,
  ]

  @Test(arguments: [DataType.float32, .float16, .bfloat16, .int8])
  func everyStoredType(_ storage: DataType) throws {
    var random = SeededRandom()
    for (shape, columns) in [
      ([1, 5], [3]), ([2, 3, 7], [16, 33]), ([50, 64], [32, 32, 32]), ([13, 130], [70, 1]),
    ] {
      for hasBias in [true, false] {
        let test = LinearCase(shape: shape, columns: columns, storage: storage, hasBias: hasBias)
        try expectClose(test, 1e-5, &random)
      }
    }
  }

  @Test(arguments: activations)
  func everyActivation(_ activation: Activation) throws {
    var random = SeededRandom()
    for columns in [[5], [32], [47]] {
      try expectClose(LinearCase(shape: [14, 40], columns: columns, activation: activation), 2e-5, &random)
    }
  }

  /// Kernels of rows limit results from below alone.
  @Test func otherClampsAreRefused() throws {
    let (x, weights) = (try floats([1, 2], [1, 2]), try floats([3, 4], [1, 2]))
    for activation in [Activation.relu6, .reluN1To1] {
      let error = try refusal(Linear(hasBias: false, activation: activation), [x, weights])
      #expect(error.problem == "the activation \(activation.name) of a linear layer")
    }
  }

  /// Each element of a result is off by no more than the roundings of its operands can add up to.
  @Test(arguments: [Precision.bfloat16, .int8], KernelSet.available.map(\.name))
  func everyPrecision(_ precision: Precision, _ name: String) throws {
    var random = SeededRandom()
    let kernels = try KernelSet.named(name)
    guard precision.isAvailable(with: kernels) else { return }
    for (shape, columns) in [
      ([1, 5], [3]), ([7, 65], [16, 33]), ([50, 64], [32, 32]), ([1200, 37], [40, 1]),
    ] {
      for storage in [DataType.float32, .float16, .bfloat16, .int8] {
        for threads in [1, 2] {
          let test = LinearCase(
            shape: shape, columns: columns, storage: storage, precision: precision, kernels: kernels,
            threads: threads)
          try expectClose(test, 0.012 * Double(test.depth).squareRoot(), &random)
        }
      }
    }
  }

  /// Weights stored [K, O] give the numbers of those stored [O, K], bit for bit.
  @Test(arguments: Precision.allCases.filter(\.isAvailable), [DataType.float32, .float16, .bfloat16, .int8])
  func eitherOrderOfWeights(_ precision: Precision, _ storage: DataType) throws {
    var random = SeededRandom()
    for (shape, columns) in [([1, 5], [3]), ([7, 65], [16, 33]), ([13, 32], [32]), ([9, 130], [70, 1])] {
      for activation in [Activation.none, .gelu(.exact)] {
        var test = LinearCase(
          shape: shape, columns: columns, storage: storage, activation: activation, precision: precision)
        let operands = try test.operands(&random)
        let wanted = try test.run(operands)
        test.weightsAreTransposed = true
        #expect(try test.run(operands) == wanted, "\(test) seed \(random.seed)")
      }
    }
  }

  /// A column of weights that are not all finite gives NaN in int8, and no other column does, in either order.
  @Test(arguments: KernelSet.available.map(\.name))
  func columnsThatAreNotFinite(_ name: String) throws {
    var random = SeededRandom()
    for columns in [3, 40] {
      var test = LinearCase(
        shape: [2, 9], columns: [columns], precision: .int8, kernels: try KernelSet.named(name))
      var operands = try test.operands(&random)
      var elements = try operands.weights[0].elements(of: Float.self)
      elements[2 * 9 + 8] = .nan
      elements[1 * 9] = .infinity
      operands.weights[0] = try Tensor(elements, shape: operands.weights[0].shape)
      for isTransposed in [false, true] {
        test.weightsAreTransposed = isTransposed
        for (index, result) in try test.run(operands).enumerated() {
          #expect(result.isNaN == [1, 2].contains(index % columns), "\(name) \(columns) \(index)")
        }
      }
    }
  }

  /// A square matrix is not taken for its transpose, which has the same elements in the same place.
  @Test func packedWeightsAreOfOneOrder() throws {
    var random = SeededRandom()
    var test = LinearCase(shape: [3, 20], columns: [20], store: PackedWeightStore())
    let operands = try test.operands(&random)
    let wanted = try test.run(operands)
    test.weightsAreTransposed = true
    var turned = operands
    turned.weights = try operands.weights.map(LinearCase.transposed)
    // Twice turned, the layer gets the elements that the first one got.
    let other = try test.run(turned)
    #expect(other != wanted)
    test.store = nil
    #expect(try test.run(turned) == other)
  }

  /// What follows a layer with weights [K, O] becomes part of it as of any other.
  @Test func whatFollowsBecomesPartOfIt() throws {
    var random = SeededRandom()
    for operation in [Gelu(.exact), Tanh()] as [any Operation] {
      var builder = GraphBuilder()
      let x = builder.input("x", TensorType(.float32, try Shape([5, 8])))
      let weights = builder.constant("w", try Tensor(random.floats(48), shape: Shape([8, 6])))
      let residual = builder.input("r", TensorType(.float32, try Shape([5, 6])))
      let layer = Linear(hasBias: false, weightsAreTransposed: true)
      let sums = try builder.add(layer, [x, weights], results: [.init("s")], label: "linear")[0]
      let added = try builder.add(layer, [x, weights], results: [.init("t")], label: "linear")[0]
      builder.output(try builder.add(operation, [sums], results: [.init("y")], label: "function")[0])
      builder.output(try builder.add(Add(), [added, residual], results: [.init("z")], label: "add")[0])
      let inputs = [
        try Tensor(random.floats(40), shape: Shape([5, 8])),
        try Tensor(random.floats(30), shape: Shape([5, 6])),
      ]
      var options = CompileOptions()
      let fused = try Compiler.compile(builder.graph, options)
      options.fusesOperations = false
      let single = try Compiler.compile(builder.graph, options)
      #expect(fused.graph.nodes.count == 2 && single.graph.nodes.count == 4)
      let found = try fused.run(inputs).map { try $0.elements(of: Float.self) }
      let wanted = try single.run(inputs).map { try $0.elements(of: Float.self) }
      for (found, wanted) in zip(found.joined(), wanted.joined()) {
        #expect(abs(found - wanted) <= 1e-6 * max(1, abs(wanted)))
      }
    }
  }

  @Test func weightsOfTheOtherOrderAreRefused() throws {
    for isTransposed in [false, true] {
      let operands = Operands(
        inputs: [
          TensorType(.float32, try Shape([2, 3])),
          TensorType(.float32, try Shape(isTransposed ? [4, 3] : [3, 4])),
        ], constants: [], declared: [])
      let error = #expect(throws: ApusError.self) {
        try Linear(hasBias: false, weightsAreTransposed: isTransposed).outputTypes(operands)
      }
      #expect(error?.expected?.contains(isTransposed ? "[3, outputs]" : "[outputs, 3]") == true)
    }
  }

  private func expectClose(_ test: LinearCase, _ tolerance: Double, _ random: inout SeededRandom) throws {
    let operands = try test.operands(&random)
    let found = try test.run(operands)
    for (found, wanted) in zip(found, try test.expected(operands)) {
      #expect(abs(Double(found) - wanted) <= tolerance * max(1, abs(wanted)), "\(test) seed \(random.seed)")
    }
  }
}
