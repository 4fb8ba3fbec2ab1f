import Testing

@testable import ServeArguments

@Suite struct ServeProgramTests {
  /// The C library's are those that Swift reads from /proc, where that is.
  @Test func argumentsAreThoseOfTheProcess() {
    #expect(ServeProgram.arguments == Array(CommandLine.arguments.dropFirst()))
  }
}
