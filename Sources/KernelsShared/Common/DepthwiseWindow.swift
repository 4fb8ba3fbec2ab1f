import CIntrinsics

/// Where the taps of a block of neighbouring output pixels lie in the input: a table of places, the padding pixel
/// where the input has none. Inside the image the places follow from the rows' addresses; at the border they are
/// looked up.
struct DepthwiseWindow {
  let arguments: ApusDepthwise
  let elementBytes: Int
  /// As many as `capacity` says.
  let places: UnsafeMutablePointer<UnsafeRawPointer>

  /// Places that any block needs: a square window of a block of four touches no more columns than four windows
  /// side by side.
  @inline(__always)
  static func capacity(_ d: ApusDepthwise) -> Int {
    max(1, (sharesTaps(d) ? 4 : 1) &* d.kernelHeight &* d.kernelWidth)
  }

  /// Whether windows are small enough for a table of four of them.
  @inline(__always)
  static func sharesTaps(_ d: ApusDepthwise) -> Bool { d.kernelHeight &* d.kernelWidth <= 1024 }

  /// Fills the table for the block of undilated windows that starts at output pixel (x, y) and touches `columns`
  /// columns: a place for each row of the window and each of these columns.
  @inline(__always)
  func locateColumns(x: Int, y: Int, columns: Int) {
    let d = arguments
    for row in 0..<d.kernelHeight {
      let inputY = y &* d.strideY &- d.padTop &+ row
      for column in 0..<columns {
        places[row &* columns &+ column] = place(inputY, x &* d.strideX &- d.padLeft &+ column)
      }
    }
  }

  /// Fills the table for `outputs` neighbouring output pixels from (x, y) on: for each tap the place that each of
  /// them multiplies.
  @inline(__always)
  func locateTaps(x: Int, y: Int, outputs: Int) {
    let d = arguments
    var target = places
    for row in 0..<d.kernelHeight {
      let inputY = y &* d.strideY &- d.padTop &+ row &* d.dilationY
      for column in 0..<d.kernelWidth {
        for output in 0..<outputs {
          let inputX = (x &+ output) &* d.strideX &- d.padLeft &+ column &* d.dilationX
          target[output] = place(inputY, inputX)
        }
        target += outputs
      }
    }
  }

  @inline(__always)
  private func place(_ y: Int, _ x: Int) -> UnsafeRawPointer {
    let d = arguments
    let exists = y >= 0 && y < d.inputHeight && x >= 0 && x < d.inputWidth
    return exists ? d.input + (y &* d.inputWidth &+ x) &* d.channels &* elementBytes : d.padding
  }

  /// Whether all places of the block of undilated windows exist.
  @inline(__always)
  func isInside(x: Int, y: Int, columns: Int) -> Bool {
    let d = arguments
    let inputX = x &* d.strideX &- d.padLeft
    let inputY = y &* d.strideY &- d.padTop
    return inputX >= 0 && inputX &+ columns <= d.inputWidth && inputY >= 0
      && inputY &+ d.kernelHeight <= d.inputHeight
  }
}
