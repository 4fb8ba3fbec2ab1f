import CIntrinsics

/// Copies the patches under consecutive output pixels side by side, so that a convolution is a matrix
/// product. May write up to 63 bytes past a patch and read as many past the input.
@inline(never)
package func gatherPatches(_ arguments: UnsafePointer<ApusPatches>) {
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

/// For each of `rows` rows of A, `factor` times the sum of its `bytes` 8-bit elements. May read a vector past
/// a row.
///
/// Signed elements count 128 more than they are, as in the products.
@inline(never)
package func sumRows8(
  _ a: UnsafeRawPointer, stride: Int, rows: Int, bytes: Int, isSigned: Bool, factor: Int32,
  into sums: UnsafeMutablePointer<Int32>
) {
  let ones = Int32Vector(repeating: 0x0101_0101)
  let flip = Int32Vector(repeating: isSigned ? signFlip : 0)
  let whole = bytes / vectorBytes &* vectorBytes
  // Ones for the elements of the last, partly filled vector.
  let tail = withUnsafeTemporaryAllocation(byteCount: vectorBytes, alignment: 64) { mask in
    for index in 0..<vectorBytes { mask[index] = index < bytes &- whole ? 1 : 0 }
    return mask.loadUnaligned(as: Int32Vector.self)
  }
  for row in 0..<rows {
    let source = a + row &* stride
    var total = Int32Vector()
    var offset = 0
    while offset < whole {
      total = apus_dot_u8s8(total, source.vector(offset, as: Int32Vector.self) ^ flip, ones)
      offset &+= vectorBytes
    }
    if whole < bytes {
      total = apus_dot_u8s8(total, source.vector(whole, as: Int32Vector.self) ^ flip, tail)
    }
    sums[row] = apus_sum_lanes(total) &* factor
  }
}
