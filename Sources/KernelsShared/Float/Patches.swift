import CIntrinsics

/// Copies the patches under consecutive output pixels side by side, so that a convolution is a matrix
/// product. May write up to 63 bytes past a patch and read as many past the input.
@inline(never)
func gatherPatches(_ arguments: UnsafePointer<ApusPatches>) {
  let p = arguments.pointee
  let wholeRows = p.dilationX == 1 && p.pixelBytes == p.pixelStride
  var outputY = p.firstPixel / p.outputWidth
  var outputX = p.firstPixel % p.outputWidth
  var target = p.patches
  var left = p.pixelCount
  while left > 0 {
    let x = outputX &* p.strideX &- p.padLeft
    let y = outputY &* p.strideY &- p.padTop
    var count = 1
    if wholeRows, x >= 0, x &+ p.kernelWidth <= p.inputWidth, y >= 0,
      y &+ (p.kernelHeight &- 1) &* p.dilationY < p.inputHeight
    {
      // As far as windows of this row lie inside the image.
      let inside = (p.inputWidth &- p.kernelWidth &- x) / p.strideX &+ 1
      count = min(left, inside, p.outputWidth &- outputX)
      gatherRun(p, from: p.input + (y &* p.inputWidth &+ x) &* p.pixelStride, to: target, count: count)
    } else {
      gatherPixel(p, x: x, y: y, to: target)
    }
    target += count &* p.patchStride
    left &-= count
    outputX &+= count
    if outputX >= p.outputWidth {
      outputX = 0
      outputY &+= 1
    }
  }
}

/// Patches side by side, all of them inside the image, whose rows are pieces of its rows.
@inline(__always)
private func gatherRun(
  _ p: ApusPatches, from source: UnsafeRawPointer, to target: UnsafeMutableRawPointer, count: Int
) {
  let pieceBytes = p.kernelWidth &* p.pixelBytes
  let rowBytes = p.dilationY &* p.inputWidth &* p.pixelStride
  @inline(__always) func run(_ copy: (UnsafeMutableRawPointer, UnsafeRawPointer) -> Void) {
    var (source, target, left) = (source, target, count)
    while left > 0 {
      var (row, piece, rows) = (source, target, p.kernelHeight)
      while rows > 0 {
        copy(piece, row)
        row += rowBytes
        piece += pieceBytes
        rows &-= 1
      }
      source += p.strideX &* p.pixelStride
      target += p.patchStride
      left &-= 1
    }
  }
  if pieceBytes <= 16 {
    // Short pieces in parts that seldom cross a line of the cache.
    run { $0.storeBytes(of: $1.vector(), as: SIMD4<Int32>.self) }
  } else {
    run { copyBytes($0, $1, pieceBytes) }
  }
}

/// One patch, pixel by pixel, with what lies outside of the image.
@inline(__always)
private func gatherPixel(_ p: ApusPatches, x: Int, y: Int, to target: UnsafeMutableRawPointer) {
  var target = target
  for kernelY in 0..<p.kernelHeight {
    let row = y &+ kernelY &* p.dilationY
    for kernelX in 0..<p.kernelWidth {
      let column = x &+ kernelX &* p.dilationX
      let exists = row >= 0 && row < p.inputHeight && column >= 0 && column < p.inputWidth
      let source = p.input + (row &* p.inputWidth &+ column) &* p.pixelStride
      copyBytes(target, exists ? source : p.padding, p.pixelBytes)
      target += p.pixelBytes
    }
  }
}

/// Copies in whole vectors, past the end if need be.
@inline(__always)
private func copyBytes(_ target: UnsafeMutableRawPointer, _ source: UnsafeRawPointer, _ count: Int) {
  var offset = 0
  repeat {
    target.storeBytes(of: source.vector(offset), toByteOffset: offset, as: Int32Vector.self)
    offset &+= vectorBytes
  } while offset < count
}
