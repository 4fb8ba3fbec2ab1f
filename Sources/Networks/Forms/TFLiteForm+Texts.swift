import Formats
import Graph
import Models
import TensorCore
import Text

/// A file whose metadata say how texts become ids.
extension TFLiteForm {
  /// Vocabularies over so many bytes are refused.
  private static let vocabularyLimit = 64 << 20

  /// The network as one for texts; nil when the metadata name no tokenizer.
  /// - Parameter output: the position of the output that is read.
  /// - Throws: ``ApusError`` of kind `unsupportedModel` when it takes something else than the ids of one text.
  func textTower(readingFirst output: Int = 0) throws(ApusError) -> (any TextTower)? {
    guard try regexTokenizer() != nil else { return nil }
    return try naming(path) { () throws(ApusError) in try FileTextTower(importer, readingFirst: output) }
  }

  /// - Throws: ``ApusError`` when the metadata name none, or its vocabulary is damaged or missing.
  package func tokenizer() throws(ApusError) -> Tokenizer {
    let stated = try regexTokenizer()
    return try naming(path) { () throws(ApusError) in
      guard let stated else {
        throw ApusError(.unsupportedModel, "no tokenizer in the metadata", expected: "a RegexTokenizer")
      }
      let vocabulary = try stated.vocabulary.contents(
        of: "vocabulary", in: importer.model.bytes, limit: Self.vocabularyLimit)
      return try Tokenizer(delimiters: stated.delimiters, vocabulary: vocabulary)
    }
  }

  private func regexTokenizer() throws(ApusError) -> TFLiteTensorMetadata.RegexTokenizer? {
    try metadata()?.subgraphs.first?.inputs.first?.tokenizer
  }
}

/// The main network of a file, on the ids of one text.
private struct FileTextTower: TextTower {
  private let importer: TFLiteImporter
  private let input: TensorType
  /// The position in the file of the output that the graph has first.
  private let output: Int
  let outputWidth: Int

  init(_ importer: TFLiteImporter, readingFirst output: Int) throws(ApusError) {
    var graph = try importer.graph()
    graph.readFirst(output)
    let types = graph.inputs.map { graph[$0].type }
    guard types.count == 1, types[0].dataType == .int32, types[0].shape.elementCount > 0,
      types[0].shape.dimensions.contains(types[0].shape.elementCount)
    else {
      throw ApusError(
        .unsupportedModel, "inputs \(types.map { "\($0)" }.joined(separator: ", "))",
        expected: "int32[1, tokens], the ids of one text")
    }
    self.importer = importer
    input = types[0]
    self.output = output
    outputWidth = graph.outputs.first.map { graph[$0].type.shape.elementCount } ?? 0
  }

  var maximumTokens: Int { input.shape.elementCount }
  var paddedLength: Int? { maximumTokens }
  var takesSingleTexts: Bool { true }
  var outputName: TowerOutput? { nil }

  func graph(tokens: Int, sequences: Int) throws(ApusError) -> Graph {
    var graph = try importer.graph()
    graph.readFirst(output)
    return graph
  }

  func inputs(_ rows: [TokenRow]) throws(ApusError) -> [Tensor] {
    guard rows.count == 1, rows[0].columns.count == maximumTokens else {
      throw ApusError(
        .argument, "\(rows.count) texts of \(rows.map(\.columns.count)) tokens",
        expected: "one of \(maximumTokens), with padding")
    }
    return [try Tensor(rows[0].ids, shape: input.shape)]
  }
}
