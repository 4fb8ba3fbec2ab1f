import Apus
import FoundationEssentials
import TestSupport
import Testing

/// Options in JSON: what each type takes, what it refuses, and that nothing is left out.
@Suite struct JSONOptionsTests {
  /// An object that says otherwise than the standard under every key, and a value of another kind for each shape.
  private static let values: [String: String] = [
    "accept_damage": "false", "apply_orientation": "false", "chunk_limit": "5", "decoding": #""fast""#,
    "fallbacks": #"["b.tflite"]"#, "file_limit": "6", "grey16": #""high_byte""#, "labels": #""names.txt""#,
    "length": #""unit""#, "logit_bias": "-2.5", "logit_scale": "0.1", "mask_padding": "true",
    "metadata": #""meta.json""#, "minimum_short_side": "7", "minimum_short_side_at_eighth": "8",
    "network": #""text""#, "pixel_limit": "9", "precision": #""int8""#, "preprocessing": #""clip""#,
    "reject_foreign": "false", "scan_limit": "10", "score": #""sigmoid""#, "scores": #""quantities""#,
    "shapes": #"{"ids": [1, 8]}"#, "templates": #"["a photo of {}"]"#, "text_model": #""texts""#,
    "threads": "3", "threshold": "0.25", "transparency": #""80a0ff""#, "variant": #""int8""#,
  ]

  private static func object<Options: JSONOptions>(of type: Options.Type) throws -> String {
    let members = try type.settings.keys.map { key in
      let isList = key == "labels" && type.settings.shape(of: key) == .texts
      return "\"\(key)\": \(isList ? #"["a cat", "a dog"]"# : try #require(values[key]))"
    }
    return "{\(members.joined(separator: ", "))}"
  }

  /// What is stored, by its place; what only Apus itself sets is left out.
  private static func stored(_ value: Any, _ place: String = "") -> [String: String] {
    let inner = ["isForCalibration", "instructionSet", "whitensTransparentColour"]
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
    for key in Set(keys) { #expect(article.contains("`\(key)`"), "\(key)") }
  }
}
