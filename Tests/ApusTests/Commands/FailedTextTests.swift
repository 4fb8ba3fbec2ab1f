import Formats
import Foundation
import TestSupport
import Testing

@testable import Apus

/// A text that fails is reported with its number and stops no other.
@Suite(.enabled(if: CommandRun.isPossible, "needs the apus program"))
struct FailedTextTests {
  /// A model whose tokenizer has a token more, `zzz`, than the model has rows; and NaN in the row of `cat`.
  private static func damaged(_ name: String, hasNaN: Bool = true) throws -> TemporaryFolder {
    let folder = try TemporaryFolder(copying: Checkout.modelFolder(name))
    let settings = #"{"tokenizer_class": "BertTokenizer", "extra_special_tokens": ["zzz"]}"#
    try folder.write("tokenizer_config.json", settings)
    guard hasNaN else { return folder }
    let file = URL(fileURLWithPath: folder.path + "/model.safetensors")
    var bytes = [UInt8](try Data(contentsOf: file))
    let length = (0..<8).reduce(0) { $0 + Int(bytes[$1]) << (8 * $1) }
    let header = try JSONSerialization.jsonObject(with: Data(bytes[8..<(8 + length)])) as? [String: Any]
    let entry = try #require(header?.first { $0.key.hasSuffix("word_embeddings.weight") }?.value)
    let members = try #require(entry as? [String: Any])
    let offsets = try #require(members["data_offsets"] as? [Int])
    let rows = try #require((members["shape"] as? [Int])?.first)
    let row = (offsets[1] - offsets[0]) / rows
    let cat = try #require(try Tokenizer(folder.path).encode("cat").ids.dropFirst().first)
    let first = 8 + length + offsets[0] + Int(cat) * row
    for place in first..<(first + row) { bytes[place] = 0xFF }
    try folder.write("model.safetensors", bytes)
    return folder
  }

  private func records(_ run: CommandRun) throws -> [[String: Any]] {
    try run.output.split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
  }

  /// More than run together, with failures of all kinds among them.
  private static let lines: [String] = {
    var lines = (0..<140).map { "a dog number \($0)" }
    lines[10] = ""
    lines[69] = "a zzz"
    lines[130] = "a cat"
    return lines
  }()

  @Test func classifyTextGoesOn() throws {
    let folder = try Self.damaged("bert-classifier")
    let run = try CommandRun(
      ["classify-text", "-", "--model", folder.path, "--json"], input: Self.lines.joined(separator: "\n"))
    #expect(run.exitCode == 5, "\(run.messages)")
    let records = try records(run)
    #expect(records.map { $0["text"] as? String } == Self.lines)
    let failed = records.indices.filter { records[$0]["error"] != nil }
    #expect(failed == [10, 69, 130])
    #expect(records.count(where: { $0["predictions"] != nil }) == 137)
    #expect(run.messages.contains("text 11: an empty text"), "\(run.messages)")
    #expect(run.messages.contains("text 70: the tokenizer gives the id"), "\(run.messages)")
    #expect(run.messages.contains("text 131: "), "\(run.messages)")
    let alone = try CommandRun(["classify-text", "a zzz", "--model", folder.path, "--json"])
    #expect(alone.exitCode == 4 && alone.output.contains("\"text\": \"a zzz\""), "\(alone.output)")
  }

  /// Where nothing has a result, the exit code says whether the model is at fault for all of it.
  @Test func aFaultyModelIsRefused() throws {
    let (classifier, encoder) = (try Self.damaged("bert-classifier"), try Self.damaged("bert-sentence"))
    let classify = ["classify-text", "--model", classifier.path]
    let compare = ["similarity", "--model", encoder.path, "--text"]
    let embed = ["embed", "--model", encoder.path, "--text"]
    let expected: [(arguments: [String], code: Int32)] = [
      (classify + ["a cat"], 4), (classify + ["a cat", "a zzz"], 4), (classify + ["a cat", " "], 3),
      (classify + ["a cat", "a dog"], 5), (embed + ["a cat"], 4), (embed + ["a cat", "a dog"], 5),
      (compare + ["a cat", "a zzz"], 4),
    ]
    for (arguments, code) in expected {
      let run = try CommandRun(arguments)
      #expect(run.exitCode == code, "\(arguments): \(run.messages)")
    }
  }

  @Test func embedGivesARowOfNaN() throws {
    let folder = try Self.damaged("bert-sentence")
    let file = folder.path + "/vectors.npy"
    let run = try CommandRun(
      ["embed", "--model", folder.path, "--output", file, "--json", "--text"]
        + ["a dog", "a zzz", "two dogs", "a cat", "a bird"])
    #expect(run.exitCode == 5, "\(run.messages)")
    let rows = try Npy.tensor(contentsOf: file).rows()
    let missing = rows.map { $0.allSatisfy(\.isNaN) }
    #expect(missing == [false, true, false, true, false])
    let records = try records(run)
    #expect(records.map { $0["row"] as? Int } == [0, 1, 2, 3, 4])
    #expect(records.map { $0["error"] != nil } == missing)
    #expect(records[3]["input"] as? String == "a cat")
    #expect(run.messages.contains("input 2: the tokenizer gives the id"), "\(run.messages)")
  }

  @Test func similarityComparesTheOthers() throws {
    let folder = try Self.damaged("bert-sentence")
    let run = try CommandRun(
      ["similarity", "--model", folder.path, "--json", "--text", "a dog", "a zzz", "two dogs"])
    #expect(run.exitCode == 5 && run.messages.contains("input 2: the tokenizer"), "\(run.messages)")
    let records = try records(run)
    #expect(records.map { $0["cosines"] != nil } == [true, false, true])
    #expect(records[1]["error"] != nil && records[1]["input"] as? String == "a zzz")
  }

  @Test func tokenizeGoesOn() throws {
    let arguments = ["tokenize", "--model", Checkout.modelFolder("bert-sentence"), "--jsonl"]
    let input = #""one""# + "\n" + #""\ud800""# + "\n" + #""two""# + "\n"
    let run = try CommandRun(arguments + ["--json"], input: input)
    #expect(run.exitCode == 5 && run.messages.contains("line 2"), "\(run.messages)")
    let records = try records(run)
    #expect(records.map { $0["text"] as? String } == ["one", nil, "two"])
    #expect(records[1]["line"] as? Int == 2 && records[1]["input"] as? String == #""\ud800""#)
    #expect(try CommandRun(arguments, input: #""\ud800""# + "\n").exitCode == 3)
  }

  @Test func anEndlessLineIsRefused() throws {
    let run = try CommandRun(
      shell: "head -c 70000000 /dev/zero | \"$@\"",
      ["tokenize", "--model", Checkout.modelFolder("bert-sentence")])
    #expect(run.exitCode == 4 && run.messages.contains("more than 64 MiB"), "\(run.messages)")
  }

  @Test func whatCameBeforeAnEndlessLineIsWorkedOn() throws {
    let folder = try TemporaryFolder()
    let run = try CommandRun(
      shell: "cd '\(folder.path)' && { echo one; head -c 70000000 /dev/zero; } > lines && \"$@\" < lines",
      ["classify-text", "-", "--model", Checkout.modelFolder("bert-classifier"), "--json"])
    #expect(run.exitCode == 4 && run.messages.contains("more than 64 MiB"), "\(run.messages)")
    let records = try records(run)
    #expect(records.first?["text"] as? String == "one" && records.first?["predictions"] != nil)
  }

  @Test func whatCameBeforeAListThatCannotBeReadIsWorkedOn() throws {
    let run = try CommandRun(
      shell: "\"$@\" < /",
      ["classify-text", "one", "-", "--model", Checkout.modelFolder("bert-classifier"), "--json"])
    #expect(run.exitCode == 3 && run.messages.contains("standard input cannot be read"), "\(run.messages)")
    let records = try records(run)
    #expect(records.count == 2 && records[0]["predictions"] != nil && records[1]["error"] != nil)
  }

  @Test func vectorsOfWhatCameBeforeAnEndlessLineAreWritten() throws {
    let folder = try TemporaryFolder()
    let file = folder.path + "/vectors.npy"
    let run = try CommandRun(
      shell: "{ echo one; echo two; head -c 70000000 /dev/zero; } | \"$@\"",
      ["embed", "--text", "-", "--model", Checkout.modelFolder("bert-sentence"), "--output", file])
    #expect(run.exitCode == 4 && run.messages.contains("more than 64 MiB"), "\(run.messages)")
    let rows = try Npy.tensor(contentsOf: file).rows()
    #expect(rows.count == 2)
  }

  /// The comparison passes over what the baseline cannot read, and so do the layers.
  @Test func layersAreComparedOnTheOtherTexts() throws {
    let folder = try Self.damaged("bert-classifier", hasNaN: false)
    let list = try folder.write("texts.tsv", "text\tlabel\na dog\t2 stars\na zzz\t1 star\ntwo dogs\t1 star\n")
    let run = try CommandRun(
      ["compare", folder.path, folder.path + "@int8", "--data", list, "--layers", "3", "--json"])
    #expect(run.exitCode == 5, "\(run.messages)")
    let report = try #require(try records(run).last)
    let layers = try #require(report["layers"] as? [[String: Any]])
    #expect(layers.count == 1 && (layers[0]["rows"] as? [Any])?.isEmpty == false)
  }

  /// From 0, whatever is wrong.
  @Test func theLibraryNamesTheTextOfACall() throws {
    let folder = try Self.damaged("bert-classifier")
    let classifier = try TextClassifier(folder.path).blocking
    for text in ["", "a zzz", "a cat"] {
      let error = #expect(throws: ApusError.self) { try classifier.classify(["a dog", "two dogs", text]) }
      #expect(error?.location == "text 2", "\(text)")
      let alone = #expect(throws: ApusError.self) { try classifier.classify(text) }
      #expect(alone?.location == nil)
    }
  }

  /// A text that cannot be run is found before another fails in the run.
  @Test func aCallThatMustFailRunsNothing() throws {
    let folder = try Self.damaged("bert-classifier")
    let classifier = try TextClassifier(folder.path).blocking
    for text in ["", "a zzz"] {
      let error = #expect(throws: ApusError.self) { try classifier.classify(["a cat", text]) }
      #expect(error?.location == "text 1", "\(text)")
    }
    let encoder = try Self.damaged("bert-sentence")
    let embedder = try TextEmbedder(encoder.path).blocking
    let error = #expect(throws: ApusError.self) { try embedder.embed(["a cat", "a zzz"]) }
    #expect(error?.location == "text 1")
    let label = #expect(throws: ApusError.self) { try embedder.embed(labels: ["a cat", "a zzz"]) }
    #expect(label?.location == "label 'a zzz'")
  }
}
