import Apus
import ArgumentParser
import CLibrary
import CommandSupport

struct Embed: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "embed",
    abstract: "Embeds texts and pictures: a vector for each.",
    discussion: """
      Example: apus embed --text - --model sentence-transformers/all-MiniLM-L6-v2 --output vectors.npy < lines.txt

      Texts need a text encoder (BERT and its relatives, Qwen3-Embedding, EmbeddingGemma), a CLIP or a SigLIP; pictures \
      a CLIP, a SigLIP, a DINOv2, or a .tflite file whose output is the vector. One tower of a CLIP or SigLIP is enough. \
      If both are given, the vectors of the texts come first. `apus similarity` compares vectors.
      """)

  @OptionGroup var inputs: InputArguments

  @Option(
    help:
      "Write the vectors to this .npy file: one row per input, in order; NaN for inputs that failed.")
  var output: String?

  @Option(help: "Vector length: unit (normalised), raw, or model (the model's convention).")
  var length: EmbeddingLength = .model

  @Option(
    help: """
      Keep only the first numbers of each vector, for models trained for that (Matryoshka), and scale it to length 1 \
      again, unless vectors are raw. Default: all.
      """)
  var dimensions: Int?

  @Option(
    help: ArgumentHelp(
      "Name of one of the model's prompts to put before texts, such as query. Default: the model's own choice.",
      valueName: "name"))
  var prompt: String?

  @OptionGroup var embedding: EmbeddingArguments

  @Flag(help: "Print one JSON object per input, one per line.")
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
