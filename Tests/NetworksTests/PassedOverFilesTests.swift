import Networks
import TensorCore
import TestSupport
import Testing

/// Who reads the files beside a model is told which were passed over, and why.
struct PassedOverFilesTests {
  private let folder: TemporaryFolder
  private let files: CompanionFiles

  init() throws {
    folder = try TemporaryFolder()
    files = CompanionFiles(in: folder.path)
  }

  private func labelNotes(classCount: Int) throws -> [String] {
    try files.labels(classCount: classCount).notes
  }

  private func metadataNotes(_ text: String, _ extents: [Int]) throws -> [String] {
    _ = try folder.write("meta.json", text)
    return try files.metadata(for: TensorType(.float32, try Shape(extents))).notes
  }

  @Test func labelsOfAnotherNumberOfClasses() throws {
    try folder.write("labels.json", #"["a", "b", "c", "d"]"#)
    let four = "labels.json beside the model has 4 labels, the model 3 classes: passed over"
    let three = try labelNotes(classCount: 3)
    #expect(three == [four])
    let fitting = try labelNotes(classCount: 4)
    #expect(fitting.isEmpty)
    try folder.write("labels.txt", "a\n")
    let both = try labelNotes(classCount: 3)
    #expect(both == [four, "labels.txt beside the model has 1 label, the model 3 classes: passed over"])
  }

  @Test func labelsOfSomethingElse() throws {
    try folder.write("labels.json", #"{"version": 6, "shapes": [], "flags": {}}"#)
    let notes = try labelNotes(classCount: 7)
    #expect(notes == ["labels.json beside the model holds no labels of it: passed over"])
  }

  @Test func labelsBesideThoseOfTheModel() throws {
    try folder.write("labels.json", #"["x", {"label": "y", "name": "Y"}]"#)
    let own = try files.labelDetails(of: ["y", "z"])
    #expect(own.notes.isEmpty && !own.content.isEmpty)
    let other = try files.labelDetails(of: ["a", "b"]).notes
    #expect(other == ["labels.json beside the model names other classes than the model itself: passed over"])
    try folder.write("labels.json", #"["b", "a"]"#)
    let alone = try files.labelDetails(of: ["a", "b"]).notes
    let plain = "says nothing but labels, and the model has its own: passed over"
    #expect(alone == ["labels.json beside the model \(plain)"])
  }

  @Test func metadataOfAnotherInput() throws {
    let size = #"{"threshold_default": 0.9, "input_size": [224, 224]}"#
    let other = try metadataNotes(size, [1, 128, 128, 3])
    let expected = "has input_size [224, 224], the model an input of [1, 128, 128, 3]: passed over"
    #expect(other == ["meta.json beside the model \(expected)"])
    let fitting = try metadataNotes(size, [1, 224, 224, 3])
    #expect(fitting.isEmpty)
    let list = try metadataNotes("[1]", [1, 8, 8, 3])
    #expect(list == ["meta.json beside the model is no JSON object: passed over"])
  }

  @Test(
    arguments: [([1, 3, 224, 224], 0), ([1, 224, 224, 3], 0), ([1, 224, 224, 1], 1)] as [([Int], Int)])
  func channelsOfTheMetadataAreThoseOfTheInput(extents: [Int], count: Int) throws {
    let notes = try metadataNotes(#"{"input_size": [3, 224, 224]}"#, extents)
    #expect(notes.count == count)
  }

  @Test func foldersAndLargeFiles() throws {
    try folder.write("labels.json/inside", "")
    let labels = try labelNotes(classCount: 3)
    #expect(labels == ["labels.json beside the model is a folder: passed over"])
    let large = try metadataNotes(String(repeating: " ", count: 1 << 20) + "{}", [1, 8, 8, 3])
    #expect(large == ["meta.json beside the model has more than 1 MiB: passed over"])
  }
}
