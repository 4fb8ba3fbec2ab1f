import CCodecs

/// The pixels of a TIFF while its rows, tiles and planes come in.
struct TIFFPixels {
  private let samples: TIFFSamples
  private let width: Int
  private let samplesOfPixel: Int
  private let channels: Int
  private let isSeparate: Bool
  /// Colours; of separate planes, one byte for each sample until all are there.
  private var values: [UInt8]
  private var row: [UInt8]

  init(_ header: apus_tiff_header, _ samples: TIFFSamples, _ samplesOfPixel: Int, channels: Int) {
    self.samples = samples
    self.samplesOfPixel = samplesOfPixel
    self.channels = channels
    isSeparate = header.is_separate != 0
    width = Int(header.width)
    values = [UInt8](
      repeating: 0, count: width * Int(header.height) * (isSeparate ? samplesOfPixel : channels))
    row = [UInt8](repeating: 0, count: width * samplesOfPixel)
  }

  /// Takes `count` pixels, of one plane where they are separate, that begin at `x` and `y`.
  mutating func put(_ block: ArraySlice<UInt8>, count: Int, x: Int, y: Int, plane: Int) {
    let first = y * width + x
    block.withUnsafeBufferPointer { block in
      row.withUnsafeMutableBufferPointer { row in
        values.withUnsafeMutableBufferPointer { values in
          guard let block = block.baseAddress, let row = row.baseAddress, let values = values.baseAddress
          else {
            return
          }
          if isSeparate {
            samples.bytes(block, count: count, into: row)
            for pixel in 0..<count { values[(first + pixel) * samplesOfPixel + plane] = row[pixel] }
          } else {
            samples.bytes(block, count: count * samplesOfPixel, into: row)
            samples.colours(row, count: count, into: values + first * channels)
          }
        }
      }
    }
  }

  /// Colours of all pixels, with alpha where it is needed.
  func finished(area: Int) -> [UInt8] {
    guard isSeparate else { return values }
    return [UInt8](unsafeUninitializedCapacity: area * channels) { buffer, count in
      values.withUnsafeBufferPointer { values in
        guard let values = values.baseAddress, let target = buffer.baseAddress else { return }
        samples.colours(values, count: area, into: target)
        count = area * channels
      }
    }
  }
}
