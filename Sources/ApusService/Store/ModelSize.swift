import Apus
import Graph
import Kernels
import Networks
import TensorCore

/// The memory that a model will take, before it is opened.
enum ModelSize {
  /// Bytes of the weights as kernels will read them, by what the file or folder says of itself; of a classifier with
  /// fallbacks, of the first file that opens.
  /// - Throws: ``ApusError`` when there is no model, or it cannot be used.
  static func byteCount<Model: InferenceModel>(
    _ path: String, as _: Model.Type, _ options: Model.Options
  ) throws(ApusError) -> Int {
    let inference = (options as? any StatedInference)?.inference
    let precision = inference?.precision ?? .float32
    let variant = inference?.variant
    let texts = Model.textModel(of: options)
    // Of two folders, the variant is for the ones with ONNX files.
    let isForTexts = texts.map(ModelPlace.hasONNXFiles) ?? false
    let ownVariant = isForTexts && !ModelPlace.hasONNXFiles(path) ? nil : variant
    let fallbacks = (options as? ImageClassifier.Options)?.fallbacks ?? []
    let own = try ModelChoice.first(of: [path] + fallbacks) { (path) throws(ApusError) in
      try byteCount(OpenedModel(path, variant: ownVariant), parts(of: Model.self), precision)
    }.chosen
    guard let texts else { return own }
    return try own + byteCount(OpenedModel(texts, variant: isForTexts ? variant : nil), [.text], precision)
  }

  private static func byteCount(
    _ opened: OpenedModel, _ parts: [ModelPart], _ precision: Precision
  ) throws(ApusError) -> Int {
    var count = 0
    for part in parts {
      guard let network = try opened.network(for: part) else { continue }
      count += try network.graph().weightByteCount(in: precision)
    }
    return count
  }

  /// Whether there is anything where a model is said to be.
  static func isThere(_ path: String) -> Bool {
    (try? ModelPlace(path))?.isThere ?? false
  }

  /// The networks that a class opens.
  private static func parts(of model: any InferenceModel.Type) -> [ModelPart] {
    switch model {
    case is ImageClassifier.Type, is ImageEmbedder.Type: [.image]
    case is TextClassifier.Type, is TextEmbedder.Type: [.text]
    default: ModelPart.allCases
    }
  }
}

extension Graph {
  /// Bytes of the weights that are packed for a precision, each stored one once. Tables that are read where they are mapped
  /// are not counted.
  fileprivate func weightByteCount(in precision: Precision) -> Int {
    let precision = computedPrecision(precision)
    var count = 0
    var known: Set<WeightSource> = []
    for node in nodes {
      let operands = operands(of: node)
      let format = node.operation.packedFormat(operands, precision, .best)
      // Of constants that it projects, what it makes of them is packed; attention prepares a table of indices.
      if let products = node.operation as? HeadProducts {
        count += products.packedElementCount(operands) * (format ?? .float32).elementBytes
      }
      if node.operation is HeadProducts || node.operation is Attention { continue }
      for position in node.operation.preparedInputs(operands) where node.inputs.indices.contains(position) {
        guard let value = node.inputs[position], let type = self[value].constant?.type else { continue }
        if let source = self[value].source, !known.insert(source).inserted { continue }
        if let format, type.shape.rank > 1 {
          count += type.shape.elementCount * format.elementBytes
          continue
        }
        count += type.dataType.isFloat ? type.shape.elementCount * DataType.float32.byteCount : type.byteCount
        // A bias has a number for each column, which a table stands beside.
        if type.dataType == .int32, type.shape.rank == 1 {
          count += type.shape.elementCount * RequantizationTable.byteCount(lanes: 1)
        }
      }
    }
    return count
  }
}

/// Options that say in which precision a model is opened.
protocol StatedInference {
  var inference: InferenceOptions { get }
}

extension ImageClassifier.Options: StatedInference {}
extension ImageEmbedder.Options: StatedInference {}
extension InferenceSession.Options: StatedInference {}
extension TextClassifier.Options: StatedInference {}
extension TextEmbedder.Options: StatedInference {}
extension ZeroShotClassifier.Options: StatedInference {}
