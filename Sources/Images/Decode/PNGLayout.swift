import CPNG

extension PNGDecoder {
  /// What libpng is asked to give for each pixel, and how that becomes RGB.
  enum Layout {
    case colour(AlphaChannel)
    case grey16(AlphaChannel)

    init(_ header: apus_png_header, _ options: ImageOptions) {
      let alpha = AlphaChannel(
        isPresent: Self.hasAlpha(header), colour: Self.transparentColour(header), options)
      if !alpha.isNeeded, header.colour_type == 0, header.bit_depth == 16, options.grey16 == .clipped {
        self = .grey16(alpha)
      } else {
        self = .colour(alpha)
      }
    }

    /// Whether the file has an alpha channel, or a colour that is transparent.
    static func hasAlpha(_ header: apus_png_header) -> Bool {
      header.colour_type & 4 != 0 || header.has_transparency != 0
    }

    /// The colour that Pillow remembers when it drops transparency, in a picture of which that is all the alpha; nil where it
    /// remembers none, or one that no pixel can have.
    private static func transparentColour(_ header: apus_png_header) -> ImageOptions.Colour? {
      guard header.has_transparent_colour != 0 else { return nil }
      let (red, green, blue) = header.transparent_colour
      switch (header.colour_type, header.bit_depth) {
      // It takes one number for an amount of red, which in a grey picture only black may have.
      case (0, 1): return red == 0 ? ImageOptions.Colour.black : nil
      case (0, 16): return red & 0xff == 0 ? ImageOptions.Colour.black : nil
      // Samples of two or four bits are not brought to eight.
      case (0, _):
        let grey = UInt8(clamping: red)
        return ImageOptions.Colour(red: grey, green: grey, blue: grey)
      // Of two bytes the lower is taken, though pixels have the higher.
      default:
        return ImageOptions.Colour(
          red: UInt8(truncatingIfNeeded: red), green: UInt8(truncatingIfNeeded: green),
          blue: UInt8(truncatingIfNeeded: blue))
      }
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
      case .grey16(let alpha): pixels = alpha.rgb(Self.clipped(pixels, area))
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
