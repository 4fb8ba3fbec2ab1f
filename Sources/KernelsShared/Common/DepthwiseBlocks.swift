import CIntrinsics

/// How far apart neighbouring outputs' windows are, known when the kernel is compiled.
protocol DepthwiseStride {
  static var step: Int { get }
}

enum Stride1: DepthwiseStride { @inline(__always) static var step: Int { 1 } }
enum Stride2: DepthwiseStride { @inline(__always) static var step: Int { 2 } }

/// How many neighbouring outputs one block computes, known when the kernel is compiled.
protocol DepthwiseBlock {
  static var outputs: Int { get }
}

enum Block1: DepthwiseBlock { @inline(__always) static var outputs: Int { 1 } }
enum Block4: DepthwiseBlock { @inline(__always) static var outputs: Int { 4 } }

/// A vector for each output of a block.
struct BlockSums<Vector> {
  private var first: Vector
  private var second: Vector
  private var third: Vector
  private var fourth: Vector

  @inline(__always)
  init(_ start: Vector) { (first, second, third, fourth) = (start, start, start, start) }

  @inline(__always)
  mutating func update<B: DepthwiseBlock>(_: B.Type, _ change: (_ sum: inout Vector, _ output: Int) -> Void) {
    change(&first, 0)
    if B.outputs > 1 {
      change(&second, 1)
      change(&third, 2)
      change(&fourth, 3)
    }
  }

  @inline(__always)
  func forEach<B: DepthwiseBlock>(_: B.Type, _ body: (_ sum: Vector, _ output: Int) -> Void) {
    body(first, 0)
    if B.outputs > 1 {
      body(second, 1)
      body(third, 2)
      body(fourth, 3)
    }
  }
}

/// Rows and columns of a square window, known when the kernel is compiled: neighbouring outputs share what they load.
protocol DepthwiseSide {
  static var taps: Int { get }
}

enum Side3: DepthwiseSide { @inline(__always) static var taps: Int { 3 } }
enum Side5: DepthwiseSide { @inline(__always) static var taps: Int { 5 } }
enum Side7: DepthwiseSide { @inline(__always) static var taps: Int { 7 } }

extension DepthwiseSide {
  /// Calls `body` for each column of the window, unrolled.
  @inline(__always)
  static func forEachColumn(_ body: (_ column: Int) -> Void) {
    body(0); body(1); body(2)
    if taps > 3 { body(3); body(4) }
    if taps > 5 { body(5); body(6) }
  }
}

/// A depthwise convolution by undilated square windows, in one kind of arithmetic.
protocol DepthwiseSquare {
  static var elementBytes: Int { get }
  /// The largest window that is compiled.
  static var largestSide: Int { get }

  /// Computes the block of outputs that starts at (x, y), in all channels.
  /// - Parameter place: where the first channel of a row and column that the block touches lies.
  static func block<K: DepthwiseSide, S: DepthwiseStride, B: DepthwiseBlock>(
    _: K.Type, _: S.Type, _: B.Type, _ d: ApusDepthwise, x: Int, y: Int,
    _ place: (_ row: Int, _ column: Int) -> UnsafeRawPointer)
}

extension DepthwiseSquare {
  /// Computes the rows asked for, if the window is one that is compiled. Returns whether it is.
  @inline(__always)
  static func convolve(_ window: DepthwiseWindow) -> Bool {
    let d = window.arguments
    guard d.kernelHeight == d.kernelWidth, d.dilationY == 1, d.dilationX == 1 else { return false }
    switch (d.kernelWidth, d.strideX) {
    case (3, 1): rows(Side3.self, Stride1.self, window)
    case (3, 2): rows(Side3.self, Stride2.self, window)
    case (5, 1) where largestSide >= 5: rows(Side5.self, Stride1.self, window)
    case (5, 2) where largestSide >= 5: rows(Side5.self, Stride2.self, window)
    case (7, 1) where largestSide >= 7: rows(Side7.self, Stride1.self, window)
    case (7, 2) where largestSide >= 7: rows(Side7.self, Stride2.self, window)
    default: return false
    }
    return true
  }

  @inline(__always)
  private static func rows<K: DepthwiseSide, S: DepthwiseStride>(
    _: K.Type, _: S.Type, _ window: DepthwiseWindow
  ) {
    let d = window.arguments
    let columns = 3 &* S.step &+ K.taps
    let pixelStride = d.channels &* elementBytes
    forEachDepthwiseBlock(d) { x, y in
      if window.isInside(x: x, y: y, columns: columns) {
        let rowStride = d.inputWidth &* pixelStride
        let pixel = (y &* d.strideY &- d.padTop) &* d.inputWidth &+ x &* S.step &- d.padLeft
        let corner = d.input + pixel &* pixelStride
        block(K.self, S.self, Block4.self, d, x: x, y: y) { corner + ($0 &* rowStride &+ $1 &* pixelStride) }
      } else {
        window.locateColumns(x: x, y: y, columns: columns)
        let places = window.places
        block(K.self, S.self, Block4.self, d, x: x, y: y) { places[$0 &* columns &+ $1] }
      }
    } single: { x, y in
      window.locateColumns(x: x, y: y, columns: K.taps)
      let places = window.places
      block(K.self, S.self, Block1.self, d, x: x, y: y) { places[$0 &* K.taps &+ $1] }
    }
  }
}

/// Calls `four` and `single` for blocks of outputs that together cover the rows asked for. Where two or three outputs
/// are left of a row, the last four are computed (some again) at once.
@inline(__always)
func forEachDepthwiseBlock(
  _ d: ApusDepthwise, _ four: (_ x: Int, _ y: Int) -> Void, single: (_ x: Int, _ y: Int) -> Void
) {
  for y in d.firstRow..<d.endRow {
    var x = 0
    while x < d.outputWidth {
      let left = d.outputWidth &- x
      if left == 1 || d.outputWidth < 4 {
        single(x, y)
        x &+= 1
      } else {
        four(min(x, d.outputWidth &- 4), y)
        x &+= 4
      }
    }
  }
}
