import CLibrary

/// Memory that tensors share: 64-byte aligned, freed with the last reference.
///
/// Sendable although it holds a pointer: the bytes are written only before the storage is handed out, or by its
/// ``derivation`` before a tensor gives them to anybody.
package final class TensorStorage: @unchecked Sendable {
  package let base: UnsafeMutableRawPointer
  package let byteCount: Int
  /// What makes the bytes when a tensor over them is first read; nil where they are there.
  package let derivation: Derivation?
  private let source: Source

  /// Where the bytes come from, and so how they are given back.
  private enum Source {
    case heap
    case pages(Int)
    /// Something else holds them for as long as it lives.
    case owner(AnyObject)
  }

  /// Kernels may read (never write) so many bytes past the last element.
  package static let slack = 64
  package static let alignment = 64

  /// So many bytes, and those up to the next address of a storage's alignment.
  package static func padded(_ byteCount: Int) -> Int { (byteCount + alignment - 1) / alignment * alignment }

  /// From so many bytes on, memory comes as pages of its own, which cost nothing until they are touched.
  private static let pageThreshold = 1 << 20

  /// What the system can hand out at once, where it is asked to and an address is a multiple of it.
  package static let largePage = 2 << 20

  /// Zeroed memory.
  /// - Parameter derivation: what makes the bytes when a tensor over them is first read.
  /// - Throws: ``ApusError`` of kind `resources` when the system has none left.
  package init(byteCount: Int, derivedBy derivation: Derivation? = nil) throws(ApusError) {
    let (total, overflow) = byteCount.addingReportingOverflow(Self.slack)
    guard byteCount >= 0, !overflow else { throw ApusError(.resources, "no memory for \(byteCount) bytes") }
    self.byteCount = byteCount
    self.derivation = derivation
    if total >= Self.pageThreshold {
      base = try Self.pages(total)
      source = .pages(total)
    } else {
      var pointer: UnsafeMutableRawPointer?
      guard posix_memalign(&pointer, Self.alignment, total) == 0, let pointer else {
        throw ApusError(.resources, "no memory for \(byteCount) bytes")
      }
      memset(pointer, 0, total)
      base = pointer
      source = .heap
    }
  }

  /// Zeroed memory that begins at a large page, and that the system is asked to hand out in such. For one or more of them.
  /// - Parameter wanted: how many bytes are to lie in large pages, `byteCount` or more; nil for those that it fills.
  /// - Throws: ``ApusError`` of kind `resources` when the system has none left.
  package init(largePagesOf byteCount: Int, wanting wanted: Int? = nil) throws(ApusError) {
    let wanted = max(byteCount, wanted ?? 0)
    let (reserved, overflow) = wanted.addingReportingOverflow(Self.slack + Self.largePage)
    guard byteCount >= 0, !overflow else { throw ApusError(.resources, "no memory for \(byteCount) bytes") }
    let first = try Self.pages(reserved)
    let lead = (Self.largePage - Int(bitPattern: first) % Self.largePage) % Self.largePage
    if lead > 0 { munmap(first, lead) }
    base = first + lead
    source = .pages(reserved - lead)
    madvise(base, wanted, MADV_HUGEPAGE)
    self.byteCount = byteCount
    derivation = nil
  }

  /// Zeroed memory that is read and written again and again: in large pages alone where they are at most half as large
  /// again as what is asked for. The processor finds its way to small ones so slowly that kernels wait for it.
  /// - Throws: ``ApusError`` of kind `resources` when the system has none left.
  package convenience init(usedOften byteCount: Int) throws(ApusError) {
    let rest = byteCount % Self.largePage
    let missing = rest > 0 ? Self.largePage - rest : 0
    if byteCount > 0, missing <= byteCount / 2, byteCount <= .max - missing {
      try self.init(largePagesOf: byteCount, wanting: byteCount + missing)
    } else {
      try self.init(usedWhole: byteCount)
    }
  }

  /// Zeroed memory of which all will be used, so that large pages cost nothing where it fills one: they are handed out
  /// sooner than as many small ones.
  /// - Throws: ``ApusError`` of kind `resources` when the system has none left.
  package convenience init(usedWhole byteCount: Int) throws(ApusError) {
    if byteCount < Self.largePage {
      try self.init(byteCount: byteCount)
    } else {
      try self.init(largePagesOf: byteCount)
    }
  }

  private static func pages(_ byteCount: Int) throws(ApusError) -> UnsafeMutableRawPointer {
    let pages = mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let pages, pages != MAP_FAILED else {
      throw ApusError(.resources, "no memory for \(byteCount) bytes")
    }
    return pages
  }

  /// Gives the pages back, which read as zeros then. Returns false for memory that is no pages of its own.
  func zeroPages() -> Bool {
    guard case .pages(let total) = source else { return false }
    return madvise(base, total, MADV_DONTNEED) == 0
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
    derivation = nil
    source = .owner(owner)
  }

  /// What holds the bytes, when this storage does not.
  package var owner: AnyObject? {
    if case .owner(let owner) = source { owner } else { nil }
  }

  deinit {
    switch source {
    case .heap: free(base)
    case .pages(let total): munmap(base, total)
    case .owner: break
    }
  }
}
