import Formats
import Graph
import TensorCore

/// A tower for texts whose network is an ONNX file. It runs one text at a time, without padding.
struct ONNXTextTower: TextTower {
  /// What the configuration says of it.
  let stated: any TextTower
  let network: ONNXTower
  /// Of features of tokens; nil where the file gives one row for the text.
  private let pooling: TextHead.Pooling?
  private let inputNames: Set<ExactText>

  init(_ stated: any TextTower, _ network: ONNXTower) throws(ApusError) {
    (self.stated, self.network) = (stated, network)
    let head = (stated as? any HeadedTextTower)?.head
    pooling = head?.classes == nil ? head?.pooling : nil
    guard head?.dense.isEmpty ?? true else {
      throw ApusError(
        .unsupportedModel, "the module Dense behind an ONNX file", expected: "Transformer, Pooling and Normalize",
        at: "modules.json")
    }
    inputNames = Set(try network.importer.interface().inputs.map { ExactText($0.name) })
  }

  var maximumTokens: Int { stated.maximumTokens }
  var paddedLength: Int? { stated.paddedLength }
  var paddingMask: PaddingMask { stated.paddingMask == .optional ? .refused : stated.paddingMask }
  var takesSingleTexts: Bool { true }
  var pairs: TextPairs { stated.pairs }
  var vocabularySize: Int? { stated.vocabularySize }
  var outputWidth: Int { stated.outputWidth }
  var outputName: TowerOutput? { stated.outputName }
  func pooledToken(of ids: [Int32]) -> Int? { stated.pooledToken(of: ids) }

  private static let ids: ExactText = "input_ids"
  private static let types: ExactText = "token_type_ids"

  private var takesTypes: Bool { pairs.hasTypes && inputNames.contains(Self.types) }

  func graph(tokens: Int, sequences: Int) throws(ApusError) -> Graph {
    guard sequences == 1 else { throw ApusError(.argument, "\(sequences) texts", expected: "one") }
    let translation = ONNXTranslation()
    let shape = try Shape([1, tokens])
    var inputs: [ExactText: ONNXValue] = [:]
    for name in [Self.ids] + (takesTypes ? [Self.types] : []) {
      let type = try network.input(name)?.type.dataType ?? .int64
      let value = translation.input(name.text, TensorType(.int32, shape), known: nil)
      inputs[name] = ONNXValue(
        plain: type == .int32
          ? value : try translation.add(Cast(to: type), [value], named: name.text, at: "input '\(name)'"))
    }
    for (name, number) in [("attention_mask" as ExactText, 1 as Int64), (Self.types, 0)]
    where inputs[name] == nil && inputNames.contains(name) {
      inputs[name] = try constant(name, number, shape)
    }
    let result = try network.output(names, of: inputs, in: translation)
    let row = try pooling.map { (pooling) throws(ApusError) in try pooled(result, pooling, in: translation) }
    try translation.require([1, outputWidth], of: row ?? result)
    translation.output(row ?? result)
    return translation.builder.graph
  }

  private var names: [ExactText] {
    switch stated.outputName {
    case .logits: ["logits"]
    case _ where pooling != nil: ["last_hidden_state", "token_embeddings"]
    // SigLIP's towers name what stands for a text so in either case; CLIP's tell it from the features before the projection.
    case let name:
      [ExactText(name?.rawValue ?? "text_embeds")] + (stated is CLIPTextTower ? [] : ["pooler_output"])
    }
  }

  /// The same number for each token.
  private func constant(_ name: ExactText, _ number: Int64, _ shape: Shape) throws(ApusError) -> ONNXValue {
    let count = shape.elementCount
    switch try network.input(name)?.type.dataType {
    case .int32: return ONNXValue(try Tensor([Int32](repeating: Int32(number), count: count), shape: shape))
    case .bool: return ONNXValue(try Tensor([Bool](repeating: number != 0, count: count), shape: shape))
    case .float32: return ONNXValue(try Tensor([Float](repeating: Float(number), count: count), shape: shape))
    default: return ONNXValue(try Tensor([Int64](repeating: number, count: count), shape: shape))
    }
  }

  /// One row of the features of all tokens, [1, tokens, width].
  private func pooled(
    _ x: Value, _ pooling: TextHead.Pooling, in translation: ONNXTranslation
  ) throws(ApusError) -> Value {
    let (label, extents) = ("pooling", translation.type(of: x).shape.dimensions)
    guard extents.count == 3, extents[0] == 1 else {
      throw ApusError(.malformedModel, "features of shape \(extents)", expected: "[1, tokens, width]")
    }
    let rows = try translation.add(Reshape(shape: Array(extents[1...])), [x], named: label, at: label)
    func numbers(_ numbers: [Int]) throws(ApusError) -> Value {
      translation.constant(try Tensor(numbers.map { Int32(clamping: $0) }), named: label)
    }
    switch pooling {
    case .mean:
      return try translation.add(
        SegmentMean(), [rows, numbers([0, extents[1]])], named: label, at: label)
    case .first: return try translation.add(Gather(), [rows, numbers([0])], named: label, at: label)
    case .last:
      return try translation.add(Gather(), [rows, numbers([extents[1] - 1])], named: label, at: label)
    }
  }

  func inputs(_ rows: [TokenRow]) throws(ApusError) -> [Tensor] {
    guard rows.count == 1, let row = rows.first else {
      throw ApusError(.argument, "\(rows.count) texts", expected: "one")
    }
    try rows.requireNoGaps()
    guard row.columns.first == 0, row.extent <= maximumTokens, row.extent == paddedLength ?? row.extent else {
      throw ApusError(
        .argument,
        "a text of \(row.extent) tokens, of which the first that is seen is \(row.columns.first ?? 0)",
        expected:
          "one from the first token on, of \(paddedLength.map(String.init) ?? "up to \(maximumTokens)")")
    }
    let shape = try Shape([1, row.extent])
    let ids = try Tensor(row.seen, shape: shape)
    return takesTypes ? [ids, try Tensor(row.seenTypes, shape: shape)] : [ids]
  }
}
