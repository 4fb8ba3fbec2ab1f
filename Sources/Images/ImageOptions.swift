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

  /// How transparent pixels are shown to the model.
  public enum Transparency: Sendable, Hashable {
    /// The colour they are stored with, as if they were opaque: what Pillow's conversion does. Where a model's image
    /// processor converts to RGB itself, as those of CLIP and SigLIP do, and a PNG or GIF has one transparent colour in the
    /// place of alpha, pixels of that colour are prepared for the model as white, as in transformers.
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
  /// How transparent pixels are shown to the model.
  public var transparency: Transparency
  /// Whether pixels of the one colour that is transparent, of a file without other alpha, become white where transparency
  /// is ignored; nil for what the model does that a picture is prepared for, and no where there is none.
  package var whitensTransparentColour: Bool?
  /// What a grey sample of 16 bits becomes.
  public var grey16: Grey16
  /// Whether a file with damaged data is decoded as far as that goes (see ``ImageSource/damage``), or refused. One that
  /// ends early is always refused.
  public var acceptsDamage: Bool
  /// The pixels that the shorter side has to keep where a smaller picture takes less time to decode; nil to decode in
  /// full. A JPEG is decoded at an eighth, a quarter or a half of its sides, the least that keeps so many; all else in
  /// full. A picture that is to be resized anyway loses little: at three times the length that it is resized to, half
  /// of one of 255 levels in the mean.
  public var minimumShortSide: Int?
  /// The same for an eighth, at which nothing is left of a block of 8×8 pixels but its mean; nil for
  /// ``minimumShortSide``.
  public var minimumShortSideAtEighth: Int?

  /// What Pillow does, but for what is stated.
  public init(
    appliesOrientation: Bool = true, transparency: Transparency = .ignored, grey16: Grey16 = .clipped,
    acceptsDamage: Bool = true, minimumShortSide: Int? = nil, minimumShortSideAtEighth: Int? = nil
  ) {
    self.appliesOrientation = appliesOrientation
    self.transparency = transparency
    self.grey16 = grey16
    self.acceptsDamage = acceptsDamage
    self.minimumShortSide = minimumShortSide
    self.minimumShortSideAtEighth = minimumShortSideAtEighth
  }

  /// What Pillow does.
  public static let standard = ImageOptions()
}
