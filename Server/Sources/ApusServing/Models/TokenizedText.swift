import Apus

/// The tokens of a text, and how long making them took.
struct TokenizedText: Sendable {
  let encoding: Encoding
  let time: Duration
  /// Whether its padding is masked; nil for as the server was started.
  var masksPadding: Bool?
}

extension TextEmbedder {
  /// The vectors of texts, of which some may have their padding masked.
  func embed(_ texts: [TokenizedText]) async throws(ApusError) -> [Embedding] {
    var embeddings = [Embedding?](repeating: nil, count: texts.count)
    for masks in Set(texts.map(\.masksPadding)) {
      let places = texts.indices.filter { texts[$0].masksPadding == masks }
      let found = try await embed(encodings: places.map { texts[$0].encoding }, masksPadding: masks)
      for (place, embedding) in zip(places, found) { embeddings[place] = embedding }
    }
    return embeddings.compactMap(\.self)
  }
}
