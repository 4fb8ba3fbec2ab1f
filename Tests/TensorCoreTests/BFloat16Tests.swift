import TensorCore
import Testing

@Suite struct BFloat16Tests {
  private static let all = (0...UInt16.max).map { BFloat16(bitPattern: $0) }

  /// The upper half of a float32, whose other bits are 0.
  @Test func everyNumberIsWidenedAsItIs() {
    #expect(Self.all.allSatisfy { Float($0).bitPattern == UInt32($0.bitPattern) << 16 })
    #expect(Float(BFloat16(bitPattern: 0x3F80)) == 1 && Float(BFloat16(bitPattern: 0xC2F7)) == -123.5)
  }

  @Test func everyNumberComesBack() {
    let wrong = Self.all.filter { number in
      let found = BFloat16(Float(number))
      return Float(number).isNaN ? found.bitPattern != number.bitPattern | 0x40 : found != number
    }
    #expect(wrong.isEmpty, "\(wrong.prefix(4))")
  }

  /// Around every number, and around the middle to the next, among them those that round to infinity.
  @Test func floatsBecomeTheNearest() {
    for number in Self.all.map({ Float($0).bitPattern }) {
      for bits in [number &+ 1, number &+ 0x7FFF, number &+ 0x8000, number &+ 0x8001, number &- 1] {
        let value = Float(bitPattern: bits), found = Float(BFloat16(value))
        guard !value.isNaN else {
          #expect(found.isNaN && found.sign == value.sign)
          continue
        }
        let (low, rest) = (bits & 0xFFFF_0000, bits & 0xFFFF)
        let goesUp = rest > 0x8000 || rest == 0x8000 && low & 0x1_0000 != 0
        guard found.bitPattern == (goesUp ? low &+ 0x1_0000 : low) else {
          Issue.record("\(value) became \(found)")
          return
        }
      }
    }
  }

  @Test func halvesGoToTheEvenNeighbour() {
    let cases: [(Float, UInt16)] = [
      (1.003_906_25, 0x3F80), (1.011_718_75, 0x3F82), (-1.011_718_75, 0xBF82), (0x1.FFp0, 0x4000),
      (.greatestFiniteMagnitude, 0x7F80), (-.greatestFiniteMagnitude, 0xFF80), (0x1.FEFFFEp127, 0x7F7F),
      (.leastNonzeroMagnitude, 0), (-.leastNonzeroMagnitude, 0x8000), (.infinity, 0x7F80),
      (Float(bitPattern: 0x7F80_0001), 0x7FC0), (Float(bitPattern: 0xFFFF_FFFF), 0xFFFF),
    ]
    for (value, bits) in cases { #expect(BFloat16(value).bitPattern == bits, "\(value)") }
  }

  @Test func tensorsHaveSuchElements() throws {
    let numbers = [1, -2.5, 3e38].map { BFloat16(Float($0)) }
    let tensor = try Tensor(numbers)
    #expect(tensor.dataType == .bfloat16)
    #expect(try tensor.elements(of: BFloat16.self) == numbers)
    #expect(throws: ApusError.self) { try tensor.elements(of: UInt16.self) }
  }
}
