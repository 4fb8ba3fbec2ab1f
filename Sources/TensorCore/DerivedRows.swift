/// How a row of a derived matrix is made by itself, where only a few are read.
package struct DerivedRows: Sendable {
  /// Bytes of working memory that it takes.
  package let scratchByteCount: Int
  /// Writes the bytes of a row.
  package let write:
    @Sendable (_ row: Int, _ target: UnsafeMutableRawPointer, _ scratch: UnsafeMutableRawPointer) -> Void

  package init(
    scratchByteCount: Int,
    write: @escaping @Sendable (Int, UnsafeMutableRawPointer, UnsafeMutableRawPointer) -> Void
  ) {
    self.scratchByteCount = scratchByteCount
    self.write = write
  }
}
