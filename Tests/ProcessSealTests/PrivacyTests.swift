import CLibrary
import ProcessSeal
import TensorCore
import Testing

/// What the kernel says of a sealed process, each in a process of its own: a seal cannot be undone.
struct PrivacyTests {
  @Test func aProcessThatIsNotSealedDoesNotPass() async {
    await #expect(processExitsWith: .success) {
      let verification = Privacy.verify()
      #expect(!verification.report.isSealed)
      #expect(!verification.isPassing)
      #expect(verification.badge == .checkFailed)
    }
  }

  @Test func aSealedProcessHasNoWayToTheNetwork() async {
    await #expect(processExitsWith: .success) {
      #expect(socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0) >= 0)
      try Privacy.seal()
      let verification = Privacy.verify()
      #expect(verification.attempts.count >= 14)
      for attempt in verification.attempts { #expect(attempt.answer == .refused, "\(attempt.name)") }
      #expect(socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0) == -1)
      #expect(errno == EPERM)
      let report = verification.report
      #expect(report.isSealed)
      #expect(report.hasNoNewPrivileges)
      #expect(report.filters.map { $0 >= 1 } ?? true)
      #expect(report.modes.allSatisfy { $0 == 2 })
      #expect(!report.modes.isEmpty)
    }
  }

  @Test func everyThreadIsSealed() async {
    await #expect(processExitsWith: .success) {
      // It sleeps until the process ends.
      var thread = pthread_t()
      pthread_create(&thread, nil, { _ in while true { sleep(1) } }, nil)
      try Privacy.seal()
      let modes = Privacy.report().modes
      #expect(modes.count >= 2)
      #expect(modes.allSatisfy { $0 == 2 })
    }
  }

  @Test func sealingAgainChangesNothing() async {
    await #expect(processExitsWith: .success) {
      try Privacy.seal()
      let filters = Privacy.report().filters
      try Privacy.seal()
      #expect(Privacy.report().filters == filters)
    }
  }

  @Test func socketsThatWereOpenBeforeAreNamed() async {
    await #expect(processExitsWith: .success) {
      let unix = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
      let udp = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
      // The kernel lists a socket of UDP once it has a port.
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      withUnsafePointer(to: &address) { address in
        address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          _ = bind(udp, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
      try Privacy.seal()
      let report = Privacy.report()
      #expect(report.sockets.contains { $0.descriptor == unix && $0.kind == "unix" })
      #expect(report.sockets.contains { $0.descriptor == udp && $0.kind == "udp" })
      #expect(report.isSealed)
      #expect(!report.isLocal)
      #expect(report.badge.text == "Privacy check failed")
    }
  }
}
