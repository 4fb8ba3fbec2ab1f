import Foundation
import Networks
import TensorCore
import Testing

/// What lies beside a model is taken when it fits, and passed over when it does not.
@Suite struct CompanionFilesTests {
  private func withFolder(_ files: [String: String], _ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for (name, text) in files {
      try Data(text.utf8).write(to: folder.appendingPathComponent(name))
    }
    try body(folder.path)
  }

  @Test func labelsAreTakenWhenThereIsOneForEachClass() throws {
    try withFolder(["labels.json": #"["a", "b"]"#, "labels.txt": "x\ny\nz\n"]) { folder in
      let files = CompanionFiles(beside: folder + "/model.tflite")
      #expect(files.labels(classCount: 2)?.labels == ["a", "b"])
      #expect(files.labels(classCount: 3)?.labels == ["x", "y", "z"])
      #expect(files.labels(classCount: 4) == nil)
    }
  }

  @Test func metadataOfAnotherInputSizeArePassedOver() throws {
    try withFolder(["meta.json": #"{"threshold_default": 0.5, "input_size": [96, 64]}"#]) { folder in
      let files = CompanionFiles(in: folder)
      #expect(files.metadata()?.threshold == 0.5)
      let fitting = try [[1, 96, 64, 3], [1, 3, 96, 64]].map { TensorType(.float32, try Shape($0)) }
      #expect(fitting.allSatisfy { files.metadata(for: $0)?.threshold == 0.5 })
      let other = TensorType(.float32, try Shape([1, 64, 96, 3]))
      #expect(files.metadata(for: other) == nil)
    }
  }

  @Test(arguments: ["[1]", "{", #"{"threshold_default": "much"}"#, ""])
  func filesThatAreSomethingElseArePassedOver(_ text: String) throws {
    try withFolder(["meta.json": text, "labels.json": text]) { folder in
      let files = CompanionFiles(beside: folder + "/model.tflite")
      #expect(files.metadata() == nil)
      #expect(files.labels(classCount: 7) == nil)
    }
  }

  @Test func nothingBesideAModelIsNothing() {
    let files = CompanionFiles(beside: "model-of-no-folder.tflite")
    #expect(files.metadata() == nil)
    #expect(files.labels(classCount: 2) == nil)
  }
}
