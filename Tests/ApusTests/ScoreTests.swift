import Graph
import TensorCore
import TestSupport
import Testing

@testable import Apus

/// How outputs become scores.
@Suite struct ScoreTests {
  private func scores(
    _ values: [Float], _ meaning: ScoreMeaning = .logits, temperature: Float = 1
  ) throws(ApusError) -> ClassScores {
    let tensor = try Tensor(values, shape: .vector(values.count))
    return try tensor.withBytes { (bytes) throws(ApusError) in
      try ClassScores(
        ClassScores.numbers(bytes, tensor.type), meaning: meaning, temperature: temperature)
    }
  }

  @Test func softmaxAddsUpToOneAndIgnoresShifts() throws {
    var random = SeededRandom()
    for _ in 0..<50 {
      let values = random.floats(100, -20...20)
      let result = try scores(values).values
      #expect(abs(result.reduce(0, +) - 1) < 1e-5, "seed \(random.seed)")
      let shifted = try scores(values.map { $0 + 64 }).values
      for (a, b) in zip(result, shifted) { #expect(abs(a - b) < 1e-4, "seed \(random.seed)") }
    }
  }

  @Test func hugeLogitsDoNotOverflow() throws {
    #expect(try scores([3e38, -3e38]).values == [1, 0])
    #expect(try scores([-.infinity, 0]).values == [0, 1])
    #expect(try scores([-.infinity, -.infinity]).values == [0.5, 0.5])
  }

  @Test(arguments: [Float.nan, .infinity])
  func refusesNumbersWithoutMeaning(_ bad: Float) {
    #expect(throws: ApusError.self) { try scores([0, bad]) }
  }

  @Test func bestIsStable() throws {
    let values: [Float] = [1, 3, 2, 3, 0, 3]
    #expect(try scores(values).best(4) == [1, 3, 5, 2])
    #expect(try scores(values).best(100).count == 6)
  }

  @Test func aTemperatureLeavesScoresThatStandForThemselvesAlone() throws {
    let logits: [Float] = [-3, 0.5, 2, 90, -90]
    let probabilities = try scores(logits, .independentLogits).values
    let cooled = try scores(probabilities, .independentProbabilities, temperature: 2).values
    let stated = try scores(logits, .independentLogits, temperature: 2).values
    for (a, b) in zip(cooled, stated).prefix(3) { #expect(abs(a - b) < 1e-6) }
    #expect(cooled[3] == 1 && cooled[4] < 1e-6)
    #expect(try scores(probabilities, .independentProbabilities).values == probabilities)
  }

  @Test func oneClassHasAProbabilityOfItsOwn() throws {
    func meaning(_ operations: [any Operation], classes: Int) throws -> ScoreMeaning {
      var graph = GraphBuilder()
      var value = graph.input("x", TensorType(.float32, try Shape([1, classes])))
      for operation in operations {
        value = try graph.add(operation, [value], results: [.init("", nil)], label: "")[0]
      }
      graph.output(value)
      return ScoreMeaning(ofOutput: 0, classCount: classes, of: graph.graph)
    }
    #expect(try meaning([], classes: 1) == .independentLogits)
    #expect(try meaning([], classes: 2) == .logits)
    #expect(try meaning([Logistic()], classes: 1) == .independentProbabilities)
    #expect(try meaning([Logistic()], classes: 2) == .independentProbabilities)
    #expect(try meaning([Softmax(beta: 1)], classes: 2) == .probabilities)
  }

  /// Converters put the addition of a hard sigmoid into a layer's bias, and its limits into the layer.
  @Test func aHardSigmoidGivesAProbabilityForEachClass() throws {
    func meaning(
      of activation: Activation = .none, _ ends: [(any Operation, Float?, Bool)]
    ) throws -> ScoreMeaning {
      var graph = GraphBuilder()
      let features = graph.input("x", TensorType(.float32, try Shape([1, 4])))
      let elements = [Float](repeating: 0.5, count: 12)
      let weights = graph.constant("w", try Tensor(elements, shape: try Shape([3, 4])))
      var value = try graph.add(
        FullyConnected(activation: activation), [features, weights], results: [.init("", nil)], label: "")[0]
      for (operation, number, isFirst) in ends {
        var operands: [Value?] = [value]
        if let number {
          let constant = graph.constant("", try Tensor([number], shape: .vector(1)))
          operands.insert(constant, at: isFirst ? 0 : 1)
        }
        value = try graph.add(operation, operands, results: [.init("", nil)], label: "")[0]
      }
      graph.output(value)
      return ScoreMeaning(ofOutput: 0, classCount: 3, of: graph.graph)
    }
    let (sixth, clamp) = (Float(1) / 6, Relu(.relu6))
    #expect(try meaning(of: .relu6, [(Multiply(), sixth, false)]) == .independentProbabilities)
    #expect(try meaning(of: .relu6, [(Multiply(), sixth, true)]) == .independentProbabilities)
    #expect(try meaning(of: .relu6, [(Divide(), 6, false)]) == .independentProbabilities)
    #expect(
      try meaning([(Add(), 3, false), (clamp, nil, false), (Multiply(), sixth, false)])
        == .independentProbabilities)
    #expect(
      try meaning([(Extremum(.minimum), 1, false), (Extremum(.maximum), 0, false)])
        == .independentProbabilities)
    let rounds = FakeQuantize(minimum: 0, maximum: 1, bitCount: 8, narrowRange: false)
    #expect(
      try meaning(of: .relu6, [(Multiply(), sixth, false), (rounds, nil, false)])
        == .independentProbabilities)
    #expect(
      try meaning([(Extremum(.maximum), 0, false), (Extremum(.minimum), 1, true)])
        == .independentProbabilities)
    // Numbers up to another one are no probabilities, nor are those without an end.
    #expect(try meaning(of: .relu6, []) == .logits)
    #expect(try meaning(of: .relu6, [(Multiply(), 2 * sixth, false)]) == .logits)
    #expect(try meaning(of: .relu6, [(Divide(), 6, true)]) == .logits)
    #expect(try meaning(of: .relu, [(Multiply(), sixth, false)]) == .logits)
    #expect(try meaning([(Extremum(.minimum), 1, false)]) == .logits)
  }

  @Test func integersAreReadThroughTheirScale() throws {
    let quantization = try Quantization(scales: [0.5], zeroPoints: [-4])
    let tensor = try Tensor([-4, -2, 0] as [Int8], shape: .vector(3), quantization: quantization)
    let result = try tensor.withBytes { (bytes) throws(ApusError) in
      try ClassScores(ClassScores.numbers(bytes, tensor.type), meaning: .probabilities)
    }
    #expect(result.values == [0, 1, 2])
  }

  @Test func stepsOf256thsAreProbabilities() throws {
    func meaning(_ type: DataType, _ scale: Float, _ zeroPoint: Int32) throws -> ScoreMeaning {
      var graph = GraphBuilder()
      let quantization = try Quantization(scales: [scale], zeroPoints: [zeroPoint])
      graph.output(graph.input("x", TensorType(type, .vector(3), quantization: quantization)))
      return ScoreMeaning(ofOutput: 0, classCount: 3, of: graph.graph)
    }
    #expect(try meaning(.uint8, 1 / 256, 0) == .probabilities)
    #expect(try meaning(.int8, 1 / 256, -128) == .probabilities)
    #expect(try meaning(.int8, 1 / 256, 0) == .logits)
    #expect(try meaning(.uint8, 0.1, 0) == .logits)
  }
}
