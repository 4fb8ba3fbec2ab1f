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

  /// Before anything is opened; a duration of NaN would end the process.
  @Test(arguments: [
    ["--threads", "0"], ["--threshold", "1.5"], ["--threshold", "nan"], ["--logit-scale", "inf"],
    ["--logit-bias=nan"],
    ["--template", "a photo"], ["--target", "nan"], ["--target=-1"], ["--keep-alive", "inf"],
    ["--transparency", "pink"],
  ])
  func numbersThatCannotBeAreRefused(_ arguments: [String]) {
    let name = String(arguments[0].prefix { $0 != "=" })
    #expect {
      try ModelArguments.parse(["--model", "owner/model"] + arguments)
    } throws: { error in ModelArguments.message(for: error).contains(name) }
  }

  @Test func soundNumbersAreTaken() throws {
    let arguments = try ModelArguments.parse([
      "--model", "owner/model", "--threads", "2", "--threshold", "0.5", "--logit-scale", "10",
      "--target", "50", "--keep-alive", "0", "--template", "a photo of {}", "--transparency", "white",
    ])
    let options = try #require(try arguments.options().first)
    #expect(options.inference.threads == 2 && options.logitScale == 10)
    #expect(options.latencyTarget != nil && options.keepAlive == .zero)
    #expect(options.transparency == .over(.white))
    let plain = try #require(try ModelArguments.parse(["--model", "owner/model"]).options().first)
    #expect(plain.transparency == .ignored)
  }

  /// Each request would be refused for it.
  @Test(arguments: [("a cat\na dog\n a cat \n", true), ("caf\u{E9}\ncafe\u{301}\n", false)])
  func labelsThatComeAgainAreRefused(_ text: String, _ isRefused: Bool) throws {
    let file = FileManager.default.temporaryDirectory.appending(
      path: "labels-\(UInt64.random(in: 0 ... .max))")
    try Data(text.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let arguments = try ModelArguments.parse(["--model", "a/b", "--zero-shot-labels", file.path()])
    do {
      let options = try arguments.options()
      #expect(options.first?.zeroShotLabels.count == 2 && !isRefused)
    } catch let error as ApusError {
      #expect(isRefused && error.kind == .configuration && "\(error)".contains("'a cat' appears twice"))
    }
  }

  @Test(arguments: ["a/stats", "a//b", "./x", "versions", "a\nb"])
  func namesThatNoAddressHasAreRefused(_ name: String) {
    #expect {
      try ModelArguments.options(of: "\(name)=owner/model")
    } throws: { ($0 as? ApusError)?.kind == .argument }
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
