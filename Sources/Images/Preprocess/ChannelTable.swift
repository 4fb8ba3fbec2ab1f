/// A value for each of the 256 bytes of each of three channels.
struct ChannelTable<Value: BitwiseCopyable & Sendable>: Sendable {
  /// 256 values for red, then green, then blue; or none.
  let values: [Value]

  /// Looks up the first channel of interleaved pixels; nothing happens unless table, pixels and room fit each other.
  func mapFirst(_ pixels: [UInt8], into target: UnsafeMutableBufferPointer<Value>) {
    guard values.count == 3 * 256, target.count * 3 == pixels.count else { return }
    for index in target.indices { target[index] = values[Int(pixels[3 * index])] }
  }

  /// Looks up every byte of interleaved pixels; nothing happens unless table, pixels and room fit each other.
  func map(_ pixels: [UInt8], into target: UnsafeMutableBufferPointer<Value>) {
    guard values.count == 3 * 256, target.count == pixels.count, pixels.count % 3 == 0 else { return }
    values.withUnsafeBufferPointer { values in
      pixels.withUnsafeBufferPointer { pixels in
        guard let red = values.baseAddress, let from = pixels.baseAddress, let to = target.baseAddress else {
          return
        }
        let green = red + 256, blue = red + 512
        var index = 0
        while index < pixels.count {
          to[index] = red[Int(from[index])]
          to[index &+ 1] = green[Int(from[index &+ 1])]
          to[index &+ 2] = blue[Int(from[index &+ 2])]
          index &+= 3
        }
      }
    }
  }
}
