/// What becomes of the alpha channel of a picture.
struct AlphaChannel {
  /// Whether the file has one, or a colour that is transparent.
  let isPresent: Bool
  /// Whether the stored colours are already multiplied by alpha.
  private let isAssociated: Bool
  private let transparency: ImageOptions.Transparency
  /// The colour whose pixels become white although transparency is ignored; nil for none.
  private let whitened: ImageOptions.Colour?

  /// - Parameter colour: the one that is transparent, where the file has no alpha but that, as Pillow keeps it.
  init(
    isPresent: Bool, isAssociated: Bool = false, colour: ImageOptions.Colour? = nil, _ options: ImageOptions
  ) {
    self.isPresent = isPresent
    self.isAssociated = isPresent && isAssociated
    transparency = options.transparency
    let whitens = options.transparency == .ignored && options.whitensTransparentColour == true
    whitened = isPresent && whitens ? colour : nil
  }

  /// Whether the decoder is to give alpha after red, green and blue.
  var isNeeded: Bool { isPresent && (isAssociated || transparency != .ignored) }

  /// Bytes for each pixel that the decoder is to give.
  var channels: Int { isNeeded ? 4 : 3 }

  var notes: [String] {
    switch transparency {
    case _ where !isPresent: []
    case .ignored:
      if let whitened {
        ["the transparent colour (\(whitened.red), \(whitened.green), \(whitened.blue)) became white"]
      } else {
        ["transparency ignored: pixels keep the colour they are stored with"]
      }
    case .over(let colour): ["transparency blended over (\(colour.red), \(colour.green), \(colour.blue))"]
    }
  }

  /// RGB of pixels with ``channels`` bytes each.
  func rgb(_ pixels: [UInt8]) -> [UInt8] {
    guard isNeeded else { return whitened.map { Self.whitening($0, in: pixels) } ?? pixels }
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

  /// Every pixel of the colour becomes white, whether its own entry of a palette is the transparent one or not.
  private static func whitening(_ colour: ImageOptions.Colour, in rgb: [UInt8]) -> [UInt8] {
    var rgb = rgb
    for start in stride(from: 0, to: rgb.count - 2, by: 3)
    where rgb[start] == colour.red && rgb[start + 1] == colour.green && rgb[start + 2] == colour.blue {
      for channel in 0..<3 { rgb[start + channel] = 255 }
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
