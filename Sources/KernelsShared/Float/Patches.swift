import CIntrinsics

/// Copies the patches under consecutive output pixels side by side, so that a convolution is a matrix
/// product. May write up to 63 bytes past a patch and read as many past the input.
@inline(never)
func gatherPatches(_ arguments: UnsafePointer<ApusPatches>) {
  let p = arguments.pointee
  let wholeRows = p.dilationX == 1 && p.pixelBytes == p.pixelStride
  var outputY = p.firstPixel / p.outputWidth
  var outputX = p.firstPixel % p.outputWidth
  for pixel in 0..<p.pixelCount {
    var target = p.patches + pixel &* p.patchStride
    let x = outputX &* p.strideX &- p.padLeft
    let inside = x >= 0 && x &+ (p.kernelWidth &- 1) &* p.dilationX < p.inputWidth
    for kernelY in 0..<p.kernelHeight {
      let y = outputY &* p.strideY &- p.padTop &+ kernelY &* p.dilationY
      let row = p.input + (y &* p.inputWidth &+ x) &* p.pixelStride
      if inside, wholeRows, y >= 0, y < p.inputHeight {
        copyBytes(target, row, p.kernelWidth &* p.pixelBytes)
        target += p.kernelWidth &* p.pixelBytes
      } else {
        for kernelX in 0..<p.kernelWidth {
          let column = x &+ kernelX &* p.dilationX
          let exists = y >= 0 && y < p.inputHeight && column >= 0 && column < p.inputWidth
          copyBytes(target, exists ? row + kernelX &* p.dilationX &* p.pixelStride : p.padding, p.pixelBytes)
          target += p.pixelBytes
        }
      }
    }
    outputX &+= 1
    if outputX == p.outputWidth {
      outputX = 0
      outputY &+= 1
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
