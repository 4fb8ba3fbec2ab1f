import CLibrary
import Formats
import Graph
import TensorCore

/// How a file with both towers compares embeddings: cosines times a scale, plus a bias.
///
/// Exporters fold what these are computed from, or call it otherwise. They are found by giving the file's last nodes two
/// embeddings that are alike and two at right angles.
struct ONNXComparison {
  let scale: Float
  let bias: Float

  /// transformers' names for the logits and their parts.
  private static let logits = "logits_per_image"
  private static let (images, texts) = ("image_embeds", "text_embeds")

  /// Nil for a file that does not make logits of its embeddings so.
  init?(_ importer: ONNXImporter) {
    guard let logits = try? Self.answer(of: importer), logits.count == 2, logits.allSatisfy(\.isFinite),
      logits[0] > logits[1]
    else { return nil }
    (scale, bias) = (logits[0] - logits[1], logits[1])
  }

  /// The number whose power of e the scale is.
  var learnedScale: Float { logf(scale) }

  private static func answer(of importer: ONNXImporter) throws(ApusError) -> [Float] {
    let names = Set(importer.model.graph.outputs.map { ExactText($0.name) })
    guard [logits, images, texts].allSatisfy({ names.contains(ExactText($0)) }) else { return [] }
    let translation = ONNXTranslation()
    let scope = try ONNXScope(
      importer.model.graph.giving(logits), of: importer.model, constants: importer.constants,
      into: translation)
    for (name, rows) in [(images, 2), (texts, 1)] {
      let type = TensorType(.float32, try Shape([rows, 2]))
      scope.supply(name, with: ONNXValue(plain: translation.input(name, type, known: nil)))
    }
    try scope.run()
    let result = try translation.plain(scope.value(logits), named: logits, at: "output '\(logits)'")
    translation.output(result)
    let compiled = try Compiler.compile(translation.builder.graph, CompileOptions())
    let found = try compiled.run([
      Tensor([1, 0, 0, 1] as [Float], shape: Shape([2, 2])),
      Tensor([1, 0] as [Float], shape: Shape([1, 2])),
    ])
    return try found.first?.elements(of: Float.self) ?? []
  }
}
