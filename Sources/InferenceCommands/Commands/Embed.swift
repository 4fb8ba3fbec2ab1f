import Apus
import ArgumentParser
import CLibrary
import CommandSupport

struct Embed: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "embed",
    abstract: "Turns texts and pictures into vectors.",
    discussion: """
      Example: apus embed --text - --model sentence-transformers/all-MiniLM-L6-v2 --output vectors.npy < lines.txt

      Texts take a BERT-like encoder, a CLIP or a SigLIP; pictures a CLIP, a SigLIP or a DINOv2, or a .tflite file \
      whose output is the vector. One tower of a CLIP or SigLIP is enough. Of texts and pictures together the vectors \
      of the texts come first. `apus similarity` compares them.
      """)

  @OptionGroup var inputs: InputArguments

  @Option(
    help:
      "A .npy file for the vectors: one row for each input, in their order; NaN for one that failed.")
  var output: String?

  @Option(help: "The length of vectors: unit, raw, or model for what the model is used with.")
  var length: EmbeddingLength = .model

  @Option(
    help: """
      Keep the first numbers of each vector only, which models allow that were trained for it (Matryoshka), and bring it \
      back to length 1, but of raw ones. Default: all.
      """)
  var dimensions: Int?

  @Option(
    help: ArgumentHelp(
      "A prompt of the model's to put before texts, such as query. Default: the one that its files choose.",
      valueName: "name"))
  var prompt: String?

  @OptionGroup var embedding: EmbeddingArguments

  @Flag(help: "Print one JSON object per line for each input.")
  var json = false

  func validate() throws {
    if embedding.preprocess != nil, inputs.image.isEmpty {
      throw ValidationError("--preprocess is for pictures (--image).")
    }
    if embedding.maskPadding, inputs.text.isEmpty {
      throw ValidationError("--mask-padding is for texts (--text).")
    }
    if let dimensions, dimensions < 1 {
      throw ValidationError("--dimensions \(dimensions): at least 1.")
    }
    if prompt != nil, inputs.text.isEmpty { throw ValidationError("--prompt is for texts (--text).") }
  }

  func run() async throws {
    try OutputFile.check(output)
    var report = EmbeddingReport(isJSON: json, keepsRows: output != nil)
    let models = EmbeddingModels(embedding, length: length, dimensions: dimensions, prompt: prompt)
    let failure = try await models.embed(texts: inputs.text, images: inputs.image) { report.add($0) }
    let status = report.finish()
    try BrokenList.end(failure) { () throws(ApusError) -> String? in
      guard let output else { return nil }
      return try report.write(output)
    }
    if let status { throw status.code }
  }
}

extension EmbeddingLength: ExpressibleByArgument {}
