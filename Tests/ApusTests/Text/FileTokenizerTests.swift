import Apus
import TestSupport
import Testing

/// The tokenizer in a `.tflite` file is found whatever the file is called, as the model is.
struct FileTokenizerTests {
  private let folder: TemporaryFolder
  private let model: [UInt8]

  init() throws {
    folder = try TemporaryFolder()
    model = try ManyOutputTextModel.bytes([.logits], labelled: 0, names: [])
  }

  @Test(arguments: ["words.tflite", "words.TFLITE", "words", "words.bin", "words.model", "vocab.txt"])
  func theNameOfTheFileDoesNotCount(_ name: String) throws {
    let path = try folder.write(name, model)
    let ids = try Tokenizer(path).encode("good, bad").ids
    // 0 to 2 are padding, the start, and words that are not known.
    let words = ids.filter { $0 > 2 }
    #expect(words == [3, 4], "\(ids)")
    let labels = try TextClassifier(path).labels
    #expect(labels == ManyOutputTextModel.labels)
  }

  @Test func otherFilesAreWhatTheyAreCalled() throws {
    let fixture = Checkout.modelFolder("bert-classifier")
    let expected = try Tokenizer(fixture).encode("a small cat").ids
    let found = try Tokenizer(fixture + "/tokenizer.json").encode("a small cat").ids
    #expect(found == expected)
    let short = try folder.write("short.tflite", Array("TFL3".utf8))
    let damaged = #expect(throws: ApusError.self) { try Tokenizer(short) }
    #expect(damaged?.kind == .malformedModel)
    let missing = #expect(throws: ApusError.self) { try Tokenizer("/nowhere/words.tflite") }
    #expect(missing?.kind == .file)
  }

  @Test(.enabled(if: CommandRun.isPossible, "needs the apus program")) func soDoesTheCommand() throws {
    let (plain, other) = (try folder.write("words.tflite", model), try folder.write("words", model))
    let expected = try CommandRun(["tokenize", "--model", plain, "--text", "good bad"])
    let found = try CommandRun(["tokenize", "--model", other, "--text", "good bad"])
    #expect(expected.exitCode == 0 && found.exitCode == 0, "\(found.messages)")
    #expect(found.output == expected.output && !found.output.isEmpty)
  }
}
