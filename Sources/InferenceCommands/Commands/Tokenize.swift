import CommandSupport
import Apus
import ArgumentParser
import Formats
import JSONCoding
import Networks
import TensorCore
import Text

struct Tokenize: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tokenize",
    abstract: "Converts texts to token ids, and ids to text.",
    discussion: """
      Example: apus tokenize --model openai/clip-vit-base-patch32 < lines.txt
      Example: apus tokenize --model openai/clip-vit-base-patch32 --count prompts.txt
      Example: echo "[320, 8229]" | apus tokenize --model openai/clip-vit-base-patch32 --decode

      Each line is a text, and gives a line: a JSON list of ids, special tokens included. With --decode each line has \
      ids, as a JSON list or with spaces between them, and gives their text, special tokens left out. A line that cannot \
      be read is reported and gives an empty line; a file that cannot be read to its end is reported and stops no other.
      """)

  @Argument(help: "Files to read, or - for standard input (the default if no files or texts are given).")
  var files: [String] = []

  @Option(
    help: "A model folder, its name in the local Hugging Face cache, a .tflite file, or a tokenizer file."
  )
  var model: String

  @Option(parsing: .upToNextOption, help: "Texts. Write --text=TEXT for one that begins with a dash.")
  var text: [String] = []

  @Flag(help: "Print vocabulary pieces instead of ids.")
  var pieces = false

  @Flag(help: "Print the number of tokens instead of ids.")
  var count = false

  @Flag(help: "Read ids and print text.")
  var decode = false

  @Flag(
    inversion: .prefixedNo,
    help: "Add special tokens. Default: those the model expects; none in decoded text.")
  var special: Bool?

  @Flag(help: "Truncate and pad each text to the model's length.")
  var pad = false

  @OptionGroup var list: ListArguments

  @Flag(
    help: """
      Each line is a JSON string, or a list of two strings that form a pair (in the output with \
      --decode).
      """)
  var jsonl = false

  @Flag(help: "Print one JSON object per text, one per line.")
  var json = false

  func validate() throws {
    if [pieces, count, decode].count(where: \.self) > 1 {
      throw ValidationError("--pieces, --count and --decode: choose one.")
    }
    if decode, pad { throw ValidationError("--pad is for texts, not for --decode.") }
    if decode, !text.isEmpty { throw ValidationError("--text is for texts; --decode reads lines of ids.") }
  }

  func run() throws {
    let tokenizer = try tokenizer()
    StandardStreams.report(notes: tokenizer.notes)
    let report = try TokenReport(tokenizer, form: form, special: special, pads: pad, quotes: jsonl)
    var printed = TokenLines(isJSON: json)
    for text in text {
      try printed.add { (output) throws(ApusError) in try report.write(FileName.readable(text), to: output) }
    }
    for file in text.isEmpty && files.isEmpty ? ["-"] : files {
      do throws(ApusError) {
        try print(file, report, &printed)
      } catch {
        // A list on standard input that breaks off ends every command.
        guard file != "-" else { throw error }
        printed.add(file: file, error)
      }
    }
    if let status = printed.status { throw status.code }
  }

  private func print(
    _ file: String, _ report: TokenReport, _ printed: inout TokenLines
  ) throws(ApusError) {
    guard file != "-" else { return try print(list.lines, of: nil, report, &printed) }
    try InputLines.ofFile(file, areDividedByZeros: list.null) { (lines) throws(ApusError) in
      try print(lines, of: file, report, &printed)
    }
  }

  private func print(
    _ lines: InputLines, of file: String?, _ report: TokenReport, _ printed: inout TokenLines
  ) throws(ApusError) {
    var number = 0
    while let line = try lines.nextText() {
      number += 1
      printed.add(line, number: number, in: file) { (output) throws(ApusError) in
        if jsonl, !decode {
          try report.write(texts: Self.unquoted(line), to: output)
        } else {
          try report.write(line, to: output)
        }
      }
    }
  }

  private var form: TokenReport.Form {
    if decode { return json ? .decodedRecords : .decoded }
    return json ? .records : pieces ? .pieces : count ? .counts : .ids
  }

  /// That of a `.tflite` file's metadata; of another file, as it is named; else of a folder or the name of one.
  private func tokenizer() throws(ApusError) -> Tokenizer {
    try Tokenizer(model)
  }

  /// A text, or the two of a pair.
  private static func unquoted(_ line: String) throws(ApusError) -> [String] {
    let value = try JSONValue.parse(Array(line.utf8)[...])
    if let text = value.string { return [text] }
    guard case .array(let values) = value, values.count == 2, let first = values[0].string,
      let second = values[1].string
    else { throw ApusError(.argument, "no JSON string, and no list of two", expected: "one per line") }
    return [first, second]
  }
}
