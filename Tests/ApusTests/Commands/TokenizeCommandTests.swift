import Foundation
import TestSupport
import Testing

/// `tokenize` in all its forms says the same of a text.
@Suite(.enabled(if: CommandRun.isPossible, "needs the apus program"))
struct TokenizeCommandTests {
  private static let texts = ["a small cat", "", "two small cats and a dog"]

  private func lines(_ arguments: [String], model: String = "bert-classifier", input: String? = nil) throws
    -> [String]
  {
    let text = Self.texts.joined(separator: "\n") + "\n"
    let run = try CommandRun(
      ["tokenize", "--model", Checkout.modelFolder(model)] + arguments, input: input ?? text)
    #expect(run.exitCode == 0, "\(run.messages)")
    return run.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
  }

  private func json<Value: Decodable>(_ line: String, _: Value.Type = Value.self) throws -> Value {
    try JSONDecoder().decode(Value.self, from: Data(line.utf8))
  }

  private struct Record: Decodable {
    let text: String
    let ids: [Int32]
    let pieces: [String]
    let count: Int
    let truncated: Bool
  }

  @Test(arguments: ["bert-classifier", "roberta-classifier", "clip", "siglip"])
  func formsAgree(_ model: String) throws {
    let ids = try lines([], model: model).map { try json($0, [Int32].self) }
    let pieces = try lines(["--pieces"], model: model).map { try json($0, [String].self) }
    let counts = try lines(["--count"], model: model)
    let records = try lines(["--json"], model: model).map { try json($0, Record.self) }
    #expect(ids.count == Self.texts.count && records.map(\.text) == Self.texts)
    #expect(records.map(\.ids) == ids && records.map(\.pieces) == pieces)
    #expect(counts == ids.map { "\($0.count)" } && records.map { "\($0.count)" } == counts)
    #expect(pieces.map(\.count) == ids.map(\.count))
  }

  @Test func decodingGivesTheTextBack() throws {
    for (special, start) in [([], ""), (["--special"], "[CLS] ")] {
      let ids = try lines([])
      let decoded = try lines(["--decode"] + special, input: ids.joined(separator: "\n") + "\n")
      #expect(decoded[0].hasPrefix(start + "a small cat"))
      // Numbers with spaces between them are the same.
      let plain = ids.map { String($0.dropFirst().dropLast().replacing(",", with: "")) }
      #expect(try lines(["--decode"] + special, input: plain.joined(separator: "\n") + "\n") == decoded)
      let quoted = try lines(["--decode", "--jsonl"] + special, input: ids.joined(separator: "\n") + "\n")
      #expect(try quoted.map { try json($0, String.self) } == decoded)
    }
  }

  @Test func withoutSpecialTokens() throws {
    let with = try lines(["--pieces"]).map { try json($0, [String].self) }
    let without = try lines(["--pieces", "--no-special"]).map { try json($0, [String].self) }
    #expect(without == with.map { Array($0.dropFirst().dropLast()) })
    #expect(with[1].count == 2)
  }

  @Test func textsAndFilesAreReadInOrder() throws {
    let folder = try TemporaryFolder()
    let first = try folder.write("first.txt", "a small cat\n"),
      second = try folder.write("second.txt", "a dog")
    let all = try lines(["--text", "two", "-5", "--", first, second], input: "")
    #expect(all.count == 4)
    #expect(try lines([first, "-", second], input: "two\n").count == 3)
  }

  @Test func aMissingFileStopsNoOther() throws {
    let folder = try TemporaryFolder()
    let first = try folder.write("first.txt", "a small cat\n"),
      second = try folder.write("second.txt", "a dog")
    let (none, message) = (folder.path + "/none.txt", "none.txt: cannot be opened")
    let command = ["tokenize", "--model", Checkout.modelFolder("clip")]
    let some = try CommandRun(command + [first, none, second])
    #expect(some.exitCode == 5 && some.messages.contains(message), "\(some.messages)")
    #expect(some.output.split(separator: "\n").count == 2)
    let records = try CommandRun(command + ["--json", first, none, second])
    let lines = records.output.split(separator: "\n")
    #expect(records.exitCode == 5 && lines.count == 3, "\(records.output)")
    #expect(lines.count == 3 && lines[1].contains("\"file\"") && lines[1].contains(message))
    let alone = try CommandRun(command + [none])
    #expect(alone.exitCode == 3 && alone.output.isEmpty && alone.messages.contains(message))
    let besideText = try CommandRun(command + ["--text", "two", "--", none])
    #expect(besideText.exitCode == 5, "\(besideText.messages)")
  }

  /// Files that open, and cannot be read to their end.
  @Test(
    arguments: [
      ("/proc/self/mem", "/proc/self/mem: cannot be read", 3),
      ("/dev/zero", "/dev/zero: has a line of more than 64 MiB", 4),
    ] as [(String, String, Int32)])
  func aFileThatBreaksOffStopsNoOther(_ broken: String, _ message: String, _ code: Int32) throws {
    let folder = try TemporaryFolder()
    let first = try folder.write("first.txt", "a small cat\n"),
      second = try folder.write("second.txt", "a dog")
    let command = ["tokenize", "--model", Checkout.modelFolder("clip")]
    let some = try CommandRun(command + [first, broken, second])
    #expect(some.exitCode == 5 && some.messages.contains(message), "\(some.messages)")
    #expect(some.output.split(separator: "\n").count == 2)
    let records = try CommandRun(command + ["--json", first, broken, second])
    let lines = records.output.split(separator: "\n")
    #expect(records.exitCode == 5 && lines.count == 3, "\(records.output)")
    #expect(lines.count == 3 && lines[1].contains("\"file\"") && lines[1].contains("\"error\""))
    let alone = try CommandRun(command + [broken])
    #expect(alone.exitCode == code && alone.output.isEmpty, "\(alone.messages)")
  }

  @Test func whatIsNoIDIsNamed() throws {
    let run = try CommandRun(
      ["tokenize", "--model", Checkout.modelFolder("clip"), "--decode"], input: "[1, 2]\n[1, x]\n")
    #expect(run.exitCode == 5 && run.messages.contains("line 2") && run.messages.contains("'x'"))
  }

  /// Texts that fit beside pairs that do not are still printed.
  @Test func aLengthThatCutsTheSpecialTokensOfAPairIsRefused() throws {
    let folder = try TemporaryFolder(copying: Checkout.modelFolder("bert-classifier"))
    let settings = #"{"tokenizer_class": "BertTokenizer", "model_max_length": 2, "pad_token": "[PAD]"}"#
    try folder.write("tokenizer_config.json", settings)
    let arguments = ["tokenize", "--model", folder.path, "--pad", "--jsonl"]
    let input = #"["a cat", "a dog"]"# + "\n" + #""a cat""# + "\n"
    let run = try CommandRun(arguments + ["--count"], input: input)
    #expect(run.exitCode == 5 && run.output == "\n2\n", "\(run.output)")
    #expect(run.messages.contains("line 1: pairs of texts are cut to 2 tokens"), "\(run.messages)")
    let bare = try CommandRun(arguments + ["--count", "--no-special"], input: input)
    #expect(bare.exitCode == 0 && bare.output == "2\n2\n", "\(bare.output) \(bare.messages)")
  }
}
