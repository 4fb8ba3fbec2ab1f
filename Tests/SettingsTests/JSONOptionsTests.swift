import Apus
import ApusPhotos
import ApusService
import Evaluation
import FoundationEssentials
import Quantizer
import TestSupport
import Testing

/// Options in JSON: what each type takes, what it refuses, and that nothing is left out.
@Suite struct JSONOptionsTests {
  /// An object that says otherwise than the standard under every key, and a value of another kind for each shape.
  private static let values: [String: String] = [
    "accept_damage": "false", "activations": #""int16""#, "apply_orientation": "false", "byte_limit": "4",
    "calibration": #""samples""#, "calm": "2.5", "chunk_limit": "5", "classes": #""classes.tsv""#,
    "critical_share": "0.75", "data": #""samples""#, "decoding": #""fast""#, "excluded": #"["*.gif"]"#,
    "fallbacks": #"["b.tflite"]"#, "file_limit": "6", "find_divergence": "true", "forget_after": "-1",
    "grey16": #""high_byte""#, "group_size": "16", "groups": #""copies""#, "interval": "0.5",
    "keep_alive": "60", "kept": #"["*head*"]"#, "labels": #""names.txt""#, "layer_samples": "8",
    "length": #""unit""#, "limit": "100", "look_for_culprits": "false", "margin": "0.01",
    "methods": #"["extremes", "least-error"]"#, "models": #"["a", "b"]"#, "normalization": #""imagenet""#,
    "patience": "3", "pressure_margin": "0.125", "recovery": "7", "replace": "true", "resamples": "11",
    "retry_left_out": "true", "seed": "18446744073709551615", "shard": #""2/5""#, "take_floats": "true",
    "take_other_disks": "true", "target": #""bf16""#, "warning_share": "0.5", "watch_pressure": "false",
    "width": "6", "logit_bias": "-2.5", "logit_scale": "0.1", "mask_padding": "true",
    "metadata": #""meta.json""#, "minimum_short_side": "7", "minimum_short_side_at_eighth": "8",
    "network": #""text""#, "pixel_limit": "9", "precision": #""int8""#, "preprocessing": #""clip""#,
    "reject_foreign": "false", "scan_limit": "10", "score": #""sigmoid""#, "scores": #""quantities""#,
    "shapes": #"{"ids": [1, 8]}"#, "templates": #"["a photo of {}"]"#, "text_model": #""texts""#,
    "threads": "3", "threshold": "0.25", "transparency": #""80a0ff""#, "variant": #""int8""#,
  ]

  private static func object<Options: JSONOptions>(of type: Options.Type) throws -> String {
    let members = try type.settings.keys.map { key in
      let isList = key == "labels" && type.settings.shape(of: key) == .texts
      if let other = other(key, of: type) { return "\"\(key)\": \"\(other)\"" }
      return "\"\(key)\": \(isList ? #"["a cat", "a dog"]"# : try #require(values[key]))"
    }
    return "{\(members.joined(separator: ", "))}"
  }

  /// The standard of an index is what others have to be told.
  private static func other<Options: JSONOptions>(_ key: String, of type: Options.Type) -> String? {
    guard type == PhotoModel.Options.self else { return nil }
    return ["decoding": "exact", "precision": "bf16"][key]
  }

  /// What is stored, by its place; what only Apus itself sets, and what is no setting, is left out.
  private static func stored(_ value: Any, _ place: String = "") -> [String: String] {
    let inner = [
      "isForCalibration", "instructionSet", "whitensTransparentColour", "memory", "mixture", "progress",
      "arguments",
    ]
    var found: [String: String] = [:]
    for child in Mirror(reflecting: value).children {
      guard let name = child.label, !inner.contains(name) else { continue }
      if child.value is any JSONOptions {
        found.merge(stored(child.value, "\(place)\(name).")) { $1 }
      } else {
        found[place + name] = "\(child.value)"
      }
    }
    return found
  }

  private func checkAll<Options: JSONOptions>(_ type: Options.Type) throws {
    let text = try Self.object(of: type)
    let options = try Options(json: text)
    let (set, standard) = (Self.stored(options), Self.stored(Options.standard))
    #expect(!set.isEmpty && set.keys == standard.keys)
    for (place, value) in set { #expect(value != standard[place], "\(type) \(place)") }
    #expect(try options.json() == text)
    #expect(Self.stored(try Options(json: try options.json())) == set)
    let coded = try JSONEncoder().encode(options)
    #expect(Self.stored(try JSONDecoder().decode(Options.self, from: coded)) == set)
    #expect(try Options.standard.json() == "{}")
    #expect(Self.stored(try Options(json: "{}")) == standard)
    let keys = type.settings.keys
    #expect(Set(keys).count == keys.count)
    #expect(keys.allSatisfy { $0.allSatisfy { $0.isLowercase || $0.isNumber || $0 == "_" } })
  }

  /// Every stored option has a key, and comes back from JSON as it was.
  @Test func everyOptionComesBack() throws {
    try checkAll(ImageClassifier.Options.self)
    try checkAll(ZeroShotClassifier.Options.self)
    try checkAll(ZeroShotReading.self)
    try checkAll(ImageEmbedder.Options.self)
    try checkAll(TextClassifier.Options.self)
    try checkAll(TextEmbedder.Options.self)
    try checkAll(InferenceSession.Options.self)
    try checkAll(InferenceOptions.self)
    try checkAll(ImageLimits.self)
    try checkAll(ImageOptions.self)
    try checkAll(ModelQuantizer.Options.self)
    try checkAll(Comparison.Options.self)
    try checkAll(IndexOptions.self)
    try checkAll(PhotoModel.Options.self)
    try checkAll(ModelStore.Options.self)
    try checkAll(MemoryPressure.Options.self)
  }

  private func checkRefusals<Options: JSONOptions>(_ type: Options.Type) throws {
    for key in type.settings.keys {
      let wrong = type.settings.shape(of: key) == .shapes ? "true" : "{}"
      let error = #expect(throws: ApusError.self) { try Options(json: "{\"\(key)\": \(wrong)}") }
      #expect(error?.kind == .argument && error?.problem.hasPrefix("'\(key)' is ") == true)
      #expect(error?.expected?.isEmpty == false)
      // Null says nothing.
      #expect(try Options(json: "{\"\(key)\": null}").json() == "{}")
    }
    let error = #expect(throws: ApusError.self) { try Options(json: #"{"treshold": 0.5}"#) }
    #expect(error?.problem.contains("'treshold'") == true)
    #expect(error?.expected == "one of " + type.settings.keys.joined(separator: ", "))
  }

  @Test func aWrongValueAndAnUnknownKeyAreNamed() throws {
    try checkRefusals(ImageClassifier.Options.self)
    try checkRefusals(ZeroShotClassifier.Options.self)
    try checkRefusals(ZeroShotReading.self)
    try checkRefusals(ImageEmbedder.Options.self)
    try checkRefusals(TextClassifier.Options.self)
    try checkRefusals(TextEmbedder.Options.self)
    try checkRefusals(InferenceSession.Options.self)
    try checkRefusals(ModelQuantizer.Options.self)
    try checkRefusals(Comparison.Options.self)
    try checkRefusals(IndexOptions.self)
    try checkRefusals(PhotoModel.Options.self)
    try checkRefusals(ModelStore.Options.self)
  }

  /// Of types that are no models' options.
  @Test func placesOfListsAndPartsAreNamed() {
    let methods = #expect(throws: ApusError.self) {
      try ModelQuantizer.Options(json: #"{"methods": ["extremes", "all"]}"#)
    }
    #expect(methods?.problem == "'methods[1]' is the text \"all\"")
    let shard = #expect(throws: ApusError.self) { try IndexOptions(json: #"{"shard": "5/4"}"#) }
    #expect(shard?.problem == "'shard' is the text \"5/4\"")
    let time = #expect(throws: ApusError.self) { try ModelStore.Options(json: #"{"patience": -1}"#) }
    #expect(time?.expected == "a number of seconds from 0")
    let seed = #expect(throws: ApusError.self) { try Comparison.Options(json: #"{"seed": 1.5}"#) }
    #expect(seed?.expected == "a whole number from 0")
  }

  @Test func namesAndFilesComeBackAsWhatTheyWere() throws {
    var options = Comparison.Options.standard
    (options.labels, options.groups) = (.file("labels.txt"), .file("copies"))
    #expect(try options.json() == #"{"labels": "labels.txt", "groups": "./copies"}"#)
    #expect(try Comparison.Options(json: #"{"groups": "./copies"}"#).groups == .file("./copies"))
    #expect(try Comparison.Options(json: #"{"labels": ["a", "b"]}"#).labels == .names(["a", "b"]))
    #expect(try IndexOptions(json: #"{"forget_after": 1.5}"#).forgetsAfter == .milliseconds(1500))
    #expect(try IndexOptions(json: #"{"forget_after": 1.5}"#).json() == #"{"forget_after": 1.5}"#)
  }

  /// The same that the initialisers and models refuse.
  @Test(arguments: [
    (#"{"threshold": 2}"#, "'threshold' is the number 2, expected a number from 0 to 1."),
    (#"{"threshold": -0.1}"#, "a number from 0 to 1"), (#"{"threads": 0}"#, "a whole number from 1"),
    (#"{"threads": 1.5}"#, "'threads' is the number 1.5"),
    (#"{"logit_scale": 1e39}"#, "in the range of floats"),
    (
      #"{"templates": ["a photo"]}"#,
      "'templates[0]' is the text \"a photo\", expected {} where the label goes"
    ),
    (#"{"templates": []}"#, "expected at least one"),
    (#"{"labels": ["a", 1]}"#, "'labels[1]' is the number 1"),
    (#"{"precision": "int4"}"#, "f32, bf16 or int8"), (#"{"score": "max"}"#, #""softmax" or "sigmoid""#),
    (#"{"preprocessing": "none"}"#, "mobilenet-v2"), (#"{"transparency": "pink"}"#, "hexadecimal"),
    (#"{"threshold": 0.5"#, "line 1"), (#"{"threads": 1, "threads": 2}"#, "twice"), ("[]", "an object"),
  ])
  func whatCannotBeIsRefused(_ json: String, _ words: String) {
    let error = #expect(throws: ApusError.self) { try ZeroShotClassifier.Options(json: json) }
    #expect(
      error?.kind == .argument && error.map { "\($0)".contains(words) } == true,
      "\(String(describing: error))")
  }

  /// A decoder's error is the same one.
  @Test func otherDecodersRefuseTheSame() {
    let error = #expect(throws: ApusError.self) {
      try JSONDecoder().decode(TextClassifier.Options.self, from: Data(#"{"threshold": true}"#.utf8))
    }
    #expect(error?.problem == "'threshold' is true")
  }

  @Test func aShapeIsNamedByItsInput() {
    let error = #expect(throws: ApusError.self) {
      try InferenceSession.Options(json: #"{"shapes": {"ids": [1, "8"]}}"#)
    }
    #expect(error?.problem == "'shapes.ids[1]' is the text \"8\"")
  }

  @Test func whatJSONHasNotIsNotWritten() throws {
    let own = PreprocessingProfile(
      name: "mine", resize: .pillow(.bilinear), geometry: .letterbox(.black), normalization: .zeroToOne)
    let options = ImageEmbedder.Options(preprocessing: own)
    let error = #expect(throws: ApusError.self) { try options.json() }
    #expect(error?.location == "'preprocessing'" && error?.problem.contains("'mine'") == true)
    let endless = #expect(throws: ApusError.self) { try ZeroShotReading(logitScale: .infinity).json() }
    #expect(endless?.location == "'logit_scale'")
  }

  /// What a call leaves open is as another says it.
  @Test func readingsStandOverOthers() {
    let served = ZeroShotReading(scoring: .sigmoid, logitScale: 5, logitBias: -2, masksPadding: true)
    #expect(ZeroShotReading().over(served) == served && served.over(ZeroShotReading()) == served)
    let call = ZeroShotReading(scoring: .softmax, logitScale: 10).over(served)
    #expect(
      call == ZeroShotReading(scoring: .softmax, logitScale: 10, logitBias: -2, masksPadding: true))
  }

  @Test func aModelIsOpenedByJSON() throws {
    let options = try TextClassifier.Options(json: #"{"threshold": 0.99, "threads": 1}"#)
    let model = try TextClassifier(Checkout.modelFolder("bert-classifier"), options: options)
    #expect(model.threshold == 0.99)
  }
}

extension JSONOptionsTests {
  /// The article lists every key.
  @Test func theDocumentationHasAllKeys() throws {
    let article = try String(
      contentsOf: Checkout.file("Sources/Apus/Apus.docc/OptionsInJSON.md"), encoding: .utf8)
    let keys =
      ImageClassifier.Options.settings.keys + ZeroShotClassifier.Options.settings.keys
      + ImageEmbedder.Options.settings.keys + TextClassifier.Options.settings.keys
      + TextEmbedder.Options.settings.keys + InferenceSession.Options.settings.keys
      + ModelQuantizer.Options.settings.keys + Comparison.Options.settings.keys + IndexOptions.settings.keys
      + PhotoModel.Options.settings.keys + ModelStore.Options.settings.keys
    for key in Set(keys) { #expect(article.contains("`\(key)`"), "\(key)") }
  }
}
