import Networks
import TensorCore
import TestSupport
import Testing

struct ModelPlaceTests {
  /// As `apus compare` takes it; no repository is to be fetched for it.
  @Test(arguments: [("int8", "int8"), ("f32", "f32"), ("BFloat16", "bf16")])
  func aPrecisionBehindAFolderIsAnOption(_ stated: String, _ option: String) throws {
    let folder = try TemporaryFolder()
    let error = try #require(throws: ApusError.self) { try ModelPlace("\(folder.path)@\(stated)") }
    #expect(error.kind == .file)
    #expect(error.advice?.contains("the option precision (\(option))") == true, "\(error)")
    for name in ["\(folder.path)@main", "\(folder.path)-not@\(stated)"] {
      let other = try #require(throws: ApusError.self) { try ModelPlace(name) }
      #expect(!"\(other)".contains("option precision"), "\(other)")
    }
  }
}
