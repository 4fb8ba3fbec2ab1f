import Images
import Networks
import TensorCore

extension ImageProcessor {
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
  /// - Throws: ``ApusError`` of kind `argument` if no picture can have such sides.
  public init(_ profile: PreprocessingProfile, width: Int, height: Int) throws(ApusError) {
    self.init(profile: profile, size: try PixelSize(width: width, height: height))
  }

  /// The numbers of a picture, float32 [1, 3, height, width], equal to the output of the model's own library.
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
        try prepared(picture, limits, options, layout) { (size) throws(ApusError) in
          let sides = [size.height, size.width], channels = RGBImage.channels
          return TensorType(
            .float32, try Shape([1] + (layout == .channelsFirst ? [channels] + sides : sides + [channels])))
        })
    }
    guard let first = rows.first, rows.allSatisfy({ $0.shape == first.shape }) else {
      throw ApusError(
        .argument, rows.isEmpty ? "no pictures" : "pictures of several sizes",
        expected: rows.isEmpty ? "at least one" : "one size, as the model's library leaves them theirs")
    }
    let type = TensorType(.float32, try Shape([rows.count] + first.shape.dimensions.dropFirst()))
    return try Tensor(type) { target in
      let count = first.type.byteCount
      for (index, row) in rows.enumerated() {
        let part = UnsafeMutableRawBufferPointer(rebasing: target[(index * count)..<((index + 1) * count)])
        row.withBytes { part.copyMemory(from: UnsafeRawBufferPointer($0)) }
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
    try prepared(picture, limits, options) { (_) throws(ApusError) in input.type }
  }

  private func prepared(
    _ picture: Picture, _ limits: ImageLimits, _ options: ImageOptions, _ order: Layout? = nil,
    as type: (PixelSize) throws(ApusError) -> TensorType
  ) throws(ApusError) -> Tensor {
    do throws(ApusError) {
      let image = try picture.decoded(limits: limits, options: options.prepared(for: profile)).image
      let size = if let size { size } else { try PixelSize(width: image.width, height: image.height) }
      return try Preprocessor(profile, input: try type(size), order: order).tensor(image)
    } catch {
      throw error.inFile(picture.path ?? "picture")
    }
  }
}
