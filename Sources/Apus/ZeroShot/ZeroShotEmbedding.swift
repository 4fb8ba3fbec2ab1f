import Networks
import TensorCore

/// Vectors of the space that pictures and labels are compared in, from the towers that the classifier has open.
extension ZeroShotClassifier {
  /// Embeds a picture, to be kept, searched, or scored later (``classify(embedding:labels:topK:reading:)``).
  /// - Returns: an embedding of length 1, as ``ImageEmbedder`` gives it of the same folder.
  /// - Throws: ``ApusError``: kind `file` or `image` for the picture, `cancelled`.
  public func embed(_ picture: Picture) async throws(ApusError) -> Embedding {
    try await pictureEmbedding.inBackground(picture)
  }

  /// Embeds pictures, several at a time; the results are in the order of the pictures.
  /// - Throws: the ``ApusError`` of the first picture that fails.
  public func embed(_ pictures: [Picture]) async throws(ApusError) -> [Embedding] {
    try await pictureEmbedding.all(pictures)
  }

  /// Embeds texts as they are, without the templates of labels.
  /// - Returns: embeddings of length 1, as ``TextEmbedder`` gives them of the same folder.
  /// - Throws: ``ApusError``: kind `argument` for a text without tokens, `cancelled`.
  public func embed(texts: [String]) async throws(ApusError) -> [Embedding] {
    try await textEmbedding.inBackground(texts)
  }

  fileprivate var pictureEmbedding: Inference<Picture, Embedding> {
    Inference { (picture, isCancelled) throws(ApusError) in
      let (_, damage, seen) = try self.images.outputs(for: picture, isCancelled: isCancelled)
      return Embedding(try self.embedding(of: seen, picture), damage: damage)
    }
  }

  fileprivate var textEmbedding: Inference<[String], [Embedding]> {
    let each: Inference<[String], [Result<Embedding, ApusError>]> = Inference {
      (texts, isCancelled) throws(ApusError) in
      let encodings = texts.map { self.texts.encode($0) }
      let outputs = try self.texts.outputs(
        for: encodings.map { .success($0) }, refusing: "text", isCancelled: isCancelled)
      return zip(encodings, outputs).map { encoding, output in
        Result { () throws(ApusError) in
          let values = try Vectors.finiteUnit(output.get(), of: "the text", model: self.textPath)
          return Embedding(values, wasTruncated: encoding.wasTruncated)
        }
      }
    }
    return each.allTogether(naming: "text")
  }

  /// The vector of length 1 of what the tower for pictures gave.
  func embedding(of seen: ClassOutputs, _ picture: Picture) throws(ApusError) -> [Float] {
    try Vectors.finiteUnit(seen.values, of: picture.path ?? "the picture", model: path)
  }
}

extension Blocking<ZeroShotClassifier> {
  /// Embeds a picture.
  /// - Returns: an embedding of length 1.
  /// - Throws: ``ApusError``: kind `file` or `image` for the picture, `cancelled`.
  public func embed(_ picture: Picture) throws(ApusError) -> Embedding {
    try model.pictureEmbedding.now(picture, until: isCancelled)
  }

  /// Embeds pictures, one after the other.
  /// - Throws: the ``ApusError`` of the first picture that fails.
  public func embed(_ pictures: [Picture]) throws(ApusError) -> [Embedding] {
    try model.pictureEmbedding.now(pictures, until: isCancelled)
  }

  /// Embeds texts as they are, without the templates of labels.
  /// - Returns: embeddings of length 1.
  /// - Throws: ``ApusError``: kind `argument` for a text without tokens, `cancelled`.
  public func embed(texts: [String]) throws(ApusError) -> [Embedding] {
    try model.textEmbedding.now(texts, until: isCancelled)
  }
}
