import CIntrinsics

extension AttentionFormat {
  /// Packs a panel of queries: for each group of columns, the groups of all queries side by side.
  /// - Parameters:
  ///   - count: queries there are; the panel's others are zeros.
  ///   - panel: `W.vectors` vectors for each group; full vectors of groups are written.
  ///   - transform: what is done to the numbers first.
  @inline(__always)
  static func packQueries<W: TileWidth>(
    _: W.Type, _ queries: UnsafeRawPointer, stride: Int, count: Int, width: Int,
    square: UnsafeMutableRawPointer, panel: UnsafeMutableRawPointer, _ transform: (FloatVector) -> FloatVector
  ) {
    var vector = 0
    while vector < W.vectors {
      var column = 0
      var target = panel + vector &* vectorBytes
      while column < width {
        var lane = 0
        while lane < lanes {
          let query = vector &* lanes &+ lane
          let address = queries + (query &* stride &+ column &* 4)
          let row =
            query < count
            ? group(address, count: width &- column, transform) : Int32Vector(repeating: 0)
          square.storeBytes(of: row, toByteOffset: lane &* vectorBytes, as: Int32Vector.self)
          lane &+= 1
        }
        apus_store_transposed(square, target, W.vectors &* vectorBytes)
        target += lanes &* W.vectors &* vectorBytes
        column &+= lanes &* elements
      }
      vector &+= 1
    }
  }

  /// Copies rows close together, in this format.
  @inline(__always)
  static func packRows(
    _ rows: UnsafeRawPointer, stride: Int, count: Int, width: Int, to target: UnsafeMutableRawPointer,
    targetStride: Int
  ) {
    var row = 0
    while row < count {
      let source = rows + row &* stride
      let target = target + row &* targetStride
      var column = 0
      while column < width {
        let packed = group(source + column &* 4, count: width &- column) { $0 }
        target.storeBytes(of: packed, toByteOffset: column &* 4 / elements, as: Int32Vector.self)
        column &+= lanes &* elements
      }
      row &+= 1
    }
  }

  /// Copies rows close together, `elements` of them interleaved; a missing last one is zeros.
  @inline(__always)
  static func packInterleaved(
    _ rows: UnsafeRawPointer, stride: Int, count: Int, width: Int, to target: UnsafeMutableRawPointer,
    targetStride: Int
  ) {
    var row = 0
    var target = target
    while row < count {
      let source = rows + row &* stride
      let hasSecond = elements == 2 && row &+ 1 < count
      var column = 0
      while column < width {
        let first = loadFloats(source + column &* 4, width &- column)
        let second =
          hasSecond
          ? loadFloats(source + (stride &+ column &* 4), width &- column) : FloatVector(repeating: 0)
        target.storeBytes(
          of: interleave(first, second), toByteOffset: column &* 4, as: Int32Vector.self)
        column &+= lanes
      }
      target += targetStride
      row &+= elements
    }
  }
}
