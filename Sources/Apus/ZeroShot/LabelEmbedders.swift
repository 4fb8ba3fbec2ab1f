import Networks
import TensorCore

/// Embedders of labels with a tower: as it was opened, and with padding masked the other way where that makes a difference.
struct LabelEmbedders: Sendable {
  private let texts: TextPipeline
  private let own: LabelEmbedder
  private let other: LabelEmbedder?

  init(_ texts: TextPipeline, path: String) {
    self.texts = texts
    own = LabelEmbedder(texts, path: path)
    other = (try? texts.masking(!texts.masksPadding)).map { LabelEmbedder($0, path: path) }
  }

  /// - Parameter masksPadding: nil for as the tower was opened.
  /// - Throws: ``ApusError`` of kind `argument` when there is no padding to mask.
  func embedder(masksPadding: Bool?) throws(ApusError) -> LabelEmbedder {
    guard let masksPadding, masksPadding != texts.masksPadding else { return own }
    _ = try texts.masking(masksPadding)
    return other ?? own
  }
}
