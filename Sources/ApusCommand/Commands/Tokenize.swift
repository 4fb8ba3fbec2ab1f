import Apus
import ArgumentParser
import Formats
import TensorCore
import Text

struct Tokenize: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Turns lines of text into the ids of their tokens.",
    discussion: """
      Example: apus tokenize --model openai/clip-vit-base-patch32 < lines.txt

      Reads one text per line from standard input and prints one JSON array of ids per line, special tokens \
      included.
      """)

  @Option(help: "A model's folder, its name in the local Hugging Face cache, or a tokenizer's file.")
  var model: String

  @Flag(help: "Each line of input is a JSON string.")
  var jsonl = false

  @Flag(help: "Cut and fill up each text to the model's length.")
  var pad = false

  func run() throws {
    let tokenizer = try Tokenizer(contentsOf: path)
    let (truncation, padding) = try pad ? Self.lengths(tokenizer) : (nil, nil)
    var number = 0
    for line in InputLines().texts {
      number += 1
      let text = jsonl ? try Self.text(line, number) : line
      let encoding = tokenizer.encode(text, truncation: truncation, padding: padding)
      StandardStreams.printLine("[\(encoding.ids.map(String.init).joined(separator: ", "))]")
    }
  }

  /// The cut and the filling up to the length that the tokenizer's files state.
  private static func lengths(
    _ tokenizer: Tokenizer
  ) throws(ApusError) -> (truncation: Truncation?, padding: Text.Padding?) {
    let configuration = tokenizer.configuration
    guard let length = configuration.maximumLength ?? configuration.truncation?.maximumLength,
      let id = configuration.paddingID
    else {
      throw ApusError(
        .configuration, "the tokenizer's files state no length or no padding token",
        expected: "both for --pad")
    }
    return (
      Truncation(maximumLength: length, side: configuration.truncationSide),
      Text.Padding(length: length, id: id, side: configuration.paddingSide)
    )
  }

  /// A file as it is named; anything else is a folder or the name of one.
  private var path: String {
    get throws(ApusError) {
      FileSystem.isFile(model) ? model : try ModelFolder(model).path
    }
  }

  private static func text(_ line: String, _ number: Int) throws(ApusError) -> String {
    guard case .string(let text) = try JSONParser.parse(Array(line.utf8)[...]) else {
      throw ApusError(.argument, "no JSON string", expected: "one per line", at: "line \(number)")
    }
    return text
  }
}
