import ArgumentParser
import Images

extension ImageOptions.Transparency: ExpressibleByArgument {
  /// `ignored`, or what transparent pixels are blended over: `white`, `black`, or six hexadecimal digits.
  public init?(argument: String) {
    switch argument {
    case "ignored": self = .ignored
    case "white": self = .over(.white)
    case "black": self = .over(.black)
    default:
      // The digits are looked at, as a number may have a sign.
      guard argument.count == 6, argument.allSatisfy(\.isHexDigit), let number = UInt32(argument, radix: 16)
      else { return nil }
      let (red, green, blue) = (number >> 16, number >> 8, number)
      self = .over(
        ImageOptions.Colour(
          red: UInt8(truncatingIfNeeded: red), green: UInt8(truncatingIfNeeded: green),
          blue: UInt8(truncatingIfNeeded: blue)))
    }
  }
}
