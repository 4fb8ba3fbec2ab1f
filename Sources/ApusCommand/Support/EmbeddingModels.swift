import Apus
import ArgumentParser
import TensorCore

/// The options of commands that embed texts and pictures.
struct EmbeddingArguments: ParsableArguments {
  @Option(help: "The model's folder, its name in the local Hugging Face cache, or a .tflite file.")
  var model: String

  @Option(
    help: ArgumentHelp(
      "How pictures are prepared. Default: what the model's files say.",
      discussion: "One of \(PreprocessingProfile.all.map(\.name).joined(separator: ", ")).",
      valueName: "profile"))
  var preprocess: String?

  @OptionGroup var list: ListArguments

  @OptionGroup var decoding: PictureArguments

  @OptionGroup var inference: InferenceArguments
}

/// What embeds the texts and the pictures of a command, opened when it is first needed.
final class EmbeddingModels {
  private let arguments: EmbeddingArguments
  private let length: EmbeddingLength
  private var texts: TextEmbedder?
  private var pictures: (threads: Int, embedder: ImageEmbedder)?

  init(_ arguments: EmbeddingArguments, length: EmbeddingLength) {
    self.arguments = arguments
    self.length = length
  }

  func textEmbedder() throws(ApusError) -> TextEmbedder {
    if let texts { return texts }
    let options = TextEmbedder.Options(length: length, inference: arguments.inference.options())
    let embedder = try TextEmbedder(arguments.model, options: options)
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
    pictures = (threads, embedder)
    return embedder
  }

  /// Embeds texts, then pictures, and tells of each as it is done.
  /// - Throws: ``ApusError`` when the model does not take one of the two, before anything is embedded.
  func embed(
    texts: [String], images: [String], _ add: (EmbeddedInput) throws(ApusError) -> Void
  ) async throws(ApusError) {
    let textEmbedder = texts.isEmpty ? nil : try textEmbedder()
    let batch =
      images.isEmpty
      ? nil
      : try PictureBatch.open(images, arguments.list, threads: arguments.inference.threads, imageEmbedder)
    if let textEmbedder {
      try await Self.embed(TextGroups(texts, arguments.list, size: 256), textEmbedder, add)
    }
    if let batch { try await Self.embed(batch.pictures, batch.model, add) }
  }

  private static func embed(
    _ groups: TextGroups, _ embedder: TextEmbedder, _ add: (EmbeddedInput) throws(ApusError) -> Void
  ) async throws(ApusError) {
    for group in groups {
      for (text, embedding) in zip(group, try await embedder.embed(group)) {
        try add(EmbeddedInput(.text(text), .success(embedding), embedder.computation))
      }
    }
  }

  private static func embed(
    _ batch: PictureBatch, _ embedder: ImageEmbedder, _ add: (EmbeddedInput) throws(ApusError) -> Void
  ) async throws(ApusError) {
    for (path, error) in batch.failures {
      try add(EmbeddedInput(.picture(path), .failure(error), embedder.computation, standsForInput: false))
    }
    for await item in embedder.embeddings(of: batch.pictures, width: batch.width) {
      try add(EmbeddedInput(.picture(batch.files[item.index]), item.result, embedder.computation))
    }
  }
}

/// What came of a text or picture.
struct EmbeddedInput {
  /// What was embedded.
  enum Input {
    case text(String)
    case picture(String)
  }

  let input: Input
  let result: Result<Embedding, ApusError>
  let computation: Computation
  /// Whether it is an input: not an argument that stands for none, such as a pattern that nothing matches.
  let standsForInput: Bool

  init(
    _ input: Input, _ result: Result<Embedding, ApusError>, _ computation: Computation,
    standsForInput: Bool = true
  ) {
    self.input = input
    self.result = result
    self.computation = computation
    self.standsForInput = standsForInput
  }
}

extension EmbeddedInput.Input {
  var name: String {
    switch self {
    case .text(let text): text
    case .picture(let path): path
    }
  }

  /// A text, or the last part of a picture's path.
  var shortName: String {
    switch self {
    case .text(let text): text
    case .picture(let path): FileName.last(of: path)
    }
  }

  /// The members that say which input is meant.
  var members: [(String, JSON)] {
    switch self {
    case .text(let text): [("kind", .string("text")), ("input", .string(text))]
    case .picture(let path): [("kind", .string("image"))] + JSON.file(path, as: "input")
    }
  }
}
