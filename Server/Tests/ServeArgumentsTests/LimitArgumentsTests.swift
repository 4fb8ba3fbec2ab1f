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
    #expect(try LimitArguments.parse(["--max-body", "600", "--max-bodies", "600"]).body == 600)
    #expect(try LimitArguments.parse([]).maxItems == 1024)
  }

  /// Of body and bodies, what is not given makes room for what is.
  @Test(arguments: [
    ([String](), 32, 512), (["--max-body", "600"], 600, 600), (["--max-body", "8"], 8, 512),
    (["--max-bodies", "16"], 16, 16), (["--max-bodies", "1024"], 32, 1024),
  ])
  func oneLimitOfBodiesIsEnough(_ arguments: [String], _ body: Int, _ bodies: Int) throws {
    let limits = try LimitArguments.parse(arguments)
    #expect(limits.body == body && limits.bodies == bodies)
    #expect(limits.serving().images.fileBytes == body << 20)
  }
}
