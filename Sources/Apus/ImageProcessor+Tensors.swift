import Images
import Networks
import TensorCore

extension ImageProcessor {
  /// In which order the axes of pictures stand.
  public enum Layout: String, Sendable, CaseIterable {
    /// [N, channels, height, width], as PyTorch and transformers have it.
    case channelsFirst
    /// [N, height, width, channels], as TensorFlow has it.
    case channelsLast
  }

  /// How the pictures of a model are prepared, by its own files. Its weights need not be there.
  ///
  ///     let processor = try ImageProcessor("google/vit-base-patch16-224")
  ///     print(try processor.tensor("photo.jpg").shape)
  ///
  /// - Parameter model: a folder with a `preprocessor_config.json` or another such file, a `.tflite` file, or the name of
  ///   a repository in the local Hugging Face cache.
  /// - Throws: ``ApusError``: kind `file` when there is no such file or folder, `configuration` when it does not say how
  ///   pictures are prepared, `unsupportedModel` when it takes none.
  public init(_ model: String) throws(ApusError) { self = try Preparation.imageProcessor(model) }

  /// - Parameters:
  ///   - profile: what is done to a picture.
  ///   - width: of the model's input, in pixels.
  ///   - height: of the model's input, in pixels.
  /// - Throws: ``ApusError`` of kind `argument` when the sides are not those of a picture.
  public init(_ profile: PreprocessingProfile, width: Int, height: Int) throws(ApusError) {
    self.init(profile: profile, size: try PixelSize(width: width, height: height))
  }

  /// The numbers of a picture, float32 [1, 3, height, width]: those of the model's own library.
  /// - Parameters:
  ///   - picture: what is prepared.
  ///   - layout: the order of the axes.
  ///   - limits: what decoding it may cost.
  ///   - options: how it becomes RGB: orientation, transparency.
  /// - Throws: ``ApusError`` of kind `file` or `image` that names the picture.
  public func tensor(
    _ picture: Picture, layout: Layout = .channelsFirst, limits: ImageLimits = .standard,
    options: ImageOptions = .standard
  ) throws(ApusError) -> Tensor {
    try tensor([picture], layout: layout, limits: limits, options: options)
  }

  /// The numbers of pictures, float32 [N, 3, height, width].
  /// - Parameters:
  ///   - pictures: what is prepared, at least one; all come out in one size, but where the model's own library leaves
  ///     each its own.
  ///   - layout: the order of the axes.
  ///   - limits: what decoding each may cost.
  ///   - options: how each becomes RGB: orientation, transparency.
  /// - Throws: ``ApusError`` of kind `file` or `image` that names the picture; of kind `argument` for none, or for
  ///   pictures of several sizes that keep theirs.
  public func tensor(
    _ pictures: [Picture], layout: Layout = .channelsFirst, limits: ImageLimits = .standard,
    options: ImageOptions = .standard
  ) throws(ApusError) -> Tensor {
    var rows: [Tensor] = []
    for picture in pictures {
      rows.append(
        try prepared(picture, limits, options) { (size) throws(ApusError) in
          TensorType(.float32, try Shape([1, size.height, size.width, RGBImage.channels]))
        })
    }
    guard let first = rows.first, rows.allSatisfy({ $0.shape == first.shape }) else {
      throw ApusError(
        .argument, rows.isEmpty ? "no pictures" : "pictures of several sizes",
        expected: rows.isEmpty ? "at least one" : "one size, as the model's library leaves them theirs")
    }
    let (height, width, channels) = (first.shape[1], first.shape[2], first.shape[3])
    let extents = layout == .channelsFirst ? [channels, height, width] : [height, width, channels]
    let type = TensorType(.float32, try Shape([rows.count] + extents))
    return try Tensor(type) { target in
      let floats = target.assumingMemoryBound(to: Float.self)
      for (index, row) in rows.enumerated() {
        let count = row.shape.elementCount
        let part = UnsafeMutableBufferPointer(rebasing: floats[(index * count)..<((index + 1) * count)])
        row.withBytes { Self.copy($0.assumingMemoryBound(to: Float.self), to: part, layout, channels) }
      }
    }
  }

  /// The very input of a model: in its size, its element type and its order of axes, quantized as it is.
  ///
  ///     let session = try await InferenceSession.load("mobilenet.tflite")
  ///     let input = try ImageProcessor("mobilenet.tflite").tensor("photo.jpg", for: session.inputs[0])
  ///     print(input.type)
  ///
  /// - Parameters:
  ///   - picture: what is prepared.
  ///   - input: of one picture, with 3 channels, or 1 for grey.
  ///   - limits: what decoding it may cost.
  ///   - options: how it becomes RGB: orientation, transparency.
  /// - Throws: ``ApusError`` of kind `file` or `image` that names the picture; of kind `unsupportedModel` when the input
  ///   takes no picture.
  public func tensor(
    _ picture: Picture, for input: TensorDescription, limits: ImageLimits = .standard,
    options: ImageOptions = .standard
  ) throws(ApusError) -> Tensor {
    let shape = input.shape.dimensions
    guard shape.count == 4, shape[1] == RGBImage.channels, shape[3] != RGBImage.channels else {
      return try prepared(picture, limits, options) { (_) throws(ApusError) in input.type }
    }
    let size = try PixelSize(width: shape[3], height: shape[2])
    return try ImageProcessor(profile: profile, size: size)
      .tensor(picture, layout: .channelsFirst, limits: limits, options: options)
  }

  private func prepared(
    _ picture: Picture, _ limits: ImageLimits, _ options: ImageOptions,
    as type: (PixelSize) throws(ApusError) -> TensorType
  ) throws(ApusError) -> Tensor {
    do throws(ApusError) {
      let image = try picture.decoded(limits: limits, options: options.prepared(for: profile)).image
      let size = if let size { size } else { try PixelSize(width: image.width, height: image.height) }
      return try Preprocessor(profile, input: try type(size)).tensor(image)
    } catch {
      throw error.inFile(picture.path ?? "picture")
    }
  }

  /// A picture with channels last in one of the layouts.
  private static func copy(
    _ source: UnsafeBufferPointer<Float>, to target: UnsafeMutableBufferPointer<Float>, _ layout: Layout,
    _ channels: Int
  ) {
    guard layout == .channelsFirst else {
      _ = target.update(from: source)
      return
    }
    let pixels = source.count / channels
    for channel in 0..<channels {
      for pixel in 0..<pixels { target[channel * pixels + pixel] = source[pixel * channels + channel] }
    }
  }
}
