import CLibrary

/// A regular file in memory without a copy: read only, and read from disk where it is touched.
///
/// A file that shrinks after it was mapped does not end the process: the pages that it lost read as zeros, and
/// ``isDamaged`` becomes true. Whoever reads weights asks ``checkUndamaged()`` afterwards.
///
/// Sendable although it holds a pointer: the bytes are never written.
package final class MappedFile: @unchecked Sendable {
  package let path: String
  package let version: FileVersion
  private let base: UnsafeMutableRawPointer
  private let reservedByteCount: Int
  private let watched: WatchedMapping

  /// - Throws: ``ApusError`` of kind `file` when it is missing, unreadable or not a regular file, and of kind
  ///   `resources` when the system cannot map it.
  package init(_ path: String) throws(ApusError) {
    let (descriptor, version) = try FileBytes.openRegular(path)
    defer { close(descriptor) }
    self.path = path
    self.version = version
    let byteCount = version.byteCount
    let (reserved, overflow) = byteCount.addingReportingOverflow(Int(getpagesize()))
    guard !overflow, let base = Self.map(descriptor, byteCount, reserving: reserved) else {
      throw ApusError(.resources, "cannot be mapped: \(String(cString: strerror(errno)))", file: path)
    }
    self.base = base
    reservedByteCount = reserved
    watched = WatchedMapping(base, byteCount: reserved)
  }

  package var byteCount: Int { version.byteCount }

  /// The file followed by zeros, so that the slack that kernels may read exists behind the last byte too.
  private static func map(
    _ descriptor: CInt, _ byteCount: Int, reserving reserved: Int
  ) -> UnsafeMutableRawPointer? {
    let base = mmap(nil, reserved, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
    guard let base, base != MAP_FAILED else { return nil }
    guard byteCount > 0 else { return base }
    guard mmap(base, byteCount, PROT_READ, MAP_PRIVATE | MAP_FIXED, descriptor, 0) != MAP_FAILED else {
      munmap(base, reserved)
      return nil
    }
    return base
  }

  deinit {
    // No fault can be attributed to the range once another mapping may take its place.
    watched.end()
    munmap(base, reservedByteCount)
  }

  /// The bytes of the file, as storage that keeps the mapping alive.
  package var storage: TensorStorage {
    TensorStorage(borrowing: base, byteCount: byteCount, from: self)
  }

  /// Whether bytes were read that the file no longer had: they were zeros.
  package var isDamaged: Bool { watched.isDamaged }

  /// - Throws: ``ApusError`` of kind `file` when ``isDamaged``.
  package func checkUndamaged() throws(ApusError) {
    guard isDamaged else { return }
    throw ApusError(
      .file, "the file became shorter, or could not be read, while it was in use",
      expected: "the \(byteCount) bytes that it had when it was opened", file: path,
      advice: "Write models to a new file and rename it, rather than over a file in use.")
  }

  /// Tells the system that the bytes will be read soon, so that it reads ahead.
  package func willNeed(_ range: Range<Int>) { advise(range, MADV_WILLNEED, wholePagesOnly: false) }

  /// Gives back the memory of bytes that are not needed for now; they are read from disk again if touched.
  package func discard(_ range: Range<Int>) { advise(range, MADV_DONTNEED, wholePagesOnly: true) }

  private func advise(_ range: Range<Int>, _ advice: Int32, wholePagesOnly: Bool) {
    let range = range.clamped(to: 0..<byteCount)
    let page = Int(getpagesize())
    let end = range.upperBound == byteCount ? byteCount : range.upperBound / page * page
    let start = (range.lowerBound + (wholePagesOnly ? page - 1 : 0)) / page * page
    guard start < end else { return }
    _ = madvise(base + start, end - start, advice)
  }
}

extension Tensor {
  /// The file whose mapping holds the elements; nil when they are in memory of their own.
  package var mappedFile: MappedFile? { storage.owner as? MappedFile }

  /// The files whose mappings hold the elements, or what these are made from.
  package var sourceFiles: [MappedFile] {
    storage.derivation?.sources.flatMap(\.sourceFiles) ?? mappedFile.map { [$0] } ?? []
  }

  /// Gives back the memory of elements that lie in a mapped file, for now; nothing happens to others.
  package func discardMappedPages() {
    mappedFile?.discard(byteOffset..<byteOffset + type.byteCount)
    storage.derivation?.discard(storage)
  }
}
