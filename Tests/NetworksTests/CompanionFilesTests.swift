import Formats
import Foundation
import Networks
import TensorCore
import Testing

/// What lies beside a model is taken when it fits, passed over when it is of something else, and refused when it is damaged.
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
      let found = try [2, 3, 4].map { try files.labels(classCount: $0).content?.labels }
      #expect(found == [["a", "b"], ["x", "y", "z"], nil])
    }
  }

  @Test func metadataOfAnotherInputSizeArePassedOver() throws {
    try withFolder(["meta.json": #"{"threshold_default": 0.5, "input_size": [96, 64]}"#]) { folder in
      let files = CompanionFiles(in: folder)
      #expect(try files.metadata().content?.threshold == 0.5)
      let fitting = try [[1, 96, 64, 3], [1, 3, 96, 64]].map { TensorType(.float32, try Shape($0)) }
      #expect(try fitting.allSatisfy { try files.metadata(for: $0).content?.threshold == 0.5 })
      let other = TensorType(.float32, try Shape([1, 64, 96, 3]))
      #expect(try files.metadata(for: other).content == nil)
    }
  }

  /// What a file beside a model is refused for; empty where it is passed over.
  private func refusal(_ name: String, _ text: String, _ read: (CompanionFiles) throws -> Any?) throws
    -> String
  {
    var refusal = ""
    try withFolder([name: text]) { folder in
      do {
        let found = try read(CompanionFiles(in: folder))
        #expect(found == nil, "\(text)")
      } catch { refusal = "\(error)".replacing(folder + "/", with: "") }
    }
    return refusal
  }

  @Test(arguments: [
    (#"["a", "b""#, "line 1"), (#"["a", "b",]"#, "line 1"),
    (#"{"classes": ["a", "b"]}"#, "\"classes\" is a list"),
    (#"["a", 5]"#, "label 1 is"), (#"{"0": "a", "2": "b"}"#, "index 2"),
    (#"{"a": {"advise": "Wait."}, "b": {}}"#, "the key \"advise\""), (#"{"0": "a", "1": 5}"#, "expected"),
    ("", "line 1"),
  ])
  func damagedLabelsAreRefused(_ text: String, _ problem: String) throws {
    let refusal = try refusal("labels.json", text) { try $0.labels(classCount: 2).content }
    #expect(refusal.hasPrefix("labels.json: ") && refusal.contains(problem), "\(refusal)")
    #expect(refusal.contains("beside the model"))
  }

  /// An index beyond those of all labels is one of a class.
  @Test func labelsThatLackOneAreRefused() throws {
    let refusal = try refusal("labels.json", #"{"0": "a", "2": "c"}"#) {
      try $0.labels(classCount: 3).content
    }
    #expect(refusal.hasPrefix("labels.json: "))
  }

  @Test func damagedDetailsOfAModelWithLabelsAreRefused() throws {
    let text = #"{"rust": {"advise": "Wait."}}"#
    let refusal = try refusal("labels.json", text) { files -> Any? in
      try files.labelDetails(of: ["blight", "rust", "smut"]).content.isEmpty ? nil : files
    }
    #expect(refusal.contains("the key \"advise\""))
    let other = try self.refusal("labels.json", text) { files -> Any? in
      try files.labelDetails(of: ["cat", "dog", "bird"]).content.isEmpty ? nil : files
    }
    #expect(other == "")
  }

  @Test func detailsOfTwoClassesOfOneLabelNeedAPlace() throws {
    let own = ["crane", "cat", "crane"]
    try withFolder(["labels.json": #"["crane", "cat", {"label": "crane", "name": "Machine"}]"#]) { folder in
      let details = try CompanionFiles(in: folder).labelDetails(of: own).content
      #expect(Array(details.keys) == [2])
    }
    let refusal = try refusal("labels.json", #"{"crane": {"name": "Bird"}}"#) { files -> Any? in
      try files.labelDetails(of: own).content.isEmpty ? nil : files
    }
    #expect(refusal.hasPrefix(#"labels.json: label "crane": 2 classes"#), "\(refusal)")
  }

  @Test func labelsInAnotherEncodingAreRefused() throws {
    try withFolder([:]) { folder in
      try Data([0x61, 0xE9, 0x0A]).write(to: URL(fileURLWithPath: folder + "/labels.txt"))
      #expect(throws: ApusError.self) { try CompanionFiles(in: folder).labels(classCount: 1) }
    }
  }

  /// As other programs have files of that name.
  @Test(arguments: [
    #"[{"name": "bug", "color": "d73a4a"}, {"name": "question", "color": "ffffff"}]"#,
    #"{"version": 6, "shapes": [], "flags": {}}"#, "5", "[]", "{}",
  ])
  func labelsOfSomethingElseArePassedOver(_ text: String) throws {
    #expect(try refusal("labels.json", text) { try $0.labels(classCount: 7).content } == "")
  }

  @Test(arguments: [
    (#"{"threshold_default": 0.5,}"#, "line 1"), (#"{"threshold_default": "high"}"#, "\"threshold_default\""),
    (#"{"threshold_default": 75}"#, "expected a number from 0 to 1"),
    (#"{"threshold_defaut": 0.99}"#, "threshold_defaut"),
    ("{", "line 1"), ("", "line 1"),
  ])
  func damagedMetadataAreRefused(_ text: String, _ problem: String) throws {
    let refusal = try refusal("meta.json", text) { try $0.metadata().content }
    #expect(refusal.hasPrefix("meta.json: ") && refusal.contains(problem), "\(refusal)")
  }

  @Test func metadataOfSomethingElseArePassedOver() throws {
    #expect(try refusal("meta.json", "[1]") { try $0.metadata().content } == "")
    try withFolder(["meta.json": #"{"lang": "en", "name": "core_web_sm", "projection": 5}"#]) { folder in
      let found = try CompanionFiles(in: folder).metadata().content
      #expect(found == ClassifierMetadata())
    }
    try withFolder(["meta.json": String(repeating: " ", count: 1 << 20) + "{}"]) { folder in
      let found = try CompanionFiles(in: folder).metadata().content
      #expect(found == nil)
    }
    try withFolder([:]) { folder in
      for name in ["meta.json", "labels.json"] {
        try FileManager.default.createDirectory(
          atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
      }
      let files = CompanionFiles(in: folder)
      #expect(try files.metadata().content == nil && files.labels(classCount: 2).content == nil)
    }
  }

  @Test func nothingBesideAModelIsNothing() throws {
    let files = CompanionFiles(beside: "model-of-no-folder.tflite")
    #expect(try files.metadata().content == nil)
    #expect(try files.labels(classCount: 2).content == nil)
  }
}
