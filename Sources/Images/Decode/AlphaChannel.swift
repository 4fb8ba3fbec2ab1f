/// What becomes of the alpha channel of a picture.
struct AlphaChannel {
  /// Whether the file has one, or a colour that is transparent.
  let isPresent: Bool
  /// Whether the stored colours are already multiplied by alpha.
  private let isAssociated: Bool
  private let transparency: ImageOptions.Transparency

  init(isPresent: Bool, isAssociated: Bool = false, _ options: ImageOptions) {
    self.isPresent = isPresent
    self.isAssociated = isPresent && isAssociated
    transparency = options.transparency
  }

  /// Whether the decoder is to give alpha after red, green and blue.
  var isNeeded: Bool { isPresent && (isAssociated || transparency != .ignored) }

  /// Bytes for each pixel that the decoder is to give.
  var channels: Int { isNeeded ? 4 : 3 }

  var notes: [String] {
    switch transparency {
    case _ where !isPresent: []
    case .ignored: ["transparency ignored: pixels keep the colour they are stored with"]
    case .over(let colour): ["transparency blended over (\(colour.red), \(colour.green), \(colour.blue))"]
    }
  }

  /// RGB of pixels with ``channels`` bytes each.
  func rgb(_ pixels: [UInt8]) -> [UInt8] {
    guard isNeeded else { return pixels }
    let count = pixels.count / 4
    var rgb = [UInt8](repeating: 0, count: count * 3)
    for pixel in 0..<count {
      let alpha = pixels[pixel * 4 + 3]
      for channel in 0..<3 {
        let stored = pixels[pixel * 4 + channel]
        rgb[pixel * 3 + channel] = isAssociated ? Self.divided(stored, by: alpha) : stored
      }
    }
    if case .over(let colour) = transparency {
      Self.blend(&rgb, pixels, over: [colour.red, colour.green, colour.blue])
    }
    return rgb
  }

  private static func blend(_ rgb: inout [UInt8], _ pixels: [UInt8], over background: [UInt8]) {
    for pixel in 0..<(rgb.count / 3) {
      let alpha = Int(pixels[pixel * 4 + 3])
      for channel in 0..<3 {
        let sum = Int(background[channel]) * (255 - alpha) + Int(rgb[pixel * 3 + channel]) * alpha + 128
        rgb[pixel * 3 + channel] = UInt8(truncatingIfNeeded: ((sum >> 8) + sum) >> 8)
      }
    }
  }

  /// The colour before it was multiplied by alpha, as Pillow rounds it.
  private static func divided(_ value: UInt8, by alpha: UInt8) -> UInt8 {
    alpha == 0 ? 0 : UInt8(clamping: Int(value) * 255 / Int(alpha))
  }
}
