import TensorCore
import TestSupport
import Testing

@testable import Formats

/// The names of classes in a file's metadata, as exporters write them.
struct ONNXClassMetadataTests {
  private func metadata(_ entries: [(String, String)]) throws -> ONNXClassMetadata {
    var file = ONNXBuilder()
    file.input("x", [1, 4])
    file.output("y")
    file.node("Relu", ["x"], ["y"])
    for (key, value) in entries {
      var entry = ProtobufBytes()
      entry.add(1, key)
      entry.add(2, value)
      file.others.add(14, entry)
    }
    return ONNXClassMetadata(of: try ONNXModel(StoredBytes(file.build())))
  }

  @Test(arguments: [
    ("names", #"{0: 'tench', 1: "it's", 2: 'a, b'}"#, ["tench", "it's", "a, b"]),
    ("names", #"{0: 'ä\'s', 1: 'b\\c'}"#, ["ä's", #"b\c"#]), ("labels", "['cat', 'dog']", ["cat", "dog"]),
    ("labels", #"["cat", "dog"]"#, ["cat", "dog"]),
    ("id2label", #"{"1": "dog", "0": "cat"}"#, ["cat", "dog"]),
    ("character", "0\n90\n180", ["0", "90", "180"]),
    ("classes", "cat\ndog\n", ["cat", "dog"]), ("class_names", "cat, dog,bird", ["cat", "dog", "bird"]),
  ])
  func labelsAreRead(_ key: String, _ value: String, _ labels: [String]) throws {
    #expect(try metadata([("note", "x"), (key, value)]).labels()?.labels == labels)
  }

  @Test(arguments: [
    "{1: 'cat'}", "{0: 'cat', 0: 'dog'}", "{0: 'cat'", "{0: cat}", "['cat' 'dog']", "{", "{}", "[", "[]",
    "{0: 'c\\", "['\\x41']",
  ])
  func whatIsNoListIsRefused(_ value: String) throws {
    #expect(PythonLabels(value) == nil)
    #expect(throws: ApusError.self) { try metadata([("names", value)]).labels() }
  }

  @Test func nothingIsSaidOfClasses() throws {
    let plain = try metadata([("author", "Ultralytics")])
    #expect(try plain.labels() == nil)
    #expect(!plain.isUltralyticsClassifier)
    #expect(try metadata([("author", "Ultralytics"), ("task", "classify")]).isUltralyticsClassifier)
  }
}
