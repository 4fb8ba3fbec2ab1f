/// The memory that this process may use, and how much is taken, by each limit: the machine, the process's control groups,
/// and its own limits.
///
///     let memory = try MemoryStatus.current()
///     print("\(memory.available) of \(memory.limit) bytes are free, by the limit of \(memory.narrowest.source)")
///
/// The limit that leaves the least counts.
public struct MemoryStatus: Sendable, Hashable, Codable {
  /// All limits there are, the machine's first. At least one.
  public let bounds: [Bound]
  /// The memory of this process itself.
  public let process: ProcessMemory

  /// The limit that leaves the least.
  public var narrowest: Bound {
    bounds.min { $0.available < $1.available } ?? Bound(.machine, limit: 0, used: 0)
  }
  /// Bytes that may be used, by the limit that leaves the least.
  public var limit: Int { narrowest.limit }
  /// Used bytes of that limit, by all processes under it.
  public var used: Int { narrowest.used }
  /// Bytes that can be had now.
  public var available: Int { narrowest.available }
  /// The share of a limit that is used, where that is the most: from 0 to 1, or more.
  public var share: Double { bounds.map(\.share).max() ?? 0 }

  package init(bounds: [Bound], process: ProcessMemory) {
    (self.bounds, self.process) = (bounds, process)
  }
}

extension MemoryStatus {
  /// The source of a limit.
  public enum Source: Sendable, Hashable, Codable {
    /// The memory that the machine has. What the kernel can have back without swapping is not counted as used.
    case machine
    /// A control group, of version 1 or 2, by its folder. Files that are cached and that no process has mapped are not
    /// counted as used.
    case controlGroup(folder: String)
    /// The addresses that the process may take: `ulimit -v`, `RLIMIT_AS`.
    case addressSpace
    /// The memory without files that the process may take: `ulimit -d`, `RLIMIT_DATA`.
    case data
  }

  /// One limit, and what is used of it.
  public struct Bound: Sendable, Hashable, Codable {
    /// The source.
    public let source: Source
    /// Bytes that may be used.
    public let limit: Int
    /// Used bytes, by all processes under this limit.
    public let used: Int

    /// Bytes that can be had now.
    public var available: Int { limit > used ? limit - max(0, used) : 0 }
    /// The share that is used: from 0 to 1, or more.
    public var share: Double { limit > 0 ? Double(used) / Double(limit) : 1 }

    /// - Parameters:
    ///   - limit: bytes, at least 0.
    ///   - used: bytes, at least 0.
    package init(_ source: Source, limit: Int, used: Int) {
      (self.source, self.limit, self.used) = (source, max(0, limit), max(0, used))
    }
  }
}

extension MemoryStatus.Source: CustomStringConvertible {
  /// Words for messages: `the machine`, `the control group /sys/fs/cgroup/a`.
  public var description: String {
    switch self {
    case .machine: "the machine"
    case .controlGroup(let folder): "the control group \(folder)"
    case .addressSpace: "the process's addresses (ulimit -v)"
    case .data: "the process's data (ulimit -d)"
    }
  }
}
