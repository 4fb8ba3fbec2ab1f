import CIntrinsics

/// Calls `body` with the number of each row to be staged, where it lies and where it goes.
@inline(__always)
func forEachRow(
  _ s: ApusRowStaging,
  _ body: (_ row: Int, _ source: UnsafeRawPointer, _ target: UnsafeMutableRawPointer) -> Void
) {
  var row = 0
  while row < s.rows {
    body(row, s.source + row &* s.sourceStride, s.target + row &* s.targetStride)
    row &+= 1
  }
}
