import CPNG

extension PNGDecoder {
  /// What libpng is asked to give for each pixel, and how that becomes RGB.
  enum Layout {
    case rgb(dropsAlpha: Bool)
    case rgba(over: ImageOptions.Colour)
    case grey16

    init(_ header: apus_png_header, _ options: ImageOptions) {
      let hasAlpha = header.colour_type & 4 != 0 || header.has_transparency != 0
      if hasAlpha, case .over(let colour) = options.transparency {
        self = .rgba(over: colour)
      } else if header.colour_type == 0, header.bit_depth == 16, options.grey16 == .clipped {
        self = .grey16
      } else {
        self = .rgb(dropsAlpha: hasAlpha)
      }
    }

    var code: Int32 {
      switch self {
      case .rgb: Int32(APUS_PNG_RGB)
      case .rgba: Int32(APUS_PNG_RGBA)
      case .grey16: Int32(APUS_PNG_GREY16)
      }
    }

    var bytesPerPixel: Int {
      switch self {
      case .rgb: 3
      case .rgba: 4
      case .grey16: 2
      }
    }

    var notes: [String] {
      switch self {
      case .rgb(dropsAlpha: true): ["transparency ignored: pixels keep the colour they are stored with"]
      case .rgb(dropsAlpha: false): []
      case .rgba(let colour): ["transparency blended over (\(colour.red), \(colour.green), \(colour.blue))"]
      case .grey16: ["16-bit grey clipped to 255, as Pillow does"]
      }
    }

    /// Replaces the pixels of this layout by RGB.
    func convert(_ pixels: inout [UInt8], area: Int) {
      switch self {
      case .rgb: break
      case .rgba(let colour): pixels = Self.blended(pixels, area, [colour.red, colour.green, colour.blue])
      case .grey16: pixels = Self.clipped(pixels, area)
      }
    }

    private static func blended(_ rgba: [UInt8], _ area: Int, _ background: [UInt8]) -> [UInt8] {
      var rgb = [UInt8](repeating: 0, count: area * 3)
      for pixel in 0..<area {
        let alpha = Int(rgba[pixel * 4 + 3])
        for channel in 0..<3 {
          let sum = Int(background[channel]) * (255 - alpha) + Int(rgba[pixel * 4 + channel]) * alpha + 128
          rgb[pixel * 3 + channel] = UInt8(truncatingIfNeeded: ((sum >> 8) + sum) >> 8)
        }
      }
      return rgb
    }

    private static func clipped(_ grey: [UInt8], _ area: Int) -> [UInt8] {
      var rgb = [UInt8](repeating: 0, count: area * 3)
      for pixel in 0..<area {
        let value = grey[pixel * 2] == 0 ? grey[pixel * 2 + 1] : 255
        for channel in 0..<3 { rgb[pixel * 3 + channel] = value }
      }
      return rgb
    }
  }
}
