import TensorCore

/// What a walk finds where its root should be. Files may be taken for gone only below one that is ``present``: the
/// others are what a disk leaves behind that is not mounted.
package enum RootState: Sendable, Equatable {
  case present
  /// A folder with nothing in it, on whatever disk.
  case empty
  /// Nothing, or nothing that can be opened.
  case absent(ApusError)
  /// A folder or file on another disk than the one that is known.
  case otherDisk
}
