import Formats
import TestSupport

/// Sums up what words mean: each has a vector, of which a text has the mean, with more than one output.
enum ManyOutputTextModel {
  enum Output: Int32 {
    /// The ids as numbers.
    case features = 4
    /// The mean of the words' vectors.
    case logits = 5
    case probabilities = 6
  }

  static let labels = ["positive", "negative", "other"]

  private static let vocabulary = "<PAD> 0\n<START> 1\n<UNKNOWN> 2\ngood 3\nbad 4\n"
  private static let vectors: [Float] = [0, 0, 0, 0, 0, 0, 0, 0, 2, 4, 0, 0, 0, 4, 0]

  /// - Parameters:
  ///   - labelled: the position of the output to which the metadata give labels and a threshold.
  ///   - names: what the metadata call outputs.
  static func bytes(_ outputs: [Output], labelled: Int?, names: [String]) throws -> [UInt8] {
    typealias Builder = TFLiteModelBuilder
    var model = Builder()
    model.codes = [36, 40, 25, 53].map { Builder.Code($0) }
    let tensors: [Builder.Tensor] = [
      Builder.Tensor("ids", Builder.int32, [1, 4]), .constant("vectors", [5, 3], vectors),
      .constant("axis", [1], [1] as [Int32]), Builder.Tensor("words", Builder.float32, [1, 4, 3]),
      Builder.Tensor("features", Builder.float32, [1, 4]), Builder.Tensor("logits", Builder.float32, [1, 3]),
      Builder.Tensor("probabilities", Builder.float32, [1, 3]),
    ]
    let operators: [Builder.Operator] = [
      .init(code: 3, inputs: [0], outputs: [4]),
      .init(code: 0, inputs: [1, 0], outputs: [3], options: Builder.Options(23)),
      .init(code: 1, inputs: [3, 2], outputs: [5], options: Builder.Options(27)),
      .init(code: 2, inputs: [5], outputs: [6], options: Builder.Options(9, [0: .float(1)])),
    ]
    var wanted = Set(outputs.map(\.rawValue))
    var used: [Builder.Operator] = []
    for operation in operators.reversed() where operation.outputs.contains(where: { wanted.contains($0) }) {
      wanted.formUnion(operation.inputs)
      used.insert(operation, at: 0)
    }
    model.subgraphs = [
      Builder.Subgraph(tensors: tensors, inputs: [0], outputs: outputs.map(\.rawValue), operators: used)
    ]
    let metadata = metadata(outputs.count, labelled: labelled, names: names)
    model.metadata = [("TFLITE_METADATA", FlatBufferBuilder.build(metadata, identifier: "M001"))]
    let files = try ZipWriter.archive([
      ("words.txt", Array(vocabulary.utf8)), ("names.txt", Array(labels.joined(separator: "\n").utf8)),
    ])
    return model.build() + files
  }

  private static func metadata(_ outputCount: Int, labelled: Int?, names: [String]) -> FlatBufferNode {
    let words = FlatBufferNode.table([0: .string("words.txt"), 2: .int8(5)])
    let tokenizer = FlatBufferNode.table([
      0: .uint8(6), 1: .table([0: .string("[^\\w]+"), 1: .vector([words])]),
    ])
    let threshold = FlatBufferNode.table([0: .uint8(3), 1: .table([0: .float(0.375)])])
    let file = FlatBufferNode.table([0: .string("names.txt"), 2: .int8(2)])
    let outputs = (0..<outputCount).map { position in
      var fields: [Int: FlatBufferNode] = names.isEmpty ? [:] : [0: .string(names[position])]
      if position == labelled {
        fields[4] = .vector([threshold])
        fields[6] = .vector([file])
      }
      return FlatBufferNode.table(fields)
    }
    let input = FlatBufferNode.table([4: .vector([tokenizer])])
    return .table([3: .vector([.table([2: .vector([input]), 3: .vector(outputs)])])])
  }
}
