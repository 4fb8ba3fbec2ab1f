/// How a file becomes RGB where there is a choice. The defaults give the bytes of Pillow's
/// `ImageOps.exif_transpose(Image.open(file)).convert("RGB")`, except that an orientation that stands only
/// in XMP is not looked for, and that HEIC and AVIF come within a step of what pillow-heif and Pillow give.
public struct ImageOptions: Sendable, Hashable {
  /// A colour of 0…255 each.
  public struct Colour: Sendable, Hashable {
    /// The share of each light.
    public var red, green, blue: UInt8

    /// A colour of 0…255 each.
    public init(red: UInt8, green: UInt8, blue: UInt8) {
      self.red = red
      self.green = green
      self.blue = blue
    }

    /// No light at all.
    public static let black = Colour(red: 0, green: 0, blue: 0)
    /// All of each light.
    public static let white = Colour(red: 255, green: 255, blue: 255)
  }

  /// What transparent pixels become.
  public enum Transparency: Sendable, Hashable {
    /// The colour they are stored with, as if they were opaque: what Pillow's conversion does.
    case ignored
    /// Blended over a colour, rounded as Pillow's `paste` with a mask does.
    case over(Colour)
  }

  /// What a grey sample of 16 bits becomes.
  public enum Grey16: Sendable, Hashable {
    /// min(value, 255): what Pillow's conversion does, and nearly white for most pictures.
    case clipped
    /// The high byte, as for 16-bit colour.
    case highByte
  }

  /// Whether the orientation of EXIF, or of an AVIF, is applied; that of a HEIC always is.
  public var appliesOrientation: Bool
  /// What transparent pixels become.
  public var transparency: Transparency
  /// What a grey sample of 16 bits becomes.
  public var grey16: Grey16
  /// Whether a file with damaged data is decoded as far as that goes (see ``ImageSource/damage``), or refused.
  public var acceptsDamage: Bool

  /// What Pillow does, but for what is stated.
  public init(
    appliesOrientation: Bool = true, transparency: Transparency = .ignored, grey16: Grey16 = .clipped,
    acceptsDamage: Bool = true
  ) {
    self.appliesOrientation = appliesOrientation
    self.transparency = transparency
    self.grey16 = grey16
    self.acceptsDamage = acceptsDamage
  }

  /// What Pillow does.
  public static let standard = ImageOptions()
}
