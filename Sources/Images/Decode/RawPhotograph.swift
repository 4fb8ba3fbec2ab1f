import TensorCore

/// Raw files of cameras. Many are TIFFs by their first bytes, in which a thumbnail comes first and the photograph is what the
/// sensor recorded; others have bytes of their own.
enum RawPhotograph {
  /// The error for a raw file, and for a TIFF whose first picture is a smaller copy of another one in it; nil for all else.
  static func refusal(of bytes: UnsafeRawBufferPointer) -> ApusError? {
    if let name = name(of: bytes) {
      return ApusError(
        .image, "a raw photograph (\(name)), of which Apus could read no more than a thumbnail",
        expected: "a developed picture", advice: "Export it as JPEG, PNG or TIFF.")
    }
    guard let first = TIFFDirectory(in: bytes), isReduced(first), first.has(subdirectories) || first.hasNext
    else { return nil }
    return ApusError(
      .image, "a TIFF whose first picture is a thumbnail of another in it",
      expected: "the picture itself first", advice: "Export it as JPEG, PNG or TIFF of one picture.")
  }

  /// The format of a raw photograph; nil for all else.
  static func name(of bytes: UnsafeRawBufferPointer) -> String? {
    signature(of: bytes) ?? directoryName(of: bytes)
  }

  /// Formats that are told by their first bytes.
  private static let signatures: [(name: String, place: Int, bytes: StaticString)] = [
    ("CR2", 8, "CR"), ("CR3", 4, "ftypcrx "), ("RAF", 0, "FUJIFILMCCD-RAW"), ("ORF", 0, "IIRO"),
    ("ORF", 0, "IIRS"), ("ORF", 0, "MMOR"), ("RW2", 0, "IIU\0"), ("X3F", 0, "FOVb"), ("MRW", 0, "\0MRM"),
  ]

  private static func signature(of bytes: UnsafeRawBufferPointer) -> String? {
    signatures.first { name, place, signature in
      let isTIFF = name != "CR2" || TIFFDirectory(in: bytes) != nil
      return isTIFF && bytes.dropFirst(place).starts(with: signature.withUTF8Buffer(Array.init))
    }?.name
  }

  // Tags of TIFF, and of DNG.
  private static let subfileType = 254
  private static let colours = 262
  private static let make = 271
  private static let subdirectories = 330
  private static let versionOfDNG = 50706

  /// The format of a file that its first directory tells.
  private static func directoryName(of bytes: UnsafeRawBufferPointer) -> String? {
    guard let first = TIFFDirectory(in: bytes) else { return nil }
    if first.has(versionOfDNG) { return "DNG" }
    // The mosaic of a sensor, and its numbers in three colours.
    let isSensor = [32803, 34892].contains(first.integer(colours))
    guard isSensor || isReduced(first) && first.has(subdirectories) else { return nil }
    let make = first.text(make)?.uppercased() ?? ""
    let known = ["NIKON": "NEF", "SONY": "ARW", "PENTAX": "PEF", "SAMSUNG": "SRW", "HASSELBLAD": "3FR"]
    if let name = known.first(where: { make.hasPrefix($0.key) })?.value { return name }
    return isSensor ? "TIFF" : nil
  }

  /// Whether a directory's picture says that it is a smaller copy of another.
  private static func isReduced(_ directory: TIFFDirectory) -> Bool {
    directory.integer(subfileType).map { $0 & 1 == 1 } ?? false
  }
}
