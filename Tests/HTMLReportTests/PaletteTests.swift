import Foundation
import HTMLReport
import Testing

/// Colours that everybody can read and tell apart.
@Suite struct PaletteTests {
  static let palettes = [("light", Palette.light), ("dark", Palette.dark)]
  static let series: [Palette.Role] = [.first, .second, .third, .fourth]

  @Test(arguments: palettes)
  func textStandsOut(_ name: String, _ palette: Palette) {
    for text in [Palette.Role.ink, .quiet, .alarm] {
      for background in [Palette.Role.paper, .panel, .alarmPaper] {
        #expect(Self.contrast(palette, text, background) >= 4.5, "\(name): \(text) on \(background)")
      }
    }
    for mark in Self.series { #expect(Self.contrast(palette, mark, .paper) >= 4.5, "\(name): \(mark)") }
  }

  /// Matrices of full protanopia, deuteranopia and tritanopia in linear RGB: Machado, Oliveira and Fernandes,
  /// "A physiologically-based model for simulation of color vision deficiency", 2009.
  static let visions: [(name: String, matrix: [[Double]])] = [
    ("full", [[1, 0, 0], [0, 1, 0], [0, 0, 1]]),
    (
      "protanopia",
      [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    (
      "deuteranopia",
      [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    (
      "tritanopia",
      [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
  ]

  /// A distance of about 2 is just noticed beside each other. The first two series are those of nearly every
  /// chart.
  @Test(arguments: palettes, visions.indices)
  func seriesDiffer(_ palette: (String, Palette), _ vision: Int) {
    let matrix = Self.visions[vision].matrix
    for (index, one) in Self.series.enumerated() {
      for other in Self.series[(index + 1)...] {
        let distance = Self.distance(palette.1.colour(one), palette.1.colour(other), seenBy: matrix)
        let least = one == .first && other == .second ? 80.0 : 18
        #expect(distance >= least, "\(palette.0), \(Self.visions[vision].name): \(one) and \(other)")
      }
    }
  }

  // MARK: Colour arithmetic

  private static func linear(_ byte: UInt8) -> Double {
    let value = Double(byte) / 255
    return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
  }

  private static func linear(_ colour: Palette.Colour) -> [Double] {
    [linear(colour.red), linear(colour.green), linear(colour.blue)]
  }

  /// The contrast ratio of WCAG 2.2.
  private static func contrast(_ palette: Palette, _ one: Palette.Role, _ other: Palette.Role) -> Double {
    let luminances = [one, other].map { role in
      zip(linear(palette.colour(role)), [0.2126, 0.7152, 0.0722]).map { $0 * $1 }.reduce(0, +)
    }.sorted()
    return (luminances[1] + 0.05) / (luminances[0] + 0.05)
  }

  /// The distance in CIELAB (D65, 1976) after a simulation of colour vision.
  private static func distance(
    _ one: Palette.Colour, _ other: Palette.Colour, seenBy matrix: [[Double]]
  ) -> Double {
    let a = lab(linear(one), matrix), b = lab(linear(other), matrix)
    return zip(a, b).map { pow($0 - $1, 2) }.reduce(0, +).squareRoot()
  }

  private static func lab(_ colour: [Double], _ matrix: [[Double]]) -> [Double] {
    let seen = multiply(matrix, colour).map { min(max($0, 0), 1) }
    let xyz = multiply(
      [
        [0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750],
        [0.0193339, 0.1191920, 0.9503041],
      ],
      seen)
    let f = zip(xyz, [0.95047, 1, 1.08883]).map { value, white in
      value / white > 216.0 / 24389 ? cbrt(value / white) : (841.0 / 108) * value / white + 4.0 / 29
    }
    return [116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])]
  }

  private static func multiply(_ matrix: [[Double]], _ vector: [Double]) -> [Double] {
    matrix.map { row in zip(row, vector).map { $0 * $1 }.reduce(0, +) }
  }
}
