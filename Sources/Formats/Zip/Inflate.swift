import TensorCore

/// Unpacks DEFLATE data (RFC 1951).
package struct Inflate {
  private let input: ArraySlice<UInt8>
  private var position: Int
  private var bits: UInt32 = 0
  private var bitCount = 0
  private var output: [UInt8] = []
  private let limit: Int

  /// The unpacked bytes.
  /// - Parameter limit: the largest output accepted, in bytes.
  /// - Throws: ``ApusError`` of kind `malformedModel` when the data are damaged or unpack to more.
  package static func inflate(_ input: ArraySlice<UInt8>, limit: Int) throws(ApusError) -> [UInt8] {
    var state = Inflate(input: input, limit: limit)
    try state.run()
    return state.output
  }

  private init(input: ArraySlice<UInt8>, limit: Int) {
    self.input = input
    self.position = input.startIndex
    self.limit = limit
  }

  private mutating func run() throws(ApusError) {
    var isLast = false
    while !isLast {
      isLast = try take(1) == 1
      switch try take(2) {
      case 0: try copyStored()
      case 1: try decode(literals: Self.fixedLiterals, distances: Self.fixedDistances)
      case 2:
        let (literals, distances) = try readCodes()
        try decode(literals: literals, distances: distances)
      default: throw error("a block of the reserved type 3")
      }
    }
  }

  private mutating func copyStored() throws(ApusError) {
    bits = 0
    bitCount = 0
    let count = try take(16)
    guard try take(16) == ~count & 0xFFFF else { throw error("a stored block whose length fails its check") }
    guard count <= input.endIndex - position else { throw error("a stored block past the end") }
    guard count <= limit - output.count else { throw tooLong }
    output += input[position..<position + count]
    position += count
  }

  /// Literals and repeats up to the end of a block.
  private mutating func decode(literals: HuffmanCode, distances: HuffmanCode) throws(ApusError) {
    while true {
      let symbol = try next(literals)
      if symbol == 256 { return }
      if symbol < 256 {
        guard output.count < limit else { throw tooLong }
        output.append(UInt8(symbol))
        continue
      }
      guard symbol < 286 else { throw error("the reserved length code \(symbol)") }
      let length = Self.lengthBases[symbol - 257] + (try take(Self.lengthBits[symbol - 257]))
      let code = try next(distances)
      guard code < 30 else { throw error("the reserved distance code \(code)") }
      let distance = Self.distanceBases[code] + (try take(Self.distanceBits[code]))
      guard distance <= output.count else { throw error("a repeat from \(distance) bytes back") }
      guard length <= limit - output.count else { throw tooLong }
      for _ in 0..<length { output.append(output[output.count - distance]) }
    }
  }

  /// The codes that stand before a block of type 2.
  private mutating func readCodes() throws(ApusError) -> (literals: HuffmanCode, distances: HuffmanCode) {
    let literalCount = try take(5) + 257
    let distanceCount = try take(5) + 1
    var orderLengths = [UInt8](repeating: 0, count: 19)
    for index in 0..<(try take(4) + 4) { orderLengths[Self.lengthOrder[index]] = UInt8(try take(3)) }
    let order = try code(orderLengths)
    var lengths: [UInt8] = []
    while lengths.count < literalCount + distanceCount {
      let symbol = try next(order)
      switch symbol {
      case 16:
        guard let last = lengths.last else { throw error("a repeat of no length") }
        lengths += repeatElement(last, count: try take(2) + 3)
      case 17: lengths += repeatElement(0, count: try take(3) + 3)
      case 18: lengths += repeatElement(0, count: try take(7) + 11)
      default: lengths.append(UInt8(symbol))
      }
    }
    guard lengths.count == literalCount + distanceCount else { throw error("too many code lengths") }
    return (try code(Array(lengths[..<literalCount])), try code(Array(lengths[literalCount...])))
  }

  private func code(_ lengths: [UInt8]) throws(ApusError) -> HuffmanCode {
    guard let code = HuffmanCode(lengths: lengths) else { throw error("code lengths that make no code") }
    return code
  }

  private mutating func take(_ count: Int) throws(ApusError) -> Int {
    while bitCount < count {
      guard position < input.endIndex else { throw error("the data end too early") }
      bits |= UInt32(input[position]) << UInt32(bitCount)
      position += 1
      bitCount += 8
    }
    let value = bits & (1 << UInt32(count) - 1)
    bits >>= UInt32(count)
    bitCount -= count
    return Int(value)
  }

  private mutating func next(_ code: HuffmanCode) throws(ApusError) -> Int {
    var walk = HuffmanCode.Walk()
    for _ in 0..<HuffmanCode.longest {
      if let symbol = code.advance(&walk, bit: try take(1)) { return symbol }
    }
    throw error("bits that are no symbol")
  }

  private var tooLong: ApusError {
    error("more bytes unpacked than the archive's directory says", expected: "\(limit)")
  }

  private func error(_ problem: String, expected: String? = nil) -> ApusError {
    ApusError(.malformedModel, problem, expected: expected, at: "deflated data, offset \(position)")
  }
}

extension Inflate {
  /// RFC 1951, section 3.2.5.
  private static let lengthBases = [
    3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195,
    227, 258,
  ]
  private static let lengthBits = [
    0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
  ]
  private static let distanceBases = [
    1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073,
    4097, 6145, 8193, 12289, 16385, 24577,
  ]
  private static let distanceBits = [
    0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13,
  ]
  /// RFC 1951, section 3.2.7.
  private static let lengthOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
  /// RFC 1951, section 3.2.6.
  private static let fixedLiterals = HuffmanCode(
    sound: (0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 })
  private static let fixedDistances = HuffmanCode(sound: [UInt8](repeating: 5, count: 32))
}
