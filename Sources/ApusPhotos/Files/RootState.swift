import TensorCore

/// The state of a walk's root. Files count as gone only below a root that is ``present``; the other states are what an
/// unmounted disk leaves behind.
package enum RootState: Sendable, Equatable {
  case present
  /// A folder with nothing in it, on whatever disk.
  case empty
  /// Nothing, or nothing that can be opened.
  case absent(ApusError)
  /// A folder or file on another disk than the one that is known.
  case otherDisk
}
