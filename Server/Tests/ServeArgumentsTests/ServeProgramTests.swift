import Apus
import Glibc
import Testing

@testable import ServeArguments

@Suite struct ServeProgramTests {
  /// The C library's are those that Swift reads from /proc, where that is.
  @Test func argumentsAreThoseOfTheProcess() {
    #expect(ServeProgram.arguments == Array(CommandLine.arguments.dropFirst()))
  }

  /// Of a stream that whoever started the program had closed, no other file takes the number.
  @Test func closedStreamsLeadNowhere() {
    close(STDIN_FILENO)
    FileDescriptors.prepare()
    #expect(fcntl(STDIN_FILENO, F_GETFD) >= 0)
  }

  /// Where there are none to be had, libdispatch would wait for ever, and SwiftNIO end the process.
  @Test func tooFewThreadsAreSaidToBe() throws {
    try ThreadTrial.check()
    #expect(ThreadTrial.wanted > WorkerThreads.count)
    #expect {
      try ThreadTrial.check { wanted in wanted - 1 }
    } throws: { error in
      guard let error = error as? ApusError else { return false }
      return error.kind == .resources && "\(error)".contains("ulimit -u")
    }
  }
}
