import Apus

/// `POST /api/classify`: the embedding of a picture, which the client's half of the model computed.
struct ClassifyEmbeddingRequest: Equatable {
  let model: String?
  let embedding: [Float]
  let labels: [String]?
  let topK: Int?
  let reading: ZeroShotReading

  init(_ body: [UInt8]) throws(RequestFault) {
    let fields = try RequestFields(body: body)
    let reading = ZeroShotReading.requested.keys.map { ExactText($0) }
    try fields.refuseAll(but: Set(["model", "embedding", "labels", "top_k"] + reading))
    model = try fields.optionalText("model")
    embedding = try fields.vector("embedding")
    labels = try Labels.list(fields)
    topK = try fields.optionalCount("top_k")
    self.reading = try ZeroShotReading(fields)
  }
}

extension ZeroShotReading {
  /// What a request may say. What is added to products is the server's alone to say.
  static let requested = settings.without(["logit_bias"])

  /// What stands under the keys of ``requested``.
  init(_ fields: RequestFields) throws(RequestFault) {
    self.init()
    try fields.read(Self.requested, into: &self)
  }

  /// The same from a form, or an address.
  /// - Parameter text: what stands under a key there; nil for nothing.
  init(text: (String) -> String?) throws(RequestFault) {
    self.init()
    for key in Self.requested.keys {
      guard let text = text(key) else { continue }
      do throws(SettingFault) {
        try Self.requested.read(text: text, for: key, into: &self)
      } catch {
        throw RequestFault(error)
      }
    }
  }
}

/// `POST /api/classify-text`.
struct ClassifyTextRequest: Equatable {
  let model: String?
  let text: String
  let topK: Int?

  init(_ body: [UInt8]) throws(RequestFault) {
    let fields = try RequestFields(body: body)
    try fields.refuseAll(but: ["model", "text", "top_k"])
    model = try fields.optionalText("model")
    text = try fields.text("text")
    topK = try fields.optionalCount("top_k")
  }
}

/// Labels that pictures are scored against.
enum Labels {
  /// The list under `labels`; nil where there is none and the model's own are meant.
  static func list(_ fields: RequestFields, _ key: String = "labels") throws(RequestFault) -> [String]? {
    guard let labels = try fields.optionalTexts(key) else { return nil }
    return try checked(labels, fields.name(key))
  }

  /// Labels as people type them, between commas.
  static func typed(_ texts: [String], _ name: String) throws(RequestFault) -> [String]? {
    guard !texts.isEmpty else { return nil }
    let labels = texts.flatMap { $0.split { $0 == "," || $0.isNewline } }
      .map { String($0.trimmingSpace) }.filter { !$0.isEmpty }
    return try checked(labels, name)
  }

  private static func checked(_ labels: [String], _ name: String) throws(RequestFault) -> [String] {
    guard !labels.isEmpty else { throw .empty(name) }
    return labels
  }
}

extension StringProtocol {
  /// What is left without the white space at both ends.
  var trimmingSpace: SubSequence {
    let front = drop(while: \.isWhitespace)
    guard let last = front.lastIndex(where: { !$0.isWhitespace }) else { return front }
    return front[...last]
  }
}
