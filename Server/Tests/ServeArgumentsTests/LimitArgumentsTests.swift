import Testing

@testable import ServeArguments

@Suite struct LimitArgumentsTests {
  /// A body that fits into no budget would be refused as one that may come again.
  @Test(arguments: [
    ["--max-body", "2", "--max-bodies", "1"], ["--max-body", "0"], ["--max-bodies", "0"],
    ["--max-items", "0"],
    ["--request-timeout", "nan"], ["--drain=-1"],
  ])
  func limitsThatCannotBeAreRefused(_ arguments: [String]) {
    #expect(throws: (any Error).self) { try LimitArguments.parse(arguments) }
  }

  @Test func limitsMayBeTheSame() throws {
    let limits = try LimitArguments.parse(["--max-body", "600", "--max-bodies", "600"])
    #expect(limits.bodies(memory: 1 << 30) == (600, 600))
    #expect(try LimitArguments.parse([]).maxItems == 1024)
  }

  /// Of body and bodies, what is not given makes room for what is.
  @Test(arguments: [
    ([String](), 32, 512), (["--max-body", "600"], 600, 600), (["--max-body", "8"], 8, 512),
    (["--max-bodies", "16"], 16, 16), (["--max-bodies", "1024"], 32, 1024),
  ])
  func oneLimitOfBodiesIsEnough(_ arguments: [String], _ body: Int, _ bodies: Int) throws {
    let limits = try LimitArguments.parse(arguments)
    #expect(limits.bodies(memory: .max) == (body, bodies))
    #expect(limits.serving(memory: .max).images.fileBytes == body << 20)
  }

  /// As in a control group of 300 MB, of which 256 are left.
  @Test func defaultsFollowTheMemory() throws {
    let limits = try LimitArguments.parse([]), memory = 256 << 20
    #expect(limits.bodies(memory: memory) == (8, 16))
    let serving = limits.serving(memory: memory)
    #expect(serving.images.fileBytes == 8 << 20)
    #expect(serving.images.pixels == memory / 18 && serving.pictures.pixels == memory / 18)
    #expect(serving.waitingTensorBytes == 32 << 20)
    #expect(limits.bodies(memory: 0) == (1, 1))
    let given = try LimitArguments.parse(["--max-pixels", "64", "--max-body", "32"])
    #expect(given.serving(memory: memory).images.pixels == 64_000_000)
    #expect(given.bodies(memory: memory) == (32, 32))
  }
}
