import Apus
import FoundationEssentials
import Testing

@testable import ServeArguments

@Suite struct ModelArgumentsTests {
  private static let precisions: [(String, Precision)] = [
    ("f32", .float32), ("float32", .float32), ("bf16", .bfloat16), ("INT8", .int8),
  ]

  @Test(arguments: ModelArgumentsTests.precisions)
  func precisionsHaveTheNamesThatTheyHaveElsewhere(_ name: String, _ precision: Precision) throws {
    let options = try ModelArguments.options(of: "eyes=owner/model@\(name)")
    #expect(options.name == "eyes" && options.path == "owner/model")
    #expect(options.inference.precision == precision)
  }

  @Test func whatIsNoPrecisionMayBeARevision() throws {
    let options = try ModelArguments.options(of: "owner/model@main")
    #expect(options.path == "owner/model@main" && options.inference.precision == nil)
  }

  @Test func aModelThatIsThereHasNoOtherSuffixes() throws {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "model-\(UInt64.random(in: 0 ... .max))")
    let marked = folder.appending(path: "model@int8")
    try FileManager.default.createDirectory(at: marked, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    #expect {
      try ModelArguments.options(of: "\(folder.path())@nonsense")
    } throws: { "\($0)".contains("'nonsense', expected @f32, @bf16 or @int8") }
    #expect(try ModelArguments.options(of: marked.path()).inference.precision == nil)
  }
}
