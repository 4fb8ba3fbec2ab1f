extension ImageOptions.Transparency: LosslessStringConvertible {
  /// - Parameter description: `ignored`, or what transparent pixels are blended over: `white`, `black`, or six hexadecimal
  ///   digits such as `80a0ff`; nil for all else.
  public init?(_ description: String) {
    switch description {
    case "ignored": self = .ignored
    case "white": self = .over(.white)
    case "black": self = .over(.black)
    default:
      // The digits are looked at, as a number may have a sign.
      guard description.count == 6, description.allSatisfy(\.isHexDigit),
        let number = UInt32(description, radix: 16)
      else { return nil }
      let (red, green, blue) = (number >> 16, number >> 8, number)
      self = .over(
        ImageOptions.Colour(
          red: UInt8(truncatingIfNeeded: red), green: UInt8(truncatingIfNeeded: green),
          blue: UInt8(truncatingIfNeeded: blue)))
    }
  }

  /// `ignored`, `white`, `black`, or six hexadecimal digits.
  public var description: String {
    guard case .over(let colour) = self else { return "ignored" }
    switch colour {
    case .white: return "white"
    case .black: return "black"
    default:
      let number = UInt32(colour.red) << 16 | UInt32(colour.green) << 8 | UInt32(colour.blue)
      let digits = String(number, radix: 16)
      return String(repeating: "0", count: 6 - digits.count) + digits
    }
  }
}
