/// Memory of one operand or result, with a margin on both sides that no kernel may write to.
final class Block {
  let base: UnsafeMutableRawPointer
  let byteCount: Int
  private static let margin = 128

  init(byteCount: Int) {
    self.byteCount = byteCount
    let whole = byteCount + 2 * Self.margin
    let start = UnsafeMutableRawPointer.allocate(byteCount: whole, alignment: 64)
    for index in 0..<whole { start.storeBytes(of: 0xa5, toByteOffset: index, as: UInt8.self) }
    base = start + Self.margin
  }

  deinit { (base - Self.margin).deallocate() }

  var address: UnsafeRawPointer { UnsafeRawPointer(base) }

  /// The memory with half of its margins.
  var surroundings: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: base - Self.margin / 2, count: byteCount + Self.margin)
  }

  func fill(_ byte: UInt8) {
    for index in 0..<byteCount { base.storeBytes(of: byte, toByteOffset: index, as: UInt8.self) }
  }

  func pointer<Element>(_: Element.Type = Element.self) -> UnsafeMutablePointer<Element> {
    base.assumingMemoryBound(to: Element.self)
  }
}

extension Block {
  /// Numbers from −1 to 1 times a factor.
  static func floats(_ count: Int, _ random: inout Random, times factor: Float = 1) -> Block {
    let block = Block(byteCount: 4 * count)
    for index in 0..<count {
      block.base.storeBytes(of: random.float() * factor, toByteOffset: 4 * index, as: Float.self)
    }
    return block
  }

  /// Any bytes, the least and the greatest more often than others.
  static func bytes(_ count: Int, _ random: inout Random) -> Block {
    let block = Block(byteCount: count)
    for index in 0..<count {
      let bits = random.next()
      let byte =
        bits & 0x700 != 0 ? UInt8(truncatingIfNeeded: bits) : [0, 0x7f, 0x80, 0xff][Int(bits >> 11 & 3)]
      block.base.storeBytes(of: byte, toByteOffset: index, as: UInt8.self)
    }
    return block
  }

  static func integers(_ count: Int, _ range: ClosedRange<Int>, _ random: inout Random) -> Block {
    let block = Block(byteCount: 4 * count)
    for index in 0..<count {
      block.base.storeBytes(
        of: Int32(truncatingIfNeeded: random.integer(range)), toByteOffset: 4 * index, as: Int32.self)
    }
    return block
  }
}
