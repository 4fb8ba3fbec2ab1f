import TestSupport
import Testing

/// A file of labels tells commands which of a text classifier's outputs has the scores.
@Suite(.enabled(if: CommandRun.isPossible, "needs the apus program"))
struct TextLabelCommandTests {
  private let folder: TemporaryFolder
  private let model: String
  private let labels: String

  init() throws {
    folder = try TemporaryFolder()
    let bytes = try ManyOutputTextModel.bytes([.features, .logits], labelled: nil, names: [])
    model = try folder.write("texts.tflite", bytes)
    labels = try folder.write("three.txt", "good\nbad\nneither\n")
  }

  @Test func textsAreClassifiedByIt() throws {
    let arguments = ["classify-text", "good good bad", "--model", model]
    let run = try CommandRun(arguments + ["--labels", labels, "--top-k", "1", "--json"])
    #expect(run.exitCode == 0, "\(run.messages)")
    #expect(run.output.contains(#""label": "good""#), "\(run.output)")
    let unnamed = try CommandRun(arguments)
    #expect(unnamed.exitCode == 4 && unnamed.messages.contains("(--labels,"), "\(unnamed.messages)")
    let names = try CommandRun(arguments + ["--labels", "good, bad, neither"])
    #expect(names.exitCode == 2 && names.messages.contains("a line for each class"), "\(names.messages)")
  }

  @Test func modelsAreComparedByIt() throws {
    let list = try folder.write("dev.tsv", "text\tlabel\ngood good bad\tgood\nbad bad bad\tbad\n")
    let arguments = ["compare", model, model, "--data", list]
    let run = try CommandRun(arguments + ["--labels", labels, "--json"])
    #expect(run.exitCode == 0 && run.output.contains("\"neither\""), "\(run.messages)")
    let unnamed = try CommandRun(arguments)
    #expect(unnamed.exitCode == 4 && unnamed.messages.contains("(--labels,"), "\(unnamed.messages)")
    let two = try folder.write("two.txt", "good\nbad\n")
    let fewer = try CommandRun(arguments + ["--labels", two])
    #expect(fewer.exitCode == 4, "\(fewer.messages)")
  }
}
