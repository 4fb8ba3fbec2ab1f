import Formats
import TensorCore

/// The modules of sentence-transformers around a model whose towers give the embeddings themselves.
struct TowerModules: Sendable {
  /// Whether embeddings are put to length 1.
  private(set) var normalizes = false
  private(set) var preparation = TextPreparation()

  /// - Parameter output: what is taken of the towers.
  /// - Returns: nil of a folder without a list of modules, where the library does not read the other files either.
  /// - Throws: ``ApusError`` of kind `unsupportedModel` for other modules, or settings of them that change a result.
  init?(_ folder: ModelFolder, _ output: SentenceTransformer.Output) throws(ApusError) {
    let outer = folder.outer
    let modules = try SentenceTransformerModules(outer, .towers)
    guard modules.transformer != nil else { return nil }
    // The older module is one for both towers.
    var statesUses = modules.isCLIPModel && output.uses.count > 1
    if let name = SentenceTransformer.settingsNames.first(where: { folder.file($0) != nil }) {
      preparation = try folder.reading(name) { (options) throws(ApusError) in
        if options.has("modality_config") { statesUses = true }
        return try SentenceTransformer.settings(options, of: output)
      }
    }
    guard statesUses else {
      throw ApusError(
        .unsupportedModel,
        "states no modality_config, without which the library takes the features of tokens",
        expected: output.uses.map { "\($0.modality) by \($0.method)" }.joined(separator: ", "),
        at: "modality_config", file: "\(folder.path)/\(SentenceTransformer.settingsNames[0])")
    }
    normalizes = try modules.normalizes(outer)
    preparation = try SentenceTransformer.prompting(preparation, outer)
  }

  /// Refuses a list of modules beside a model of SigLIP that reads texts: the library fills them up to the longest of a
  /// batch and hides what it filled up, where the model was trained on texts of one length that sees all of it.
  static func requireNone(_ folder: ModelFolder) throws(ApusError) {
    guard let list = folder.outer.file("modules.json") else { return }
    throw ApusError(
      .unsupportedModel,
      "texts as sentence-transformers reads them for SigLIP, where each depends on its batch",
      expected: "no list of modules", file: list,
      advice: "Without the file the model is read as transformers reads it.")
  }
}
