/// 256 colours that indices stand for.
struct Palette {
  /// Red, green and blue of each.
  let colours: [UInt8]

  private static let shades = (0..<768).map { UInt8($0 / 3) }

  /// Shades of grey.
  init() { colours = Self.shades }

  /// - Parameter rgb: red, green and blue of the first colours. What is beyond them is black; or, where they are the
  ///   shades of grey in order, the further shades, for then Pillow takes indices as shades.
  init(rgb: some Sequence<UInt8>) {
    let first = Array(rgb.prefix(768))
    let isGrey = Self.shades.starts(with: first)
    colours = isGrey ? Self.shades : first + [UInt8](repeating: 0, count: 768 - first.count)
  }

  /// What an index stands for.
  func colour(_ index: UInt8) -> ImageOptions.Colour {
    let start = Int(index) * 3
    return ImageOptions.Colour(red: colours[start], green: colours[start + 1], blue: colours[start + 2])
  }

  /// RGB of indices, or with alpha, which is 0 for `transparent` alone.
  func pixels(_ indices: [UInt8], transparent: UInt8?, withAlpha: Bool) -> [UInt8] {
    let channels = withAlpha ? 4 : 3
    return [UInt8](unsafeUninitializedCapacity: indices.count * channels) { buffer, count in
      colours.withUnsafeBufferPointer { colours in
        for (pixel, index) in indices.enumerated() {
          for channel in 0..<3 { buffer[pixel * channels + channel] = colours[Int(index) * 3 + channel] }
          if withAlpha { buffer[pixel * channels + 3] = index == transparent ? 0 : 255 }
        }
      }
      count = indices.count * channels
    }
  }
}
