import Dispatch
import HostMemory
import TensorCore

/// The memory for files that are read and decoded at a time: a large one waits until no other large one is read, and is
/// refused where there is no memory for it.
final class ReadingMemory: Sendable {
  /// Bytes that each file may take without asking.
  private let share: Int
  private let turn = DispatchSemaphore(value: 1)
  private let status: @Sendable () -> MemoryStatus?

  /// - Parameters:
  ///   - width: how many files are read at a time.
  ///   - status: the memory there is; nil where the system does not tell, and nothing is refused.
  init(
    width: Int, status: @escaping @Sendable () -> MemoryStatus? = { try? MemoryStatus.current() }
  ) {
    self.status = status
    // The other half is for the large one.
    share = (status()?.available ?? .max) / (2 * max(1, width))
  }

  /// The memory of one file, until it is released.
  struct Hold: ~Copyable {
    private let memory: ReadingMemory
    private var hasTurn = false

    fileprivate init(_ memory: ReadingMemory) { self.memory = memory }

    /// Asks for bytes before they are taken, those that were taken already not counted.
    /// - Parameters:
    ///   - taken: bytes that the file has taken by now.
    ///   - what: takes them, in a clause.
    /// - Throws: ``ApusError`` of kind `resources` where there are not so many.
    mutating func need(_ bytes: Int, besides taken: Int = 0, for what: @autoclosure () -> String)
      throws(ApusError)
    {
      let (all, isOver) = bytes.addingReportingOverflow(taken)
      guard isOver || all > memory.share else { return }
      if !hasTurn { memory.turn.wait() }
      hasTurn = true
      guard let bound = memory.status()?.narrowest, bytes > bound.available else { return }
      throw ApusError(
        .resources,
        "\(what()) takes \(Self.megabytes(bytes)) of memory, of which \(Self.megabytes(bound.available)) are free",
        expected: "at most what \(bound.source) leaves of \(Self.megabytes(bound.limit))",
        advice: "It is retried on every run; give the program more memory.")
    }

    deinit { if hasTurn { memory.turn.signal() } }

    private static func megabytes(_ bytes: Int) -> String {
      let tenths = bytes / 100_000
      return tenths < 100 ? "\(tenths / 10).\(tenths % 10) MB" : "\(tenths / 10) MB"
    }
  }

  func hold() -> Hold { Hold(self) }
}
