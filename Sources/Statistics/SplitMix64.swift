/// Random numbers that a seed repeats on every machine: SplitMix64 (Steele, Lea and Flood 2014).
package struct SplitMix64: RandomNumberGenerator, Sendable {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }

  /// A number of 0..<count: the upper half of the product with the next number, which favours none by more than
  /// count / 2⁶⁴. Unlike the standard library's, its result is a promise.
  /// - Parameter count: at least 1.
  package mutating func index(below count: Int) -> Int {
    Int(next().multipliedFullWidth(by: UInt64(count)).high)
  }

  /// The numbers of 0..<count in a random order.
  package mutating func order(of count: Int) -> [Int] {
    var order = Array(0..<count)
    for place in order.indices { order.swapAt(place, place + index(below: count - place)) }
    return order
  }

  /// So many of `elements`, in their order; all of them when there are no more.
  package mutating func sample<Element>(_ count: Int, of elements: [Element]) -> [Element] {
    guard count < elements.count else { return elements }
    var positions = Array(elements.indices)
    for place in 0..<max(count, 0) {
      positions.swapAt(place, place + index(below: positions.count - place))
    }
    return positions.prefix(max(count, 0)).sorted().map { elements[$0] }
  }
}
