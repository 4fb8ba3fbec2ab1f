import Apus
import Formats
import TestSupport
import Testing

/// Which of several outputs has the scores of classes.
@Suite struct ScoreOutputTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func classifier(
    _ outputs: [ManyOutputModel.Output], metadata: FlatBufferNode? = nil, labels: String? = nil
  ) throws -> ImageClassifier {
    let names = try ZipWriter.archive([("names.txt", Array("red\ngreen\nblue\n".utf8))])
    let bytes = ManyOutputModel.bytes(outputs, metadata: metadata) + (metadata == nil ? [] : names)
    // A file in use is not written over.
    let name = outputs.map { "\($0.rawValue)" }.joined(separator: "-")
    let path = try folder.write("many-\(name).tflite", bytes)
    return try ImageClassifier(path, options: .init(labels: labels))
  }

  /// What metadata say of outputs, of which one may have labels and a threshold.
  private func metadata(labelled: Int) -> FlatBufferNode {
    let unit = FlatBufferNode.table([0: .uint8(3), 1: .table([0: .float(0.375)])])
    let file = FlatBufferNode.table([0: .string("names.txt"), 2: .int8(2)])
    let outputs = (0..<2).map { position in
      position == labelled
        ? FlatBufferNode.table([4: .vector([unit]), 6: .vector([file])]) : .table([:])
    }
    return .table([3: .vector([.table([2: .vector([.table([:])]), 3: .vector(outputs)])])])
  }

  /// Red is the strongest; the scores are those of the model that gives them alone.
  private func expectColours(_ classifier: ImageClassifier, within tolerance: Float = 0) throws {
    let alone = try folder.write("alone.tflite", ColourModel.bytes(.softmax))
    let picture = try ColourModel.picture(250, 100, 0)
    let expected = try ImageClassifier(alone).blocking.classify(picture, topK: nil).predictions
    let found = try classifier.blocking.classify(picture, topK: nil).predictions
    #expect(found.map(\.index) == expected.map(\.index))
    for (prediction, other) in zip(found, expected) {
      #expect(abs(prediction.score - other.score) <= tolerance)
    }
  }

  @Test func probabilitiesBesideFeaturesAreTheScores() throws {
    for outputs in [[.features, .probabilities], [.probabilities, .features]] as [[ManyOutputModel.Output]] {
      let classifier = try classifier(outputs)
      #expect(classifier.outputType.shape.dimensions == [1, 3] && classifier.labels.count == 3)
      try expectColours(classifier)
    }
  }

  /// The int8 form of a model has the same output.
  @Test func quantizedProbabilitiesAreTheScoresToo() throws {
    let classifier = try classifier([.quantizedFeatures, .quantizedProbabilities])
    #expect(classifier.outputType.dataType == .int8 && classifier.outputType.shape.dimensions == [1, 3])
    try expectColours(classifier, within: 1 / 512)
  }

  @Test func metadataThatNameClassesSayWhichOutputHasThem() throws {
    let classifier = try classifier([.probabilities, .logits], metadata: metadata(labelled: 1))
    #expect(classifier.labels == ["red", "green", "blue"])
    #expect(classifier.threshold == 0.375)
    try expectColours(classifier, within: 1e-6)
    let first = try self.classifier([.logits, .features], metadata: metadata(labelled: 0))
    #expect(first.labels == ["red", "green", "blue"])
    try expectColours(first, within: 1e-6)
  }

  @Test func labelsTellWhichOutputHasAsManyNumbers() throws {
    let labels = try folder.write("three.txt", "red\ngreen\nblue\n")
    let given = try classifier([.features, .logits], labels: labels)
    #expect(given.labels == ["red", "green", "blue"])
    try expectColours(given, within: 1e-6)
    _ = try folder.write("labels.txt", "rot\ngrün\nblau\n")
    let beside = try classifier([.features, .logits])
    #expect(beside.labels == ["rot", "grün", "blau"])
    try expectColours(beside, within: 1e-6)
  }

  /// A head of something else may end in probabilities, too.
  @Test func labelsSayMoreThanProbabilities() throws {
    _ = try folder.write("labels.txt", "red\ngreen\nblue\n")
    let classifier = try classifier([.chance, .logits])
    #expect(classifier.labels == ["red", "green", "blue"])
    try expectColours(classifier, within: 1e-6)
  }

  /// One label that holds commas would fit the output of one number, which are probabilities even.
  @Test func aLineWithCommasIsRatherSeveralLabels() throws {
    let line = "red, green, blue\n"
    let labels = try folder.write("line.txt", line)
    let given = try classifier([.chance, .logits], labels: labels)
    #expect(given.labels == ["red", "green", "blue"])
    try expectColours(given, within: 1e-6)
    let single = try classifier([.chance, .features], labels: labels)
    #expect(single.labels == ["red, green, blue"])
    _ = try folder.write("labels.txt", line)
    let beside = try classifier([.logits, .chance])
    #expect(beside.labels == ["red", "green", "blue"])
    try expectColours(beside, within: 1e-6)
  }

  @Test func outputsOfWhichNoneShowsScoresAreRefusedByName() throws {
    let error = try #require(throws: ApusError.self) { try classifier([.features, .logits]) }
    #expect(error.kind == .unsupportedModel && error.file?.contains("many-") == true)
    #expect(error.problem.contains("2 outputs"), "\(error)")
    #expect(error.problem.contains("'features' float32 [1, 48], 'logits' float32 [1, 3]"), "\(error)")
    #expect(throws: ApusError.self) { try classifier([.probabilities, .sigmoids]) }
  }

  /// The place of a sorted number names no class.
  @Test func theGreatestNumbersAreNoScores() throws {
    let labels = try folder.write("three.txt", "red\ngreen\nblue\n")
    for outputs in [[.greatest, .places], [.places, .greatest]] as [[ManyOutputModel.Output]] {
      let error = try #require(throws: ApusError.self) { try classifier(outputs, labels: labels) }
      #expect(error.problem.contains("'places' int32 [1, 3]"), "\(error)")
    }
    try expectColours(try classifier([.greatest, .places, .probabilities]))
  }
}

/// The model of ``ColourModel`` with more than one output.
private enum ManyOutputModel {
  enum Output: Int32 {
    /// The elements of the picture.
    case features = 4
    /// The mean of each channel.
    case logits = 3
    case probabilities = 6
    case sigmoids = 7
    /// The logits, greatest first, and their places.
    case greatest = 8
    case places = 9
    case quantizedFeatures = 10
    case quantizedProbabilities = 11
    /// The logistic function of the mean of all elements.
    case chance = 14
  }

  static func bytes(_ outputs: [Output], metadata: FlatBufferNode?) -> [UInt8] {
    typealias Builder = TFLiteModelBuilder
    let side = Int32(ColourModel.side)
    let size = side * side * 3
    func numbers(_ name: String, _ count: Int32) -> Builder.Tensor {
      Builder.Tensor(name, Builder.float32, [1, count])
    }
    func integers(_ name: String, _ count: Int32, _ scale: Float, _ zeroPoint: Int64) -> Builder.Tensor {
      Builder.Tensor(name, Builder.int8, [1, count], scales: [scale], zeroPoints: [zeroPoint])
    }
    var model = Builder()
    model.codes = [40, 22, 25, 14, 48, 114].map { Builder.Code($0) }
    let tensors: [Builder.Tensor] = [
      Builder.Tensor("picture", Builder.float32, [1, side, side, 3]),
      .constant("axes", [2], [1, 2] as [Int32]), .constant("shape", [2], [1, size] as [Int32]),
      numbers("logits", 3), numbers("features", size), .constant("k", [], [3] as [Int32]),
      numbers("probabilities", 3), numbers("sigmoids", 3), numbers("greatest", 3),
      Builder.Tensor("places", Builder.int32, [1, 3]), integers("small features", size, 1 / 127.5, 0),
      integers("small probabilities", 3, 1 / 256, -128), .constant("channels", [1], [1] as [Int32]),
      Builder.Tensor("mean", Builder.float32, [1]), Builder.Tensor("chance", Builder.float32, [1]),
    ]
    let operators: [Builder.Operator] = [
      .init(code: 0, inputs: [0, 1], outputs: [3], options: Builder.Options(27)),
      .init(code: 1, inputs: [0, 2], outputs: [4]),
      .init(code: 2, inputs: [3], outputs: [6], options: Builder.Options(9, [0: .float(1)])),
      .init(code: 3, inputs: [3], outputs: [7]),
      .init(code: 4, inputs: [3, 5], outputs: [8, 9]),
      .init(code: 5, inputs: [4], outputs: [10]), .init(code: 5, inputs: [6], outputs: [11]),
      .init(code: 0, inputs: [3, 12], outputs: [13], options: Builder.Options(27)),
      .init(code: 3, inputs: [13], outputs: [14]),
    ]
    var wanted = Set(outputs.map(\.rawValue))
    var used: [Builder.Operator] = []
    for operation in operators.reversed() where operation.outputs.contains(where: { wanted.contains($0) }) {
      wanted.formUnion(operation.inputs)
      used.insert(operation, at: 0)
    }
    model.subgraphs = [
      Builder.Subgraph(
        tensors: tensors, inputs: [0], outputs: outputs.map(\.rawValue), operators: used)
    ]
    if let metadata {
      model.metadata = [("TFLITE_METADATA", FlatBufferBuilder.build(metadata, identifier: "M001"))]
    }
    return model.build()
  }
}
