import Foundation

/// Memory that tensors share: 64-byte aligned, freed with the last reference.
///
/// Sendable although it holds a pointer: the bytes are written only before the storage is handed out.
package final class TensorStorage: @unchecked Sendable {
  package let base: UnsafeMutableRawPointer
  package let byteCount: Int
  /// Keeps alive what owns the bytes when the storage itself does not.
  private let owner: AnyObject?

  /// Kernels may read (never write) so many bytes past the last element.
  package static let slack = 64
  package static let alignment = 64

  /// Zeroed memory.
  /// - Throws: ``ApusError`` of kind `resources` when the system has none left.
  package init(byteCount: Int) throws(ApusError) {
    let (total, overflow) = byteCount.addingReportingOverflow(Self.slack)
    var pointer: UnsafeMutableRawPointer?
    guard byteCount >= 0, !overflow, posix_memalign(&pointer, Self.alignment, total) == 0, let pointer else {
      throw ApusError(.resources, "no memory for \(byteCount) bytes")
    }
    memset(pointer, 0, total)
    self.base = pointer
    self.byteCount = byteCount
    self.owner = nil
  }

  package convenience init<Element: BitwiseCopyable>(copying elements: [Element]) throws(ApusError) {
    try self.init(byteCount: elements.count * MemoryLayout<Element>.stride)
    elements.withUnsafeBytes { source in
      if let address = source.baseAddress { base.copyMemory(from: address, byteCount: source.count) }
    }
  }

  /// Bytes that `owner` holds for as long as it lives.
  package init(borrowing bytes: UnsafeMutableRawPointer, byteCount: Int, from owner: AnyObject) {
    self.base = bytes
    self.byteCount = byteCount
    self.owner = owner
  }

  deinit { if owner == nil { free(base) } }
}
