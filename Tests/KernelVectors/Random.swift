/// Steele, Lea and Flood 2014, "Fast Splittable Pseudorandom Number Generators": the same numbers everywhere.
struct Random {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }

  mutating func integer(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + Int(next() >> 33) % (range.upperBound - range.lowerBound + 1)
  }

  /// From −1 to 1, in steps of 2⁻²³.
  mutating func float() -> Float { Float(integer(-1 << 23...1 << 23)) * 0x1p-23 }
}
