import Formats
import Images
import TensorCore
import TestSupport
import Testing

/// Which files and forms are understood, and that what would change the numbers unnoticed is refused by name.
@Suite struct ImageProcessorTests {
  private func find(_ files: [String: String]) throws -> ImageProcessor? {
    let folder = try TemporaryFolder()
    for (name, text) in files { try folder.write(name, text) }
    return try ImageProcessor.find(in: try ModelFolder(folder.path))
  }

  @Test func noneWithoutAFile() throws {
    #expect(try find(["config.json": #"{"model_type": "vit"}"#]) == nil)
  }

  @Test func theClassMayFollowFromTheModel() throws {
    let files = ["config.json": #"{"model_type": "siglip"}"#, "preprocessor_config.json": "{}"]
    let processor = try #require(try find(files))
    #expect(processor.profile.name == "SiglipImageProcessor with Pillow")
    #expect(processor.size == (try PixelSize(width: 224, height: 224)))
  }

  /// As the published folders of DINOv2 have it, of which those with registers name the class.
  @Test func theClassOfDINOv2() throws {
    let files = ["config.json": #"{"model_type": "dinov2"}"#, "preprocessor_config.json": "{}"]
    let plain = try #require(try find(files))
    #expect(plain.profile.name == "BitImageProcessor with Pillow")
    #expect(plain.profile.normalization == PreprocessingProfile.clip.normalization)
    let text =
      #"{"image_processor_type": "BitImageProcessor", "size": {"shortest_edge": 256}, "crop_size": {"height": 224, "width": 224}}"#
    let stated = try #require(try find(["preprocessor_config.json": text]))
    #expect(stated.profile.geometry == .centerCrop(shorterSide: .pixels(256), rounding: .huggingFace))
    #expect(stated.size == (try PixelSize(width: 224, height: 224)))
    let registers = [
      "config.json": #"{"model_type": "dinov2_with_registers"}"#, "preprocessor_config.json": "{}",
    ]
    #expect(throws: ApusError.self) { try find(registers) }
  }

  @Test func theClassOfResNet() throws {
    let files = [
      "config.json": #"{"model_type": "resnet"}"#,
      "preprocessor_config.json": #"{"size": 224, "crop_pct": 0.875}"#,
    ]
    let processor = try #require(try find(files))
    #expect(processor.profile.name == "ConvNextImageProcessor with Pillow")
    #expect(processor.profile.geometry == .centerCrop(shorterSide: .pixels(256), rounding: .huggingFace))
    #expect(processor.size == (try PixelSize(width: 224, height: 224)))
  }

  /// As published folders of window 7 have it.
  @Test func theClassOfSwin() throws {
    let files = [
      "config.json": #"{"model_type": "swin"}"#, "preprocessor_config.json": #"{"size": 224, "resample": 3}"#,
    ]
    let processor = try #require(try find(files))
    #expect(processor.profile.name == "ViTImageProcessor with Pillow")
    #expect(processor.profile.geometry == .stretch && processor.profile.resize == .pillow(.bicubic))
    #expect(processor.size == (try PixelSize(width: 224, height: 224)))
  }

  /// As published folders have it, and where a centre is asked for.
  @Test func theClassOfBEiT() throws {
    let plain = try #require(
      try find(["config.json": #"{"model_type": "beit"}"#, "preprocessor_config.json": "{}"]))
    #expect(plain.profile.name == "BeitImageProcessor with Pillow" && plain.profile.geometry == .stretch)
    let published =
      #"{"crop_size": 224, "do_center_crop": false, "feature_extractor_type": "BeitFeatureExtractor", "resample": 2, "size": 384}"#
    let stated = try #require(try find(["preprocessor_config.json": published]))
    #expect(stated.profile.geometry == .stretch && stated.profile.resize == .pillow(.bilinear))
    #expect(stated.size == (try PixelSize(width: 384, height: 384)))
    let text =
      #"{"image_processor_type": "BeitImageProcessor", "size": 256, "do_center_crop": true, "do_reduce_labels": true}"#
    let cropped = try #require(try find(["preprocessor_config.json": text]))
    #expect(
      cropped.profile.geometry == .stretchAndCrop(width: 256, height: 256, rounding: .huggingFace))
    #expect(cropped.size == (try PixelSize(width: 224, height: 224)))
  }

  @Test func withoutAResizePicturesKeepTheirSize() throws {
    let text = { (rest: String) in
      #"{"image_processor_type": "ViTImageProcessor", "do_resize": false\#(rest)}"#
    }
    let plain = try #require(try find(["preprocessor_config.json": text("")]))
    #expect(plain.profile.geometry == .unchanged && plain.size == nil)
    let crop = try #require(
      try find(["preprocessor_config.json": text(#", "do_center_crop": true, "crop_size": 20"#)]))
    #expect(crop.profile.geometry == .crop(rounding: .huggingFace))
    #expect(crop.size == (try PixelSize(width: 20, height: 20)))
  }

  /// As in transformers, where a key that is null gets no default.
  @Test func nullSwitchesAStepOff() throws {
    for key in ["do_resize", "do_rescale", "do_normalize"] {
      let processors = try ["null", "false"].map { value in
        try find([
          "preprocessor_config.json": #"{"image_processor_type": "ViTImageProcessor", "\#(key)": \#(value)}"#
        ])
      }
      #expect(processors[0] != nil)
      #expect(processors[0] == processors[1])
    }
  }

  /// Whether one transparent colour becomes white, in transformers 5.24 with Pillow and with torchvision.
  @Test(arguments: [
    ("CLIPImageProcessor", "", true), ("SiglipImageProcessorFast", "", true),
    ("CLIPImageProcessor", "false", false), ("SiglipImageProcessor", "null", false),
    ("ViTImageProcessor", "", false), ("ViTImageProcessor", "null", false),
    ("ViTImageProcessor", "true", true),
    ("ConvNextImageProcessor", "true", true), ("MobileNetV2ImageProcessor", "", false),
    ("MobileNetV2ImageProcessorFast", "true", true), ("DeiTImageProcessor", "true", true),
    ("BitImageProcessor", "", true), ("BitImageProcessorFast", "false", false),
    ("BeitImageProcessor", "", false), ("BeitImageProcessorFast", "true", true),
  ])
  func conversionToRGB(_ name: String, _ value: String, _ whitens: Bool) throws {
    let key = value.isEmpty ? "" : ", \"do_convert_rgb\": \(value)"
    let text = #"{"image_processor_type": "\#(name)"\#(key)}"#
    let processor = try #require(try find(["preprocessor_config.json": text]))
    #expect(processor.profile.whitensTransparentColour == whitens)
  }

  /// torchvision divides by deviations that the factor makes negative.
  @Test func aFactorMayBeNegative() throws {
    let text = #"{"image_processor_type": "ViTImageProcessorFast", "rescale_factor": -0.01}"#
    let processor = try #require(try find(["preprocessor_config.json": text]))
    // Mean and deviation are 0.5 / −0.01 = −50: (255 + 50) / −50.
    #expect(abs(processor.profile.normalization.apply(255, channel: 0) + 6.1) < 1e-5)
  }

  /// Bytes overflow where torchvision multiplies them by a whole number before anything has made them floats.
  @Test func aWholeFactorOfBytesIsRefused() throws {
    func read(_ name: String, _ rest: String) throws -> Normalization? {
      let text = #"{"image_processor_type": "\#(name)", \#(rest)}"#
      return try find(["preprocessor_config.json": text])?.profile.normalization
    }
    let fast = "ViTImageProcessorFast"
    for factor in ["2", "-1"] {
      let bytes = "\"rescale_factor\": \(factor), \"do_normalize\": false"
      let error = #expect(throws: ApusError.self) { try read(fast, bytes) }
      #expect(error?.location == "rescale_factor" && error?.kind == .unsupportedModel)
      #expect(error?.file?.hasSuffix("/preprocessor_config.json") == true)
      #expect(try read("ViTImageProcessor", bytes) != nil)
      #expect(try read(fast, "\"rescale_factor\": \(factor)") != nil)
      #expect(try read(fast, bytes + ", \"do_rescale\": false") != nil)
    }
    for factor in ["1", "2.0"] {
      let normalization = try read(fast, "\"rescale_factor\": \(factor), \"do_normalize\": false")
      #expect(normalization?.apply(100, channel: 0) == (factor == "1" ? 100 : 200))
    }
  }

  @Test func insideAProcessorConfiguration() throws {
    let text = #"{"image_processor": {"image_processor_type": "CLIPImageProcessor", "do_pad": false}}"#
    let processor = try #require(try find(["processor_config.json": text]))
    #expect(processor.profile.resize == .pillow(.bicubic))
    #expect(processor.profile.normalization == PreprocessingProfile.clip.normalization)
  }

  @Test(arguments: [
    (#"{"image_processor_type": "BlipImageProcessor"}"#, "image_processor_type"),
    (#"{"image_processor_type": "Siglip2ImageProcessor"}"#, "image_processor_type"),
    (#"{}"#, "image_processor_type"),
    (#"{"image_processor_type": 3}"#, "image_processor_type"),
    (#"{"image_processor_type": "ConvNextImageProcessor", "do_resize": false}"#, "do_resize"),
    (#"{"image_processor_type": "ConvNextImageProcessor", "do_resize": null}"#, "do_resize"),
    (
      #"{"image_processor_type": "ViTImageProcessor", "size": 24, "default_to_square": false}"#,
      "default_to_square"
    ),
    (
      #"{"image_processor_type": "ViTImageProcessor", "size": 24, "default_to_square": null}"#,
      "default_to_square"
    ),
    (#"{"image_processor_type": "ViTImageProcessor", "do_resize": 1}"#, "do_resize"),
    (#"{"image_processor_type": "ViTImageProcessor", "do_pad": true}"#, "do_pad"),
    (
      #"{"image_processor_type": "ViTImageProcessor", "do_flip_channel_order": true}"#,
      "do_flip_channel_order"
    ),
    (#"{"image_processor_type": "ViTImageProcessor", "crop_pct": 0.9}"#, "crop_pct"),
    (#"{"image_processor_type": "BeitImageProcessor", "crop_pct": 0.9}"#, "crop_pct"),
    (#"{"image_processor_type": "BeitImageProcessor", "size": {"shortest_edge": 9}}"#, "size"),
    (#"{"image_processor_type": "BeitImageProcessor", "do_pad": true}"#, "do_pad"),
    (
      #"{"image_processor_type": "ConvNextImageProcessor", "do_center_crop": true, "crop_size": 9}"#,
      "do_center_crop"
    ),
    (#"{"image_processor_type": "ViTImageProcessor", "resample": 6}"#, "resample"),
    (#"{"image_processor_type": "ViTImageProcessor", "resample": "bicubic"}"#, "resample"),
    (#"{"image_processor_type": "ViTImageProcessor", "size": 0}"#, "size"),
    (#"{"image_processor_type": "ViTImageProcessor", "size": -3}"#, "size"),
    (#"{"image_processor_type": "ViTImageProcessor", "size": 1e99}"#, "size"),
    (#"{"image_processor_type": "ViTImageProcessor", "size": [1, 2, 3]}"#, "size"),
    (#"{"image_processor_type": "ViTImageProcessor", "size": {"height": 65536, "width": 65536}}"#, "size"),
    (#"{"image_processor_type": "ViTImageProcessor", "size": {"height": 2}}"#, "size.width"),
    (#"{"image_processor_type": "ViTImageProcessor", "size": {"longest_edge": 2}}"#, "size"),
    (#"{"image_processor_type": "SiglipImageProcessor", "size": {"shortest_edge": 2}}"#, "size"),
    (
      #"{"image_processor_type": "CLIPImageProcessor", "size": {"shortest_edge": 9, "longest_edge": 9}}"#,
      "size"
    ),
    (#"{"image_processor_type": "SiglipImageProcessor", "do_center_crop": true}"#, "crop_size"),
    (#"{"image_processor_type": "CLIPImageProcessor", "crop_size": {"shortest_edge": 2}}"#, "crop_size"),
    (#"{"image_processor_type": "ViTImageProcessor", "image_std": [0.5, 0, 0.5]}"#, "image_std"),
    (#"{"image_processor_type": "ViTImageProcessor", "image_std": [0.5, 0.5]}"#, "image_std"),
    (#"{"image_processor_type": "ViTImageProcessor", "image_mean": ["a", "b", "c"]}"#, "image_mean"),
    (#"{"image_processor_type": "ViTImageProcessor", "image_mean": [1e300, 0, 0]}"#, "image_std"),
    (#"{"image_processor_type": "ViTImageProcessor", "rescale_factor": 0}"#, "rescale_factor"),
    (#"{"image_processor_type": "ViTImageProcessorFast", "rescale_factor": 0}"#, "rescale_factor"),
    (#"{"image_processor_type": "ViTImageProcessorFast", "rescale_factor": -1e-60}"#, "rescale_factor"),
    (#"{"image_processor_type": "ViTImageProcessorFast", "resample": 4}"#, "resample"),
    (#"{"image_processor_type": "ViTImageProcessor", "rescale_factor": "1/255"}"#, "rescale_factor"),
    ("[]", "preprocessor_config.json"),
    ("{", "preprocessor_config.json"),
  ])
  func refusesByName(_ text: String, _ key: String) throws {
    let error = #expect(throws: ApusError.self) { try find(["preprocessor_config.json": text]) }
    #expect(error?.description.contains(key) == true, "\(String(describing: error))")
    #expect(error?.file?.hasSuffix("/preprocessor_config.json") == true, "\(String(describing: error))")
    #expect(error?.kind == .configuration || error?.kind == .unsupportedModel)
  }

  @Test(arguments: [
    (#"{"input_size": [1, 28, 28]}"#, "input_size"),
    (#"{"input_size": 224}"#, "input_size"),
    (#"{"input_size": [3, 224, 192]}"#, "input_size"),
    (#"{"input_size": [3, 224, 224], "crop_mode": "border"}"#, "crop_mode"),
    (#"{"input_size": [3, 224, 224], "crop_pct": 0}"#, "crop_pct"),
    (#"{"input_size": [3, 224, 224], "interpolation": "random"}"#, "interpolation"),
    (#"{"input_size": [3, 224, 224], "mean": [0]}"#, "mean"),
    (#"{"input_size": [3, 224, 224], "border_pixels": 3}"#, "border_pixels"),
  ])
  func refusesOfTimm(_ text: String, _ key: String) throws {
    let error = #expect(throws: ApusError.self) { try find(["config.json": "{\"pretrained_cfg\": \(text)}"]) }
    #expect(error?.description.contains(key) == true, "\(String(describing: error))")
  }

  @Test(arguments: [
    (#"{"preprocess_cfg": {}}"#, "model_cfg"),
    (#"{"model_cfg": {"vision_cfg": {}}}"#, "image_size"),
    (#"{"model_cfg": {"vision_cfg": {"image_size": "big"}}}"#, "image_size"),
    (#"{"model_cfg": {"vision_cfg": {"image_size": [2, 3]}}}"#, "shorter side"),
    (
      #"{"model_cfg": {"vision_cfg": {"image_size": 2}}, "preprocess_cfg": {"resize_mode": "longest"}}"#,
      "resize_mode"
    ),
    (#"{"model_cfg": {"vision_cfg": {"image_size": 2}}, "preprocess_cfg": {"sharpen": 1}}"#, "sharpen"),
  ])
  func refusesOfOpenCLIP(_ text: String, _ key: String) throws {
    let error = #expect(throws: ApusError.self) { try find(["open_clip_config.json": text]) }
    #expect(error?.description.contains(key) == true, "\(String(describing: error))")
  }

  /// A random choice is one for training: open_clip's image_transform answers with bicubic then.
  @Test func aRandomFilterOfOpenCLIPIsBicubic() throws {
    func processor(_ filter: String) throws -> ImageProcessor? {
      let options = #"{"size": 224, "interpolation": "\#(filter)"}"#
      return try find([
        "open_clip_config.json": #"{"model_cfg": {"vision_cfg": {}}, "preprocess_cfg": \#(options)}"#
      ])
    }
    let random = try #require(try processor("random"))
    #expect(try random == processor("bicubic") && random != processor("bilinear"))
  }
}
