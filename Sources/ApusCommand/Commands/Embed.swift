import Apus
import ArgumentParser
import Glibc

struct Embed: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Turns texts or pictures into vectors.",
    discussion: """
      Example: apus embed --text - --model sentence-transformers/all-MiniLM-L6-v2 --output vectors.npy < lines.txt

      Texts take a BERT-like encoder, a CLIP or a SigLIP; pictures a CLIP or a SigLIP, or a .tflite file whose output \
      is the vector. One tower of a CLIP or SigLIP is enough.
      """)

  @Option(
    parsing: .upToNextOption, help: "Texts, or - for one on each line of standard input.")
  var text: [String] = []

  @Option(
    parsing: .upToNextOption,
    help: "PNG or JPEG files, folders, patterns, or - for a list on standard input.")
  var image: [String] = []

  @Option(help: "The model's folder, its name in the local Hugging Face cache, or a .tflite file.")
  var model: String

  @Option(
    help:
      "A .npy file for the vectors: one row for each input, in their order; NaN for a picture that failed.")
  var output: String?

  @Option(help: "The length of vectors: unit, raw, or model for what the model is used with.")
  var length: EmbeddingLength = .model

  @OptionGroup var list: ListArguments

  @OptionGroup var decoding: PictureArguments

  @OptionGroup var inference: InferenceArguments

  @Flag(help: "Print one JSON object per line for each input.")
  var json = false

  func validate() throws {
    if text.isEmpty == image.isEmpty { throw ValidationError("Either --text or --image is needed.") }
  }

  func run() async throws {
    let report = try await text.isEmpty ? embedImages() : embedTexts()
    if let output { try report.write(output) }
    if let status = report.finish() { throw status.code }
  }

  private func embedTexts() async throws -> EmbeddingReport {
    let embedder = try TextEmbedder(model, options: .init(length: length, inference: inference.options()))
    var report = EmbeddingReport(isJSON: json, keepsRows: output != nil, embedder.computation)
    for group in TextGroups(text, list, size: 256) {
      for (text, embedding) in zip(group, try await embedder.embed(group)) {
        report.add(.text(text), .success(embedding))
      }
    }
    return report
  }

  private func embedImages() async throws -> EmbeddingReport {
    var options = ImageEmbedder.Options(length: length)
    options.limits = decoding.limits
    options.image = decoding.options
    let (pictures, embedder) = try PictureBatch.open(image, list, threads: inference.threads) {
      (threads) throws(ApusError) in
      options.inference = inference.options(threads: threads)
      return try ImageEmbedder(model, options: options)
    }
    var report = EmbeddingReport(isJSON: json, keepsRows: output != nil, embedder.computation)
    for (path, error) in pictures.failures { report.failure(.file(path), error, hasRow: false) }
    for await item in embedder.embeddings(of: pictures.pictures, width: pictures.width) {
      report.add(.file(pictures.files[item.index]), item.result)
    }
    return report
  }
}

extension EmbeddingLength: ExpressibleByArgument {}
