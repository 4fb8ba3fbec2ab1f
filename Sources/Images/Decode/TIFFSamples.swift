/// Rows of a TIFF, as libtiff unpacks them, on their way to RGB.
struct TIFFSamples {
  private let layout: TIFFLayout
  private let alpha: AlphaChannel

  init(_ layout: TIFFLayout, _ alpha: AlphaChannel) {
    (self.layout, self.alpha) = (layout, alpha)
  }

  /// One byte for each sample: an index or shade of fewer bits as it is, of 16 bits the high byte, or what Pillow
  /// makes of grey.
  func bytes(_ row: UnsafePointer<UInt8>, count: Int, into target: UnsafeMutablePointer<UInt8>) {
    switch layout.bits {
    case 8:
      target.update(from: row, count: count)
    case 16:
      // libtiff gives numbers in the order of the processor, on which the low byte stands first.
      if case .grey16 = layout.model {
        for index in 0..<count {
          target[index] = Grey16.clipped(high: row[index * 2 + 1], low: row[index * 2])
        }
      } else {
        for index in 0..<count { target[index] = row[index * 2 + 1] }
      }
    default:
      let perByte = 8 / layout.bits, mask = UInt8(truncatingIfNeeded: 1 << layout.bits - 1)
      for index in 0..<count {
        let shift = (perByte - 1 - index % perByte) * layout.bits
        target[index] = row[index / perByte] >> UInt8(shift) & mask
      }
    }
  }

  /// Colours of `count` pixels, with alpha if it is needed, from one byte for each sample.
  func colours(_ samples: UnsafePointer<UInt8>, count: Int, into target: UnsafeMutablePointer<UInt8>) {
    let stride = layout.samples, channels = alpha.channels
    switch layout.model {
    case .grey(let isInverted):
      let most = layout.bits < 8 ? 255 / ((1 << layout.bits) - 1) : 1
      for pixel in 0..<count {
        let shade = UInt8(truncatingIfNeeded: Int(samples[pixel * stride]) * most)
        for channel in 0..<3 { target[pixel * channels + channel] = isInverted ? 255 - shade : shade }
      }
    case .grey16:
      for pixel in 0..<count {
        for channel in 0..<3 { target[pixel * channels + channel] = samples[pixel * stride] }
      }
    case .palette(let palette):
      palette.colours.withUnsafeBufferPointer { colours in
        for pixel in 0..<count {
          let index = Int(samples[pixel * stride]) * 3
          for channel in 0..<3 { target[pixel * channels + channel] = colours[index + channel] }
        }
      }
    case .rgb:
      for pixel in 0..<count {
        for channel in 0..<3 { target[pixel * channels + channel] = samples[pixel * stride + channel] }
      }
    case .cmyk:
      for pixel in 0..<count {
        CMYK.convert(samples + pixel * stride, count: 1, isInverted: false, into: target + pixel * channels)
      }
    }
    guard alpha.isNeeded, let place = layout.alphaSample else { return }
    for pixel in 0..<count { target[pixel * channels + 3] = samples[pixel * stride + place] }
  }
}
