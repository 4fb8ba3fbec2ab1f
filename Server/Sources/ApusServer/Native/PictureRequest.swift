import Apus
import ApusServing

/// A picture and what is asked of it: in JSON with the file in base64, as a form of a page, or as the file itself with
/// the rest in the address.
struct PictureRequest: Equatable {
  /// What a route takes besides the picture.
  enum Option: String, CaseIterable {
    case model, labels
    case topK = "top_k"
    /// How cosines with labels become scores.
    case reading

    /// What stands for it among the fields.
    var keys: [String] { self == .reading ? ZeroShotReading.requested.keys : [rawValue] }
  }

  let model: String?
  /// The content of a picture file.
  let picture: [UInt8]
  /// Labels to score it against; nil for those of the model.
  let labels: [String]?
  let topK: Int?
  /// How cosines with the labels become scores.
  let reading: ZeroShotReading

  /// - Parameters:
  ///   - contentType: what the request says of its body; nil for nothing.
  ///   - query: the parameters in the address, in order.
  ///   - options: what this route takes besides the picture.
  init(
    _ body: [UInt8], contentType: String?, query: [(String, String)], taking options: Set<Option>
  ) throws(RequestFault) {
    let type = BodyType(contentType)
    let known = Set(options.flatMap(\.keys).map { ExactText($0) })
    if type.name == "multipart/form-data" {
      try Self.refuse(query)
      try self.init(try MultipartForm(body, contentType: contentType ?? ""), known)
    } else if type.isJSON(body) {
      try Self.refuse(query)
      try self.init(json: try RequestFields(body: body), known)
    } else {
      try self.init(picture: body, query.map { ($0, Array($1.utf8)) }, known)
    }
  }

  /// Refuses what the head of a request tells already.
  static func check(contentType: String?) throws(RequestFault) {
    guard let contentType, BodyType(contentType).name == "multipart/form-data" else { return }
    _ = try MultipartForm.boundary(of: contentType)
  }

  /// Refuses what stands in the address beside a body with fields of its own: it would be passed over without a word.
  private static func refuse(_ query: [(String, String)]) throws(RequestFault) {
    guard let name = query.first?.0.clipped else { return }
    throw RequestFault(
      .field,
      "'\(name)' in the address counts only where the body is the picture's file: expected among the body's fields.",
      field: name)
  }

  private init(json fields: RequestFields, _ known: Set<ExactText>) throws(RequestFault) {
    try fields.refuseAll(but: known.union(["image"]))
    model = try fields.optionalText("model")
    picture = try Base64.bytes(try fields.text("image"), "image")
    labels = try Labels.list(fields)
    topK = try fields.optionalCount("top_k")
    reading = try ZeroShotReading(fields)
  }

  private init(_ form: MultipartForm, _ known: Set<ExactText>) throws(RequestFault) {
    let images = form.parts.filter { $0.name == "image" }
    guard let image = images.first else { throw .missing("image") }
    guard images.count == 1 else { throw .repeated("image") }
    try self.init(
      picture: image.content, form.parts.filter { $0.name != "image" }.map { ($0.name, $0.content) },
      known)
  }

  private init(
    picture: [UInt8], _ parameters: [(String, [UInt8])], _ known: Set<ExactText>
  ) throws(RequestFault) {
    guard !picture.isEmpty else { throw RequestFault(.field, "The picture is empty.", field: "image") }
    var texts: [ExactText: [String]] = [:]
    for (name, bytes) in parameters {
      let key = ExactText(name)
      guard known.contains(key) else {
        throw RequestFault(
          .field, "'\(name.clipped)' is not known here; known are \(RequestFields.list(known)).",
          field: name.clipped)
      }
      guard let text = String(validating: bytes, as: UTF8.self) else {
        throw RequestFault(.field, "'\(name)' is not UTF-8.", field: name)
      }
      guard texts[key] == nil || name == Option.labels.rawValue else { throw .repeated(name) }
      texts[key, default: []].append(text)
    }
    self.picture = picture
    model = texts["model"]?.first
    labels = try Labels.typed(texts["labels"] ?? [], "labels")
    topK = try texts["top_k"]?.first.map { (text) throws(RequestFault) in
      guard let count = Int(text), 1...Int(Int32.max) ~= count else {
        throw .unexpected(.text(text), "top_k", expected: "a whole number from 1")
      }
      return count
    }
    reading = try ZeroShotReading { texts[ExactText($0)]?.first }
  }
}
