import CLibrary
import TensorCore

/// A library of the system that is loaded when a file first needs it: nothing is linked with it, and a machine without
/// it reads all other files.
package final class SystemLibrary: Sendable {
  /// What the library is called, without the number of its ABI.
  package let name: String
  /// The names that it is looked for by, the newest ABI first.
  package let sonames: [String]
  /// The packages of Debian that have it, each for the name at its place.
  package let packages: [String]
  /// The format that it is for.
  package let format: ImageFormat
  private let state = Lock(State.unopened)

  private enum State {
    case unopened
    // A handle of `dlopen`; as a number, for pointers are not Sendable.
    case opened(Int)
    case absent
  }

  package init(_ name: String, _ sonames: [String], packages: [String], format: ImageFormat) {
    self.name = name
    self.sonames = sonames
    self.packages = packages
    self.format = format
  }

  /// What to do where it is missing, in a clause.
  package var installation: String { "install the package \(packages.joined(separator: " or ")) of Debian" }

  /// Whether it is on this machine; it is loaded to know.
  package var isPresent: Bool { handle != nil }

  /// What `dlopen` gave for it; nil where there is none. It stays loaded until the process ends.
  var handle: UnsafeMutableRawPointer? {
    let bits = state.withLock { state -> Int? in
      if case .unopened = state { state = Self.open(sonames) }
      guard case .opened(let bits) = state else { return nil }
      return bits
    }
    return bits.flatMap(UnsafeMutableRawPointer.init(bitPattern:))
  }

  private static func open(_ names: [String]) -> State {
    for name in names {
      if let handle = dlopen(name, RTLD_NOW | RTLD_LOCAL) { return .opened(Int(bitPattern: handle)) }
    }
    return .absent
  }
}
