import CommandSupport
import Apus

/// What embeds the texts and the pictures of a command, opened when it is first needed.
final class EmbeddingModels {
  private let arguments: EmbeddingArguments
  private let length: EmbeddingLength
  /// The numbers of each vector that are wanted; nil for all.
  private let dimensions: Int?
  /// The name of the prompt that stands before texts; nil for the model's own choice.
  private let prompt: String?
  private var texts: TextEmbedder?
  private var pictures: (threads: Int, embedder: ImageEmbedder)?

  init(
    _ arguments: EmbeddingArguments, length: EmbeddingLength, dimensions: Int? = nil, prompt: String? = nil
  ) {
    self.arguments = arguments
    self.length = length
    self.dimensions = dimensions
    self.prompt = prompt
  }

  func textEmbedder() throws(ApusError) -> TextEmbedder {
    if let texts { return texts }
    var options = TextEmbedder.Options(length: length, inference: arguments.inference.options())
    options.masksPadding = arguments.maskPadding
    let embedder = try TextEmbedder(arguments.model, options: options)
    try require(embedder.width, embedder.path)
    StandardStreams.report(notes: embedder.notes)
    texts = embedder
    return embedder
  }

  func imageEmbedder(threads: Int) throws(ApusError) -> ImageEmbedder {
    if let pictures, pictures.threads == threads { return pictures.embedder }
    var options = ImageEmbedder.Options(length: length)
    options.limits = arguments.decoding.limits
    options.image = arguments.decoding.options
    options.inference = arguments.inference.options(threads: threads)
    if let name = arguments.preprocess { options.preprocessing = try PreprocessingProfile.named(name) }
    let embedder = try ImageEmbedder(arguments.model, options: options)
    try require(embedder.width, embedder.path)
    if pictures == nil { StandardStreams.report(notes: embedder.notes) }
    if pictures == nil, embedder.givesProbabilities {
      StandardStreams.report(
        "apus: \(embedder.path): a classifier: its vectors are the probabilities of classes, not an embedding"
      )
    }
    pictures = (threads, embedder)
    return embedder
  }

  /// Refuses more numbers than the vectors of a model have.
  private func require(_ width: Int, _ path: String) throws(ApusError) {
    guard let dimensions, dimensions > width else { return }
    throw ApusError(
      .argument, "\(dimensions) dimensions", expected: "1 to \(width), the numbers of the model's vectors",
      file: path)
  }

  /// A vector with the numbers that are wanted: of length 1 if it is cut and not wanted as it was computed.
  private func shaped(_ embedding: Embedding) -> Embedding {
    guard let dimensions, dimensions < embedding.values.count else { return embedding }
    let cut = embedding.prefix(dimensions)
    return length == .raw ? cut : cut.unit
  }

  /// Embeds texts, then pictures, and tells of each as it is done.
  /// - Parameter needsAll: whether inputs are of use only where no list breaks off: what stands behind one that does is
  ///   then not embedded.
  /// - Returns: why a list broke off, after what came before, and pictures behind a list of texts, were embedded; nil where
  ///   all came to their end.
  /// - Throws: ``ApusError`` when the model does not take one of the two, before anything is embedded; or when memory runs
  ///   out.
  func embed(
    texts: [String], images: [String], needsAll: Bool = false,
    _ add: (EmbeddedInput) throws(ApusError) -> Void
  ) async throws(ApusError) -> ApusError? {
    let textEmbedder = texts.isEmpty ? nil : try textEmbedder()
    let pictures =
      images.isEmpty
      ? nil
      : try PictureBatches.open(images, arguments.list, threads: arguments.inference.threads, imageEmbedder)
    var failure: ApusError?
    if let textEmbedder {
      var groups = InputGroups(texts, arguments.list, size: 256)
      while true {
        var next: [String]?
        do throws(ApusError) { next = try groups.nextTexts() } catch { failure = error }
        guard let group = next else { break }
        for (text, result) in zip(group, try await textEmbedder.results(for: group, prompt: prompt)) {
          try add(EmbeddedInput(.text(text), result.map(shaped), textEmbedder.computation))
        }
      }
    }
    if needsAll, let failure { return failure }
    guard let pictures else { return failure }
    while true {
      let next: PictureBatch?
      do throws(ApusError) { next = try pictures.batches.next() } catch { return failure ?? error }
      guard let batch = next else { return failure }
      try await embed(batch, pictures.model, add)
    }
  }

  private func embed(
    _ batch: PictureBatch, _ embedder: ImageEmbedder, _ add: (EmbeddedInput) throws(ApusError) -> Void
  ) async throws(ApusError) {
    let outcomes = embedder.embeddings(of: batch.pictures, width: batch.width)
    try await batch.forEach(outcomes) { (outcome) throws(ApusError) in
      var embedded = EmbeddedInput(
        .picture(outcome.path), outcome.result.map(shaped), embedder.computation,
        standsForInput: outcome.isPicture)
      embedded.holdsProbabilities = embedder.givesProbabilities
      try add(embedded)
    }
  }
}
