import Formats
import TensorCore

/// What is read of a model's weights beside its networks, where these are in ONNX files: how embeddings are compared.
struct ONNXNumbers: TensorFile {
  let path: String
  let version: FileVersion? = nil
  let metadata: [ExactText: String] = [:]
  let entries: [SafetensorsEntry]
  private let numbers: [ExactText: Float]

  init(_ files: ONNXFolderFiles) {
    path = files.folder
    var numbers: [ExactText: Float] = [:]
    numbers["logit_scale"] =
      files.scalar("logit_scale") ?? files.comparison?.learnedScale ?? Self.greatestScale
    numbers["logit_bias"] =
      files.scalar("logit_bias") ?? files.comparison.flatMap { $0.bias == 0 ? nil : $0.bias }
    self.numbers = numbers
    entries = numbers.keys.sorted().enumerated().map { index, name in
      SafetensorsEntry(name: name.text, type: .float32, shape: [], bytes: 4 * index..<4 * index + 4)
    }
  }

  /// Of which e to the power is what CLIP's scale becomes at most.
  private static let greatestScale: Float = 4.605170186

  subscript(name: String) -> SafetensorsEntry? { entries.first { ExactText($0.name) == ExactText(name) } }

  func tensor(_ name: String) throws(ApusError) -> Tensor {
    guard let number = numbers[ExactText(name)] else {
      throw ApusError(.malformedModel, "no number is named '\(name.clipped)'", file: path)
    }
    return try Tensor(scalar: number)
  }

  func checkUndamaged() throws(ApusError) {}
}
