import CIntrinsics

/// Lays out what is added to the scores of a panel as the scores are: a row for each key, a lane for each query.
///
/// Scores are powers of 2, so that what is added is multiplied by log₂ e. What is finite stays so: where every key is
/// hidden by the least number all weigh the same, as they would without this factor.
@inline(__always)
func packMask<W: TileWidth>(
  _: W.Type, _ mask: UnsafeRawPointer, stride: Int, queries: Int, keys: Int, square: UnsafeMutableRawPointer,
  to target: UnsafeMutableRawPointer
) {
  guard stride == 0 else {
    Float32Attention.packQueries(
      W.self, mask, stride: stride, count: queries, width: keys, square: square, panel: target, inPowersOf2)
    return
  }
  var target = target
  for key in 0..<keys {
    let number = mask.load(fromByteOffset: key &* 4, as: Float.self)
    let vector = inPowersOf2(FloatVector(repeating: number))
    for place in 0..<W.vectors {
      target.storeBytes(of: vector, toByteOffset: place &* vectorBytes, as: FloatVector.self)
    }
    target += W.vectors &* vectorBytes
  }
}

@inline(__always)
private func inPowersOf2(_ mask: FloatVector) -> FloatVector {
  let least = FloatVector(repeating: -0.5 * Float.greatestFiniteMagnitude)
  let finite = mask.replacing(with: least, where: (mask .< least) .& (mask .> -Float.infinity))
  return finite * 1.442695
}
