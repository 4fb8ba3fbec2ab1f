import Testing

@testable import ServeArguments

@Suite struct LimitArgumentsTests {
  /// A body that fits into no budget would be refused as one that may come again.
  @Test(arguments: [
    ["--max-body", "600"], ["--max-body", "2", "--max-bodies", "1"], ["--max-items", "0"],
    ["--request-timeout", "nan"], ["--drain=-1"],
  ])
  func limitsThatCannotBeAreRefused(_ arguments: [String]) {
    #expect(throws: (any Error).self) { try LimitArguments.parse(arguments) }
  }

  @Test func limitsMayBeTheSame() throws {
    #expect(try LimitArguments.parse(["--max-body", "600", "--max-bodies", "600"]).maxBody == 600)
    #expect(try LimitArguments.parse([]).maxItems == 1024)
  }
}
