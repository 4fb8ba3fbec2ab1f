import Foundation
import Networks
import TensorCore
import TestSupport
import Testing

/// A key of config.json that nothing knows, and that says nothing, is told of and does not end the opening; with a value it
/// does, for it could change a result.
struct EmptyKeyTests {
  /// The folder of a fixture with another key in its configuration.
  private func folder(_ fixture: String, _ key: String, _ value: String, in object: String? = nil) throws
    -> TemporaryFolder
  {
    let folder = try TemporaryFolder(copying: Checkout.modelFolder(fixture))
    let bytes = try FileBytes.read("\(folder.path)/config.json", limit: 1 << 20)
    let place = object.map { "\"\($0)\": {" } ?? "{"
    let text = String(decoding: bytes, as: UTF8.self)
    let start = try #require(text.range(of: place))
    let more = "\(place)\"\(key)\": \(value), "
    try folder.write("config.json", text.replacingCharacters(in: start, with: more))
    return folder
  }

  @Test(arguments: ["false", "{}", "[]", "\"\""])
  func emptyOnesAreToldOf(_ value: String) throws {
    let folder = try folder("bert-classifier", "something_new", value)
    let opened = try OpenedModel(folder.path)
    let note = "passed over 'something_new', which Apus does not know and which says nothing"
    #expect(opened.preparation.notes == ["\(folder.path)/config.json: \(note)"])
    let told = try opened.preparation.textMetadata().notes
    #expect(told == opened.preparation.notes)
  }

  @Test func withinObjectsToo() throws {
    let folder = try folder("clip", "something_new", "false", in: "text_config")
    let notes = try OpenedModel(folder.path).preparation.notes
    #expect(notes.count == 1 && notes.first?.contains("'text_config.something_new'") == true, "\(notes)")
  }

  @Test(arguments: ["null", "0", "true", "\"x\"", "[0]"])
  func othersAreNot(_ value: String) throws {
    let folder = try folder("bert-classifier", "something_new", value)
    guard value != "null" else {
      let notes = try OpenedModel(folder.path).preparation.notes
      #expect(notes.isEmpty)
      return
    }
    let error = try #require(throws: ApusError.self) { try OpenedModel(folder.path) }
    #expect(error.kind == .unsupportedModel && "\(error)".contains("something_new"))
  }
}
