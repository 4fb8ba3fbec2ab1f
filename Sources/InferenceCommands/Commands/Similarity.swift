import Apus
import ArgumentParser
import CLibrary
import CommandSupport
import Formats
import TensorCore

struct Similarity: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "similarity",
    abstract: "Compares texts and pictures by the cosine of their vectors.",
    discussion: """
      Example: apus similarity --text "a quick bird" "a swift" "a stone" --model sentence-transformers/all-MiniLM-L6-v2
      Example: apus similarity --text "a dog in snow" --with-image holiday --nearest 5 --model openai/clip-vit-base-patch32

      Each --text and --image is compared with each --with-text and --with-image; without these, all inputs are compared \
      with each other. Texts come before pictures. The models are the same as for `apus embed`; comparing texts with \
      pictures needs a CLIP or SigLIP.
      """)

  @OptionGroup var inputs: InputArguments

  @Option(
    parsing: .upToNextOption, help: "Texts to compare with, or - to read one per line from standard input.")
  var withText: [String] = []

  @Option(
    parsing: .upToNextOption,
    help: "Pictures to compare with: files, folders, patterns, or - to read paths from standard input.")
  var withImage: [String] = []

  @Option(
    name: [.long, .customLong("top-k")],
    help: ArgumentHelp("Print only this many nearest matches for each input.", valueName: "count"))
  var nearest: Int?

  @Option(
    help: "Write the cosines to this .npy file: one row per input, one column per item it is compared with.")
  var output: String?

  @OptionGroup var embedding: EmbeddingArguments

  @Flag(help: "Print one JSON object per input, one per line.")
  var json = false

  func validate() throws {
    if let nearest, nearest < 1 { throw ValidationError("--nearest \(nearest): at least 1.") }
    if embedding.preprocess != nil, inputs.image.isEmpty, withImage.isEmpty {
      throw ValidationError("--preprocess is for pictures (--image, --with-image).")
    }
    if embedding.maskPadding, inputs.text.isEmpty, withText.isEmpty {
      throw ValidationError("--mask-padding is for texts (--text, --with-text).")
    }
    if [inputs.text, inputs.image, withText, withImage].count(where: { $0.contains("-") }) > 1 {
      throw ValidationError("- is given twice: standard input is one list.")
    }
  }

  func run() async throws {
    try OutputFile.check(output)
    let models = EmbeddingModels(embedding, length: .model)
    var table = SimilarityTable(comparesAll: withText.isEmpty && withImage.isEmpty)
    let broken = try await models.embed(texts: inputs.text, images: inputs.image, needsAll: true) {
      table.appendRow($0)
    }
    if let broken { throw broken }
    let otherBroken = try await models.embed(texts: withText, images: withImage, needsAll: true) {
      table.appendColumn($0)
    }
    if let otherBroken { throw otherBroken }
    let report = SimilarityReport(table, nearest: nearest)
    for failure in report.failures { StandardStreams.report("apus: \(failure)") }
    if json {
      report.printRecords()
    } else if output == nil || nearest != nil {
      for line in report.lines { StandardStreams.printLine(line) }
    }
    if let output, let matrix = try table.matrix.tensor() {
      try OutputFile.write(try Npy.bytes(matrix), to: output)
      if !json { OutputFile.tell("\(output): \(matrix.type)", of: output) }
    }
    if let status = report.status { throw status.code }
  }
}
