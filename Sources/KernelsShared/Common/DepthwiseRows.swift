import CIntrinsics

/// Where the taps of a block of neighbouring output pixels lie in the input: a place for each row of the
/// kernel and each input column the block touches, the padding pixel where the input has none.
///
/// Inside the image the places follow from the rows' addresses; at the border they are looked up.
struct DepthwiseWindow {
  let arguments: ApusDepthwise
  let elementBytes: Int
  let places: UnsafeMutablePointer<UnsafeRawPointer>

  /// Fills the table for the block that starts at output pixel (x, y) and touches `columns` columns.
  @inline(__always)
  func locate(x: Int, y: Int, columns: Int) {
    let d = arguments
    let pixelStride = d.channels &* elementBytes
    for row in 0..<d.kernelHeight {
      let inputY = y &* d.strideY &- d.padTop &+ row &* d.dilationY
      for column in 0..<columns {
        let inputX = x &* d.strideX &- d.padLeft &+ column &* d.dilationX
        let exists = inputY >= 0 && inputY < d.inputHeight && inputX >= 0 && inputX < d.inputWidth
        places[row &* columns &+ column] =
          exists ? d.input + (inputY &* d.inputWidth &+ inputX) &* pixelStride : d.padding
      }
    }
  }

  /// Whether all places of the block exist.
  @inline(__always)
  func isInside(x: Int, y: Int, columns: Int) -> Bool {
    let d = arguments
    let inputX = x &* d.strideX &- d.padLeft
    let inputY = y &* d.strideY &- d.padTop
    return inputX >= 0 && inputX &+ columns <= d.inputWidth && inputY >= 0
      && inputY &+ d.kernelHeight <= d.inputHeight
  }
}

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

/// Calls `block4` and `block1` for blocks that together cover the rows asked for.
@inline(__always)
func forEachDepthwiseBlock(
  _ d: ApusDepthwise, _ block4: (_ x: Int, _ y: Int) -> Void, _ block1: (_ x: Int, _ y: Int) -> Void
) {
  for y in d.firstRow..<d.endRow {
    var x = 0
    while x &+ 4 <= d.outputWidth {
      block4(x, y)
      x &+= 4
    }
    while x < d.outputWidth {
      block1(x, y)
      x &+= 1
    }
  }
}
