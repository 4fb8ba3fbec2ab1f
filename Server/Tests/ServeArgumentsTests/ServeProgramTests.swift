import Apus
import CLibrary
import FoundationEssentials
import Testing

@testable import ServeArguments

@Suite struct ServeProgramTests {
  /// The C library's are those that Swift reads from /proc, where that is.
  @Test func argumentsAreThoseOfTheProcess() {
    #expect(ServeProgram.arguments == Array(CommandLine.arguments.dropFirst()))
  }

  /// Of a stream that whoever started the program had closed, no other file takes the number, and one that was open stays
  /// what it was. In a process of its own, as other tests open files meanwhile.
  @Test func closedStreamsLeadNowhere() async {
    await #expect(processExitsWith: .success) {
      let streams: ClosedRange<Int32> = 500...502
      #expect(streams.allSatisfy { fcntl($0, F_GETFD) < 0 })
      let zero = open("/dev/zero", O_RDONLY)
      dup2(zero, 501)
      close(zero)
      FileDescriptors.prepare(streams)
      #expect(streams.map(Self.target) == ["/dev/null", "/dev/zero", "/dev/null"])
      #expect(streams.allSatisfy { fcntl($0, F_GETFD) & FD_CLOEXEC == 0 })
    }
  }

  /// What a descriptor leads to; nil where it is closed.
  private static func target(_ descriptor: Int32) -> String? {
    try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
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
