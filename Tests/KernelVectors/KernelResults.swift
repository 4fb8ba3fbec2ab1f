import CHost

/// The results of all cases, one after another: written, or compared with those that were.
final class KernelResults {
  var random = Random(seed: 1)
  private let writes: Bool
  private var cases = 0
  private var failures = 0
  private var largestDifference: Float = 0

  /// How near a result must be to what was expected.
  enum Tolerance {
    /// Every bit, the bytes around it too.
    case exact
    /// Float32: every bit, but one NaN is as good as another.
    case sameNumbers
    /// Float32: so far apart at most.
    case within(Float)
  }

  init(writes: Bool) { self.writes = writes }

  /// - Parameter numbers: tell which case of this name it is.
  func record(
    _ name: StaticString, _ block: Block, _ tolerance: Tolerance, _ numbers: (Int, Int, Int) = (0, 0, 0)
  ) {
    let found = block.surroundings
    cases += 1
    guard !writes else { return transfer(found) { CHost.write(1, $0, $1) } }
    let expected = UnsafeMutableRawBufferPointer.allocate(byteCount: found.count, alignment: 64)
    defer { expected.deallocate() }
    transfer(UnsafeRawBufferPointer(expected)) { CHost.read(0, UnsafeMutableRawPointer(mutating: $0), $1) }
    var offset = 0
    while offset < found.count {
      if !agree(found, UnsafeRawBufferPointer(expected), offset, tolerance) {
        failures += 1
        if failures <= 10 {
          print("\(name) \(numbers.0) \(numbers.1) \(numbers.2) differs at byte \(offset - 64)")
        }
        return
      }
      offset += 4
    }
  }

  /// - Returns: whether there were as many results as expected, all of them right.
  func finish() -> Bool {
    guard !writes else { return true }
    var byte: UInt8 = 0
    let hasMore = CHost.read(0, &byte, 1) != 0
    if hasMore { print("there are results that nobody compared") }
    let units = Int((largestDifference * 0x1p24).rounded(.up))
    print("\(cases) results, \(failures) wrong, none further apart than \(units) × 2⁻²⁴")
    return failures == 0 && !hasMore && cases > 0
  }

  private func agree(
    _ found: UnsafeRawBufferPointer, _ expected: UnsafeRawBufferPointer, _ offset: Int, _ tolerance: Tolerance
  ) -> Bool {
    guard offset + 4 <= found.count else {
      return (offset..<found.count).allSatisfy { found[$0] == expected[$0] }
    }
    let a = found.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
    let b = expected.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
    if a == b { return true }
    let (x, y) = (Float(bitPattern: a), Float(bitPattern: b))
    switch tolerance {
    case .exact: return false
    case .sameNumbers: return x.isNaN && y.isNaN
    case .within(let limit):
      largestDifference = max(largestDifference, abs(x - y))
      return abs(x - y) <= limit
    }
  }

  /// Calls `move` until all bytes are read or written; what a short file lacks stays as it was, and differs.
  private func transfer(_ bytes: UnsafeRawBufferPointer, _ move: (UnsafeRawPointer, Int) -> Int) {
    guard let base = bytes.baseAddress else { return }
    var done = 0
    while done < bytes.count {
      let count = move(base + done, bytes.count - done)
      guard count > 0 else { return }
      done += count
    }
  }
}
