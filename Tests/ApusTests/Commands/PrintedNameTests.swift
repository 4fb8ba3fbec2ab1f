import Foundation
import TestSupport
import Testing

/// Names of files, and what models and their files say, can neither colour a terminal nor begin a line of their own.
@Suite(.enabled(if: CommandRun.isPossible, "needs the apus program"))
struct PrintedNameTests {
  private static let escape = "\u{1B}[31m"
  private static let written = "\\u{1B}[31m"
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Whether there is nothing that a terminal obeys but the ends of lines.
  private func isPlain(_ run: CommandRun) -> Bool {
    (run.output + run.messages).unicodeScalars.allSatisfy { scalar in
      switch scalar.value {
      case 0x0A: true
      case 0..<0x20, 0x7F..<0xA0, 0x202A...0x202E: false
      default: true
      }
    }
  }

  private func lines(_ text: String) -> [Substring] { text.split(separator: "\n") }

  @Test func modelsHaveALineEach() throws {
    let bytes = ColourModel.bytes(softmax: true)
    try folder.write("one\ntwo\(Self.escape)/a.tflite", bytes)
    try folder.write("b.tflite", bytes)
    try folder.write("c\(Self.escape)\nfake.tflite", "no model")
    let command = ["models", "--no-hugging-face", folder.path]
    let run = try CommandRun(command)
    #expect(run.exitCode == 0 && isPlain(run), "\(run.output)")
    #expect(lines(run.output).count == 4, "\(run.output)")
    #expect(run.output.contains("one\\u{A}two\(Self.written)/a.tflite"), "\(run.output)")
    let json = try CommandRun(command + ["--json"])
    let record = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
    let paths = (record?["models"] as? [[String: Any]])?.compactMap { $0["path"] as? String }
    #expect(paths?.contains(folder.path + "/one\ntwo\(Self.escape)/a.tflite") == true)
  }

  @Test func tensorsAndMetadataAreWrittenOut() throws {
    let data = SafetensorsBuilder.bytes([1])
    let evil = "x\\u001b[31m\\u202e"
    let header =
      #"{"__metadata__": {"\#(evil)": "\#(evil)"}, "\#(evil)": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}}"#
    let file = try folder.write("t.safetensors", SafetensorsBuilder.file(header: header, data: data))
    let run = try CommandRun(["inspect", file])
    #expect(run.exitCode == 0 && isPlain(run), "\(run.output) \(run.messages)")
    #expect(run.output.contains("x\(Self.written)\\u{202E}  F32"), "\(run.output)")
  }

  @Test func namesOfATFLiteFileAreWrittenOut() throws {
    // Of one length: the name of the result becomes a colour.
    let (name, evil) = (Array("means".utf8), Array("\u{1B}[31m".utf8))
    var bytes = ColourModel.bytes(softmax: false)
    let places = bytes.indices.filter { bytes[$0...].starts(with: name) }
    for place in places { bytes.replaceSubrange(place..<(place + name.count), with: evil) }
    try #require(!places.isEmpty)
    let model = try folder.write("evil\(Self.escape).tflite", bytes)
    let picture = try folder.write("p\(Self.escape)\n.png", FolderFixture.png)
    for command in [
      ["inspect", model], ["bench", "model", model, "--runs", "2", "--profile", "order"],
      ["classify", picture, "--model", model], ["embed", "--image", picture, "--model", model],
    ] {
      let run = try CommandRun(command)
      #expect(run.exitCode == 0 && isPlain(run), "\(run.output) \(run.messages)")
    }
    let inspected = try CommandRun(["inspect", model])
    #expect(inspected.output.contains("output 0 '\(Self.written)'"), "\(inspected.output)")
  }

  @Test(arguments: [
    ("BertForSequenceClassification", "\\u001b[31mNet"), ("{", "{\"\\u001b[31mkey\": 1,"),
  ])
  func whatAConfigurationSaysIsWrittenOut(_ found: String, _ replacement: String) throws {
    let model = folder.path + "/model"
    try FileManager.default.copyItem(atPath: Checkout.modelFolder("bert-classifier"), toPath: model)
    let file = URL(fileURLWithPath: model + "/config.json")
    var text = try String(contentsOf: file, encoding: .utf8)
    text.replaceSubrange(try #require(text.range(of: found)), with: replacement)
    try text.write(to: file, atomically: true, encoding: .utf8)
    let run = try CommandRun(["inspect", model])
    #expect(run.exitCode > 2 && isPlain(run), "\(run.messages)")
    #expect(run.messages.contains(Self.written) && lines(run.messages).count == 1, "\(run.messages)")
  }

  @Test func messagesAreWrittenOut() throws {
    let model = try folder.write("colour.tflite", ColourModel.bytes(softmax: false))
    let missing = try CommandRun(["classify", "n\(Self.escape)\r.png", "--model", model])
    #expect(missing.exitCode == 3 && isPlain(missing), "\(missing.messages)")
    #expect(missing.messages.contains("n\(Self.written)\\u{D}.png"), "\(missing.messages)")
    // Help on usage has several lines.
    let usage = try CommandRun(["classify", "--\(Self.escape)"])
    #expect(usage.exitCode == 2 && isPlain(usage) && lines(usage.messages).count > 1, "\(usage.messages)")
  }
}
