import TensorCore

/// A profile made ready for one model input: writes pictures into the memory of a tensor.
///
/// The input is `[1, height, width, 3]` or, channels first, `[1, 3, height, width]`, either without the 1, or has one
/// channel for grey, of float32 or of quantized uint8 or int8. One of uint8 without quantization is given the bytes, and no profile's
/// normalisation. For grey, coloured pictures are converted as Pillow does before all else; grey ones give what an image
/// processor of transformers makes of them, which refuses coloured ones.
public struct Preprocessor: Sendable {
  /// What is done.
  public let profile: PreprocessingProfile
  /// The input that is written: its shape, type and quantization.
  public let input: TensorType
  private let layout: PictureLayout
  private let encoding: InputEncoding
  private let table: PixelTable

  /// - Parameters:
  ///   - profile: what is done.
  ///   - input: its shape, type and quantization.
  ///   - order: the order of its axes; nil for the one that the shape shows. Where it could be both, channels stand last.
  /// - Throws: ``ApusError`` when the input is not a picture of one or three channels, or its type is not one that
  ///   can be written.
  public init(
    _ profile: PreprocessingProfile, input: TensorType, order: ImageProcessor.Layout? = nil
  ) throws(ApusError) {
    layout = try PictureLayout(input.shape, order)
    let channels = layout.channels
    guard channels > 1 || !profile.normalization.isOfColour else {
      throw ApusError(
        .configuration, "pictures normalised by \(profile.normalization) for an input of one channel",
        expected: "one mean and one standard deviation")
    }
    self.profile = profile
    self.input = input
    encoding = try InputEncoding(input)
    table = PixelTable(profile.normalization, encoding)
  }

  /// The sides of the input.
  public var size: PixelSize { layout.size }

  /// 3, or 1 for grey.
  public var channels: Int { layout.channels }

  /// In which order the axes of the input stand.
  public var order: ImageProcessor.Layout { layout.order }

  /// Bytes that ``write(_:into:)`` fills.
  public var byteCount: Int { size.width * size.height * channels * (encoding == .float32 ? 4 : 1) }

  /// All that decides the numbers, on one line: what results record.
  public var description: String {
    "\(profile.name): \(channels == 1 ? "grey, " : "")\(profile.resize), \(profile.geometry) to \(size), "
      + "\(encoding == .bytes ? Normalization.unchanged : profile.normalization), "
      + encoding.description + (table.passesBytes ? ", bytes as they are" : "")
      + (order == .channelsFirst ? ", channels first" : "")
  }

  /// Resizes, places, normalises and stores a picture.
  /// - Throws: ``ApusError`` when `target` is not ``byteCount`` bytes, or the picture is too long and thin.
  public func write(_ image: RGBImage, into target: UnsafeMutableRawBufferPointer) throws(ApusError) {
    guard target.count == byteCount else {
      throw ApusError(.argument, "\(target.count) bytes for a picture input", expected: "\(byteCount)")
    }
    guard order == .channelsFirst, channels > 1 else { return try writeRows(image, into: target) }
    let pixels = UnsafeMutableRawBufferPointer.allocate(byteCount: byteCount, alignment: 64)
    defer { pixels.deallocate() }
    try writeRows(image, into: pixels)
    if encoding == .float32 {
      layout.arrange(
        pixels.assumingMemoryBound(to: Float.self), into: target.assumingMemoryBound(to: Float.self))
    } else {
      layout.arrange(
        pixels.assumingMemoryBound(to: UInt8.self), into: target.assumingMemoryBound(to: UInt8.self))
    }
  }

  /// Writes a picture with channels last.
  private func writeRows(_ image: RGBImage, into target: UnsafeMutableRawBufferPointer) throws(ApusError) {
    let image = channels == 1 ? image.grey : image
    let placement = try Placement(profile.geometry, of: image, on: size)
    switch profile.resize {
    case .pillow(let filter, let version):
      let part = PillowResize.resize(
        image, to: placement.resized, filter: filter, version: version, box: SourceBox(image),
        window: placement.window)
      store(canvas(part.pixels, part.width, placement) { $0 }, into: target)
    case .torchvision(let filter):
      let part = TorchvisionResize.resize(
        image, to: placement.resized, filter: filter, window: placement.window)
      store(canvas(part.pixels, part.width, placement) { $0 }, into: target)
    case .tensorFlow(let kind):
      let part = TensorFlowResize.resize(image, to: placement.resized, kind: kind, window: placement.window)
      store(canvas(part.pixels, part.width, placement) { Float($0) }, into: target)
    }
  }

  /// The input tensor for a picture.
  public func tensor(_ image: RGBImage) throws(ApusError) -> Tensor {
    var failure: ApusError?
    let tensor = try Tensor(input) { target in
      do throws(ApusError) { try write(image, into: target) } catch { failure = error }
    }
    if let failure { throw failure }
    return tensor
  }

  /// The pixels of the window laid on the background; the window itself when it fills the canvas.
  private func canvas<Value>(
    _ part: [Value], _ width: Int, _ placement: Placement, value: (UInt8) -> Value
  ) -> [Value] {
    let count = size.width * size.height * 3
    guard part.count != count else { return part }
    let background = [placement.background.red, placement.background.green, placement.background.blue]
    var canvas = (0..<count).map { value(background[$0 % 3]) }
    for row in 0..<(part.count / (width * 3)) {
      let start = ((placement.y + row) * size.width + placement.x) * 3
      canvas.replaceSubrange(
        start..<(start + width * 3), with: part[(row * width * 3)..<((row + 1) * width * 3)])
    }
    return canvas
  }

  private func store(_ pixels: [UInt8], into target: UnsafeMutableRawBufferPointer) {
    guard channels > 1 else {
      return encoding == .float32
        ? target.withMemoryRebound(to: Float.self) { table.floats.mapFirst(pixels, into: $0) }
        : target.withMemoryRebound(to: UInt8.self) { table.bytes.mapFirst(pixels, into: $0) }
    }
    if encoding == .float32 {
      target.withMemoryRebound(to: Float.self) { table.floats.map(pixels, into: $0) }
    } else {
      target.withMemoryRebound(to: UInt8.self) { table.bytes.map(pixels, into: $0) }
    }
  }

  private func store(_ pixels: [Float], into target: UnsafeMutableRawBufferPointer) {
    // All channels of a grey picture are alike.
    let pixels = channels > 1 ? pixels : stride(from: 0, to: pixels.count, by: 3).map { pixels[$0] }
    let channel = { (index: Int) in index % channels }
    guard encoding == .float32 else {
      for index in pixels.indices { target[index] = byte(pixels[index], channel: channel(index)) }
      return
    }
    target.withMemoryRebound(to: Float.self) { floats in
      for index in pixels.indices {
        floats[index] = profile.normalization.apply(pixels[index], channel: channel(index))
      }
    }
  }

  private func byte(_ value: Float, channel: Int) -> UInt8 {
    guard table.passesBytes else {
      return encoding.byte(profile.normalization.apply(value, channel: channel))
    }
    let nearest = min(max(value.rounded(.toNearestOrAwayFromZero), 0), 255)
    return encoding.unchanged(UInt8(nearest))
  }
}
