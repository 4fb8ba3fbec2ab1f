/// The colours of a page, once for light and once for dark backgrounds.
///
/// Those of the series keep apart for readers with any of the common colour blindnesses, and all that is written
/// stands out from its background at 4.5 : 1, as WCAG 2.2 asks; a test computes both.
package struct Palette: Sendable {
  /// Red, green and blue of 0…255.
  package typealias Colour = (red: UInt8, green: UInt8, blue: UInt8)

  /// The role of a colour, which is its name in the style sheet.
  package enum Role: String, Sendable, CaseIterable {
    case paper, panel, ink, quiet, rule, grid, first, second, third, fourth, alarm, alarmPaper
  }

  private let colours: [Role: UInt32]

  package func colour(_ role: Role) -> Colour {
    let value = colours[role] ?? 0
    return (UInt8(value >> 16 & 255), UInt8(value >> 8 & 255), UInt8(value & 255))
  }

  package static let light = Palette(colours: [
    .paper: 0xFFFEFB, .panel: 0xF5F3EC, .ink: 0x1C1B19, .quiet: 0x5F5B53, .rule: 0xC9C4B8, .grid: 0xE6E2D8,
    .first: 0x14528C, .second: 0xB9520C, .third: 0x18844A, .fourth: 0x4A3A30, .alarm: 0xA32A1A,
    .alarmPaper: 0xFBEFE8,
  ])

  package static let dark = Palette(colours: [
    .paper: 0x161719, .panel: 0x1F2124, .ink: 0xEAE7E0, .quiet: 0xA6A39B, .rule: 0x4A4B4D, .grid: 0x2E3033,
    .first: 0x6FB1F0, .second: 0xF09A4C, .third: 0xB9F2D6, .fourth: 0xB983A6, .alarm: 0xFF9C85,
    .alarmPaper: 0x2E211D,
  ])

  /// The custom properties of a style sheet.
  var declarations: String {
    Role.allCases.map { role in
      let colour = colour(role)
      let digits = [colour.red, colour.green, colour.blue].map { byte in
        let text = String(byte, radix: 16)
        return text.count == 1 ? "0" + text : text
      }
      return "--\(role.rawValue):#\(digits.joined())"
    }.joined(separator: ";")
  }
}
