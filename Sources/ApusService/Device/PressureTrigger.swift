import CLibrary
import FoundationEssentials
import Kernels
import TensorCore

/// A descriptor by which the kernel, or the manager of services, sends word that tasks wait for memory.
final class PressureTrigger: Sendable {
  let descriptor: CInt
  /// The events passed to `poll`.
  let events: Int16
  /// The meaning of its value.
  let level: MemoryPressure.Level
  let path: String

  private init(_ descriptor: CInt, _ events: Int32, _ level: MemoryPressure.Level, _ path: String) {
    (self.descriptor, self.events, self.level, self.path) = (descriptor, Int16(events), level, path)
  }

  deinit { close(descriptor) }

  /// Microseconds that some task, or all of them, waited in two seconds. Windows of other lengths than multiples of two
  /// seconds are for the privileged. Format: the kernel's documentation of pressure stall information.
  private static let thresholds: [(MemoryPressure.Level, String)] = [
    (.warning, "some 200000 2000000"), (.critical, "full 200000 2000000"),
  ]

  /// The available triggers: the one that the service manager names, else the process's control group, else the machine.
  static func all(
    in environment: [String: String] = ProcessEnvironment.variables,
    groups: ControlGroups = ControlGroups(of: "memory"), machine: String = "/proc/pressure/memory"
  ) -> [PressureTrigger] {
    if let path = environment["MEMORY_PRESSURE_WATCH"], !path.isEmpty {
      // So the manager says that nothing is to be watched.
      guard path != "/dev/null" else { return [] }
      let words =
        environment["MEMORY_PRESSURE_WRITE"].flatMap { Data(base64Encoded: $0) }.map(Array.init) ?? []
      if let trigger = open(path, .warning, writing: words) { return [trigger] }
    }
    let own = groups.isUnified ? groups.folders.first.map { ["\($0)/memory.pressure"] } ?? [] : []
    for path in own + [machine] {
      // The byte of zero is part of what is written: the kernel puts its own in the place of the last one.
      let triggers = thresholds.compactMap { open(path, $0, writing: Array($1.utf8) + [0]) }
      if !triggers.isEmpty { return triggers }
    }
    return []
  }

  /// Nil where that cannot be opened, or does not take what is written. A socket is not opened.
  private static func open(_ path: String, _ level: MemoryPressure.Level, writing bytes: [UInt8])
    -> PressureTrigger?
  {
    let descriptor = path.withFileName { CLibrary.open($0, O_RDWR | O_CLOEXEC | O_NONBLOCK) }
    guard descriptor >= 0 else { return nil }
    var status = stat()
    guard fstat(descriptor, &status) == 0,
      bytes.isEmpty || write(descriptor, bytes, bytes.count) == bytes.count
    else {
      close(descriptor)
      return nil
    }
    let isFile = status.st_mode & S_IFMT == S_IFREG
    return PressureTrigger(descriptor, isFile ? POLLPRI : POLLIN, level, path)
  }

  /// Reads what came, where words are bytes, so that the next one is told too.
  func takeWord() {
    guard Int32(events) == POLLIN else { return }
    withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer in
      while read(descriptor, buffer.baseAddress, buffer.count) > 0 {}
    }
  }
}
