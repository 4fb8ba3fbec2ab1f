import CIntrinsics

/// What is known of the queries of a panel after some blocks of keys.
struct AttentionState {
  private let base: UnsafeMutableRawPointer
  init(_ base: UnsafeMutableRawPointer) { self.base = base }

  /// The greatest scores before the block in work, and with it.
  @inline(__always) var earlier: UnsafeMutableRawPointer { base }
  @inline(__always) var greatest: UnsafeMutableRawPointer { base + 2 &* vectorBytes }
  /// Sums of the weights; after the last block their reciprocals.
  @inline(__always) var sums: UnsafeMutableRawPointer { base + 4 &* vectorBytes }
  /// What results of earlier blocks are multiplied by.
  @inline(__always) var factors: UnsafeMutableRawPointer { base + 6 &* vectorBytes }

  @inline(__always)
  func reset() {
    // Not minus infinity, from which that of a hidden score could not be subtracted.
    let least = FloatVector(repeating: -.greatestFiniteMagnitude)
    for vector in 0..<2 {
      earlier.storeBytes(of: least, toByteOffset: vector &* vectorBytes, as: FloatVector.self)
      greatest.storeBytes(of: least, toByteOffset: vector &* vectorBytes, as: FloatVector.self)
      sums.storeBytes(
        of: FloatVector(repeating: 0), toByteOffset: vector &* vectorBytes, as: FloatVector.self)
    }
  }

  /// Turns the scores of a block into weights, 2^(score − greatest), and adds them up.
  /// - Parameters:
  ///   - isLast: whether no other block follows.
  ///   - zeroesHidden: whether the results of queries that saw nothing become zero; else they are NaN.
  @inline(__always)
  func weigh<F: AttentionFormat, W: TileWidth>(
    _: F.Type, _: W.Type, _ scores: UnsafeMutableRawPointer, keys: Int, isLast: Bool,
    zeroesHidden: Bool
  ) {
    let step = W.vectors &* vectorBytes
    for vector in 0..<W.vectors {
      let place = vector &* vectorBytes
      let greatest: FloatVector = UnsafeRawPointer(greatest).vector(place)
      let factor = F.weight(UnsafeRawPointer(earlier).vector(place, as: FloatVector.self) - greatest)
      var sum = UnsafeRawPointer(sums).vector(place, as: FloatVector.self) * factor
      var source = UnsafeRawPointer(scores) + place
      var target = scores + place
      var key = 0
      while key < keys {
        let first = F.weight(source.vector(as: FloatVector.self) - greatest)
        sum = sum + first
        var second = FloatVector(repeating: 0)
        if F.elements == 2, key &+ 1 < keys {
          second = F.weight(source.vector(step, as: FloatVector.self) - greatest)
          sum = sum + second
        }
        target.storeBytes(of: F.interleave(first, second), as: Int32Vector.self)
        source += F.elements &* step
        target += step
        key &+= F.elements
      }
      if isLast {
        let reciprocal = FloatVector(repeating: 1) / sum
        sum = zeroesHidden ? reciprocal.replacing(with: sum, where: sum .== 0) : reciprocal
      }
      sums.storeBytes(of: sum, toByteOffset: place, as: FloatVector.self)
      factors.storeBytes(of: factor, toByteOffset: place, as: FloatVector.self)
      earlier.storeBytes(of: greatest, toByteOffset: place, as: FloatVector.self)
    }
  }
}
