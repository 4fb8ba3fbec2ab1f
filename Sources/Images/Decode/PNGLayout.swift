import CPNG

extension PNGDecoder {
  /// What libpng is asked to give for each pixel, and how that becomes RGB.
  enum Layout {
    case colour(AlphaChannel)
    case grey16

    init(_ header: apus_png_header, _ options: ImageOptions) {
      let alpha = AlphaChannel(isPresent: Self.hasAlpha(header), options)
      if !alpha.isNeeded, header.colour_type == 0, header.bit_depth == 16, options.grey16 == .clipped {
        self = .grey16
      } else {
        self = .colour(alpha)
      }
    }

    /// Whether the file has an alpha channel, or a colour that is transparent.
    static func hasAlpha(_ header: apus_png_header) -> Bool {
      header.colour_type & 4 != 0 || header.has_transparency != 0
    }

    var code: Int32 {
      switch self {
      case .colour(let alpha): Int32(alpha.isNeeded ? APUS_PNG_RGBA : APUS_PNG_RGB)
      case .grey16: Int32(APUS_PNG_GREY16)
      }
    }

    var bytesPerPixel: Int {
      switch self {
      case .colour(let alpha): alpha.channels
      case .grey16: 2
      }
    }

    var notes: [String] {
      switch self {
      case .colour(let alpha): alpha.notes
      case .grey16: [Grey16.note]
      }
    }

    /// Replaces the pixels of this layout by RGB.
    func convert(_ pixels: inout [UInt8], area: Int) {
      switch self {
      case .colour(let alpha): pixels = alpha.rgb(pixels)
      case .grey16: pixels = Self.clipped(pixels, area)
      }
    }

    private static func clipped(_ grey: [UInt8], _ area: Int) -> [UInt8] {
      var rgb = [UInt8](repeating: 0, count: area * 3)
      for pixel in 0..<area {
        let value = Grey16.clipped(high: grey[pixel * 2], low: grey[pixel * 2 + 1])
        for channel in 0..<3 { rgb[pixel * 3 + channel] = value }
      }
      return rgb
    }
  }
}
