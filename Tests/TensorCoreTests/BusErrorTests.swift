import Foundation
import TensorCore
import TestSupport
import Testing

/// Only faults inside mapped files are survived; all other bus errors end as they would without Apus.
struct BusErrorTests {
  @Test func anotherMappingsFaultEndsTheProcess() async {
    await #expect(processExitsWith: .signal(SIGBUS)) {
      let folder = try TemporaryFolder()
      _ = try MappedFile("/proc/self/exe")
      let path = try folder.write("theirs", [UInt8](repeating: 1, count: 100_000))
      let descriptor = open(path, O_RDONLY)
      let mapping = mmap(nil, 100_000, PROT_READ, MAP_PRIVATE, descriptor, 0)
      _ = truncate(path, 0)
      // Used, or the optimiser would leave the load out.
      _exit(Int32(mapping?.load(fromByteOffset: 50_000, as: UInt8.self) ?? 0))
    }
  }

  @Test func aSignalThatWasSentEndsTheProcess() async {
    await #expect(processExitsWith: .signal(SIGBUS)) {
      _ = try MappedFile("/proc/self/exe")
      raise(SIGBUS)
    }
  }

  @Test func theHandlerOfBeforeIsCalled() async {
    await #expect(processExitsWith: .exitCode(7)) {
      signal(SIGBUS) { _ in _exit(7) }
      _ = try MappedFile("/proc/self/exe")
      raise(SIGBUS)
    }
  }

  @Test func theHandlerOfBeforeWithInformationIsCalled() async {
    await #expect(processExitsWith: .exitCode(8)) {
      var action = sigaction()
      action.__sigaction_handler.sa_sigaction = { _, information, _ in _exit(information == nil ? 9 : 8) }
      action.sa_flags = SA_SIGINFO
      sigaction(SIGBUS, &action, nil)
      _ = try MappedFile("/proc/self/exe")
      raise(SIGBUS)
    }
  }

  @Test func anIgnoredSignalStaysIgnored() async {
    await #expect(processExitsWith: .exitCode(3)) {
      signal(SIGBUS, SIG_IGN)
      _ = try MappedFile("/proc/self/exe")
      raise(SIGBUS)
      _exit(3)
    }
  }
}
