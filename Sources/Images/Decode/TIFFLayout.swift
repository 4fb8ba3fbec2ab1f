import CCodecs
import TensorCore

/// What the samples of a TIFF mean, for the kinds of which Pillow's RGB is known; all others are refused by name.
struct TIFFLayout {
  enum Model {
    case grey(isInverted: Bool)
    case grey16
    case palette(Palette)
    case rgb
    case cmyk
  }

  let model: Model
  /// Bits of a sample: 1, 2, 4, 8 or 16.
  let bits: Int
  /// Samples of a pixel, those that are not looked at with them.
  let samples: Int
  /// The sample that is alpha.
  let alphaSample: Int?
  /// Whether the colours are already multiplied by alpha.
  let isAssociated: Bool

  init(_ header: apus_tiff_header, _ options: ImageOptions) throws(ApusError) {
    bits = Int(header.bits)
    samples = Int(header.samples)
    guard header.sample_format == 1, [1, 2, 4, 8, 16].contains(bits) else {
      throw Self.unsupported(
        header.sample_format == 1
          ? "\(bits) bits for a sample"
          : "samples that are not natural numbers (format \(header.sample_format))")
    }
    let colours = try Self.colours(header, bits)
    let count = Int(header.extra_count)
    let extra = withUnsafeBytes(of: header.extra) { Array($0.bindMemory(to: UInt16.self).prefix(count)) }
    // RGB with a fourth sample of which the file says nothing has alpha.
    let isUntold = count == 0 && colours == 3 && samples == 4
    guard isUntold || samples == colours + count, count <= 3, bits >= 8 || samples == 1 else {
      throw Self.unsupported("\(samples) samples for a pixel, \(count) of them no colours")
    }
    // The first sample beyond the colours may be alpha; what follows is passed over.
    let kind = isUntold ? APUS_TIFF_ALPHA : Int(extra.first ?? UInt16(APUS_TIFF_UNSPECIFIED))
    isAssociated = kind == APUS_TIFF_ASSOCIATED_ALPHA
    alphaSample = kind == APUS_TIFF_UNSPECIFIED ? nil : colours
    guard extra.dropFirst().allSatisfy({ $0 == UInt16(APUS_TIFF_UNSPECIFIED) }),
      alphaSample == nil || colours == 3 || colours == 1 && !isAssociated
    else { throw Self.unsupported("an alpha channel of an unusual kind") }
    model = try Self.model(header, bits, hasExtra: count > 0, options)
  }

  /// Colours of a pixel.
  private static func colours(_ header: apus_tiff_header, _ bits: Int) throws(ApusError) -> Int {
    switch Int(header.photometric) {
    case APUS_TIFF_WHITE_IS_ZERO, APUS_TIFF_BLACK_IS_ZERO, APUS_TIFF_PALETTE: return 1
    case APUS_TIFF_RGB: return 3
    case APUS_TIFF_YCBCR:
      guard Int(header.compression) == APUS_TIFF_JPEG, header.is_separate == 0, bits == 8 else {
        throw unsupported("YCbCr that is not compressed as JPEG")
      }
      return 3
    case APUS_TIFF_CMYK: return 4
    default: throw unsupported("the colour model \(header.photometric) (PhotometricInterpretation)")
    }
  }

  private static func model(
    _ header: apus_tiff_header, _ bits: Int, hasExtra: Bool, _ options: ImageOptions
  ) throws(ApusError) -> Model {
    switch Int(header.photometric) {
    case APUS_TIFF_PALETTE:
      guard header.has_palette != 0, bits <= 8 else {
        throw unsupported("a palette that is absent or of \(bits) bits")
      }
      return .palette(palette(of: header))
    case APUS_TIFF_RGB, APUS_TIFF_YCBCR: return .rgb
    case APUS_TIFF_CMYK: return .cmyk
    case APUS_TIFF_BLACK_IS_ZERO where bits == 16 && !hasExtra:
      return options.grey16 == .clipped ? .grey16 : .grey(isInverted: false)
    default:
      guard bits <= 8 else { throw unsupported("16-bit grey with alpha, or with white as 0") }
      return .grey(isInverted: Int(header.photometric) == APUS_TIFF_WHITE_IS_ZERO)
    }
  }

  private static func palette(of header: apus_tiff_header) -> Palette {
    withUnsafeBytes(of: header.palette) { bytes in
      Palette(rgb: (0..<768).map { bytes[$0 % 3 * 256 + $0 / 3] })
    }
  }

  var name: String {
    let name =
      switch model {
      case .grey, .grey16: "grey"
      case .palette: "palette"
      case .rgb: "RGB"
      case .cmyk: "CMYK"
      }
    return "\(name)\(alphaSample == nil ? "" : " with alpha") \(bits)-bit"
  }

  private static func unsupported(_ problem: String) -> ApusError {
    ApusError(
      .image, "a TIFF with \(problem)",
      expected: "grey, a palette, RGB or CMYK of up to 8 bits, or grey, RGB or CMYK of 16",
      advice: "Convert the file to PNG or JPEG.")
  }
}
