import Graph
import TensorCore
import TestSupport
import Testing

@testable import Models

/// A sparse tensor is never read as a dense one, and a small file makes no huge tensor.
struct TFLiteSparseRefusalTests {
  /// The vector [0, 5, 0, 0].
  private var vector: Builder.Tensor {
    var tensor = Builder.Tensor.constant("v", [4], [5] as [Float])
    tensor.sparsity = .init([0], [.compressed(.uint8([0, 1]), .uint8([1]))])
    return tensor
  }

  private func problem(_ reader: String, tensor: Int) -> String {
    "tensors that Apus does not compute with: tensor \(tensor) 'v'"
      + " (values in a sparse encoding, read by \(reader))"
  }

  @Test func operatorsThatReadDenseTensors() {
    let addition = Builder.oneOperator(
      0, options: Builder.Options(11), inputs: [Builder.Tensor("x", Builder.float32, [4]), vector],
      outputs: [Builder.Tensor("y", Builder.float32, [4])]
    ).refusal()
    #expect(addition?.kind == .unsupportedModel)
    #expect(addition?.problem == problem("operator 0 (ADD)", tensor: 1))
    // As many elements as there are bytes for.
    var full = vector
    full.shape = [1]
    full.sparsity = .init([0], [.compressed(.uint8([0, 1]), .uint8([0]))])
    let same = Builder.oneOperator(
      0, options: Builder.Options(11), inputs: [Builder.Tensor("x", Builder.float32, [1]), full],
      outputs: [Builder.Tensor("y", Builder.float32, [1])])
    #expect(same.refusal()?.problem == problem("operator 0 (ADD)", tensor: 1))
  }

  /// Only as its weights does FULLY_CONNECTED read sparse tensors.
  @Test func inputAndBiasOfALayer() {
    let weights = Builder.Tensor.constant("w", [4, 4], [Float](repeating: 1, count: 16))
    let x = Builder.Tensor("x", Builder.float32, [1, 4])
    func layer(_ inputs: [Builder.Tensor]) -> String? {
      Builder.oneOperator(
        9, options: Builder.Options(8), inputs: inputs,
        outputs: [Builder.Tensor("y", Builder.float32, [1, 4])]
      ).refusal()?.problem
    }
    #expect(layer([vector, weights]) == problem("operator 0 (FULLY_CONNECTED)", tensor: 0))
    #expect(layer([x, weights, vector]) == problem("operator 0 (FULLY_CONNECTED)", tensor: 2))
  }

  @Test func theCaller() {
    var model = SmallModels.sparse
    model.subgraphs[0].outputs = [5, 3]
    let problem = model.refusal()?.problem ?? ""
    #expect(problem.hasSuffix("tensor 3 'blocks' (values in a sparse encoding, read by the caller)"))
  }

  /// Another reader is refused, whatever DENSIFY makes of the same tensor.
  @Test func severalReaders() {
    var model = SmallModels.sparse
    model.codes.append(Builder.Code(101))
    model.subgraphs[0].tensors.append(Builder.Tensor("a", Builder.float32, [2, 2]))
    model.subgraphs[0].operators.append(Builder.Operator(code: 2, inputs: [3], outputs: [6]))
    #expect(model.refusal()?.problem.contains("read by operator 3 (ABS)") == true)
  }

  /// Only of float16 is what DEQUANTIZE reads made dense.
  @Test func dequantizeOfIntegers() {
    var model = SmallModels.sparse
    model.codes[1] = Builder.Code(6)
    model.subgraphs[0].tensors[3].type = Builder.int8
    model.subgraphs[0].tensors[3].data = [3, 4]
    model.subgraphs[0].tensors[3].scales = [1]
    model.subgraphs[0].tensors[3].zeroPoints = [0]
    let problem = model.refusal()?.problem ?? ""
    #expect(
      problem.hasSuffix("tensor 3 'blocks' (values in a sparse encoding, read by operator 1 (DEQUANTIZE))"))
  }

  /// The advice on sparsity is given where nothing else stands in the way.
  @Test func advice() {
    func addition(_ change: (inout Builder.Tensor) -> Void) -> ApusError? {
      var x = Builder.Tensor("x", Builder.float32, [4])
      change(&x)
      return Builder.oneOperator(
        0, options: Builder.Options(11), inputs: [x, vector],
        outputs: [Builder.Tensor("y", Builder.float32, [4])]
      ).refusal()
    }
    let sparse = addition { _ in }
    #expect(sparse?.advice == "Convert the model anew without EXPERIMENTAL_SPARSITY.")
    let both = addition { $0.isVariable = true }
    #expect(both?.problem.contains("a variable") == true)
    #expect(both?.advice == "Export the model with feed-forward builtin operators on numbers only.")
    #expect(matrices(1, 1 << 15).refusal()?.advice == sparse?.advice)
  }

  @Test func whatDensifyDoesNotTake() {
    func densify(_ change: (inout TFLiteModelBuilder) -> Void) -> ApusError? {
      var model = Builder.oneOperator(
        124, inputs: [vector], outputs: [Builder.Tensor("dense", Builder.float32, [4])])
      change(&model)
      return model.refusal()
    }
    #expect(densify { _ in } == nil)
    let dense = densify {
      $0.subgraphs[0].tensors[0] = .constant("v", [4], [0, 5, 0, 0] as [Float])
    }
    #expect(dense?.kind == .malformedModel && dense?.location == "operator 0 (DENSIFY)")
    #expect(dense?.problem == "it reads tensor 0 'v'")
    let int16 = densify {
      $0.subgraphs[0].tensors[0].type = Builder.int16
      $0.subgraphs[0].tensors[0].data = [5, 0]
      $0.subgraphs[0].tensors[1].type = Builder.int16
    }
    #expect(int16?.problem.hasSuffix("tensor 0 'v' (values of INT16 in a sparse encoding)") == true)
    let given = densify {
      $0.subgraphs[0].tensors[0].data = nil
      $0.subgraphs[0].inputs = [0]
    }
    #expect(given?.problem.hasSuffix("tensor 0 'v' (a sparse encoding without values)") == true)
    let declared = densify { $0.subgraphs[0].tensors[1].type = Builder.int32 }
    #expect(declared?.problem == "result 0 is declared as int32[4]")
    let pair = densify { $0.subgraphs[0].operators[0].inputs = [0, 0] }
    #expect(pair?.problem == "2 inputs and 1 outputs")
  }

  /// Scales along an axis are those of the shape that they were declared for.
  @Test func scalesOfAnotherShape() {
    var weights = Builder.Tensor(
      "v", Builder.int8, [2, 4], data: [5, 6], scales: [1, 2], zeroPoints: [0, 0])
    weights.sparsity = .init([0, 1], [.dense(2), .compressed(.uint8([0, 1, 2]), .uint8([1, 3]))])
    func refusal(_ shape: [Int32]) -> ApusError? {
      var dense = Builder.Tensor("dense", Builder.int8, shape, scales: [1, 2], zeroPoints: [0, 0])
      dense.quantizedDimension = shape[0] == 2 ? 0 : 1
      return Builder.oneOperator(124, inputs: [weights], outputs: [dense]).refusal()
    }
    #expect(refusal([2, 4]) == nil)
    #expect(refusal([4, 2])?.problem == "result 0 is declared as int8[4, 2] per channel")
  }

  /// DENSIFY of matrices with one element each.
  private func matrices(_ count: Int32, _ size: Int32) -> TFLiteModelBuilder {
    var model = TFLiteModelBuilder()
    model.codes = [Builder.Code(124)]
    var matrix = Builder.Tensor.constant("m", [size, size], [1] as [Float])
    let level = TFLiteSparsityBuilder.Level.compressed(.uint8([0, 1]), .int32([size - 1]))
    matrix.sparsity = .init([0, 1], [level, level])
    let dense = Builder.Tensor("dense", Builder.float32, [size, size])
    model.subgraphs = [
      Builder.Subgraph(
        tensors: (0..<count).flatMap { _ in [matrix, dense] }, inputs: [],
        outputs: (0..<count).map { 2 * $0 + 1 },
        operators: (0..<count).map { Builder.Operator(inputs: [2 * $0], outputs: [2 * $0 + 1]) })
    ]
    return model
  }

  @Test func aSmallFileMakesNoHugeTensor() throws {
    let refusal = matrices(1, 1 << 15).refusal()
    #expect(refusal?.kind == .unsupportedModel)
    #expect(refusal?.problem == "a sparse tensor of 4294967296 bytes once it is dense")
    #expect(refusal?.location == "operator 0 (DENSIFY): tensor 0 'm'")
    #expect(refusal?.expected == "at most 268435456, what is left of 268435456")
    // Of 64 MiB each.
    let graph = try matrices(4, 1 << 12).importer().graph()
    #expect(graph.outputs.count == 4 && graph.nodes.isEmpty)
    let several = matrices(5, 1 << 12).refusal()
    #expect(several?.location == "operator 4 (DENSIFY): tensor 8 'm'")
    #expect(several?.expected == "at most 0, what is left of 268435456")
  }

  /// Dense levels above one of extent 0 have any number of nodes, but no elements.
  @Test(.timeLimit(.minutes(20)), arguments: [[1 << 30, 0], [1 << 20, 1 << 20, 0]] as [[Int32]])
  func aTensorWithoutElementsTakesNoTime(_ shape: [Int32]) throws {
    var empty = Builder.Tensor("v", Builder.float32, shape, data: [])
    empty.sparsity = TFLiteSparsityBuilder(
      shape.indices.map { Int32($0) }, shape.map { TFLiteSparsityBuilder.Level.dense($0) })
    let model = Builder.oneOperator(
      124, inputs: [empty], outputs: [Builder.Tensor("dense", Builder.float32, shape)])
    let start = ContinuousClock.now
    let graph = try model.importer().graph()
    #expect(ContinuousClock.now - start < .seconds(5))
    #expect(graph.outputs.map { graph[$0].type.shape.elementCount } == [0])
  }

  @Test func aLargeFileMayMakeMore() {
    #expect(TFLiteConstants.denseLimit(fileByteCount: 64 << 20) == 1 << 30)
  }
}
