import Apus
import ApusPhotos
import ApusServing

/// What is looked for among photographs, as clients write it: sentences, photographs of the index, a picture of their own.
struct PhotoSearchRequest: Equatable {
  /// Sentences as `apus photos search` takes them, with weights and signs.
  let query: [String]
  /// Sentences that are taken as they are.
  let sentences: [String]
  /// Numbers of photographs that the others should be like.
  let like: [String]
  /// The file of a picture that the photographs should be like.
  let picture: [UInt8]?
  /// At most so many.
  let top: Int
  let minimum: MinimumScore
  /// Which photographs are looked at.
  let filter: PhotoFilter

  /// Sentences and photographs of one query, at most.
  private static let parts = 64
  /// Photographs that are found, at most.
  static let most = 1000

  /// The parameters of an address; a body may have a picture besides.
  static let known: Set<ExactText> = [
    "query", "sentence", "like", "top", "min_score", "since", "until", "in", "camera", "near",
  ]
  /// Those that may be there again.
  private static let lists: Set<ExactText> = ["query", "sentence", "like", "in"]

  /// - Parameter body: JSON.
  init(_ body: [UInt8]) throws(RequestFault) {
    let fields = try RequestFields(body: body)
    try fields.refuseAll(but: Self.known.union(["image"]))
    let image = try fields.optionalText("image")
    try self.init(
      query: try fields.oneOrMore("query"), sentences: try fields.oneOrMore("sentence"),
      like: try fields.oneOrMore("like"),
      picture: try image.map { (text) throws(RequestFault) in try Base64.bytes(text, "image") },
      top: try fields.optionalCount("top"),
      minimum: try fields["min_score"].map { (value) throws(RequestFault) in try Self.minimum(value) },
      filter: try PhotoFilter(
        since: try fields.optionalText("since"), until: try fields.optionalText("until"),
        folders: try fields.oneOrMore("in"), camera: try fields.optionalText("camera"),
        near: try fields.optionalText("near")))
  }

  /// - Parameter address: what stands behind the question mark.
  init(address: String) throws(RequestFault) {
    var texts: [ExactText: [String]] = [:]
    for (name, text) in try AddressQuery.parameters(address) {
      let key = ExactText(name)
      guard Self.known.contains(key) else {
        let known = RequestFields.list(Self.known)
        throw RequestFault(
          .field, "'\(name.clipped)' is not known here; known are \(known).", field: name.clipped)
      }
      guard texts[key] == nil || Self.lists.contains(key) else { throw .repeated(name) }
      texts[key, default: []].append(text)
    }
    try self.init(
      query: texts["query"] ?? [], sentences: texts["sentence"] ?? [], like: texts["like"] ?? [],
      picture: nil,
      top: try texts["top"]?.first.map { (text) throws(RequestFault) in try Self.count(text) },
      minimum: try texts["min_score"]?.first.map { (text) throws(RequestFault) in
        try Self.minimum(Double(text).map { .number("\($0)") } ?? .text(text))
      },
      filter: try PhotoFilter(
        since: texts["since"]?.first, until: texts["until"]?.first, folders: texts["in"] ?? [],
        camera: texts["camera"]?.first, near: texts["near"]?.first))
  }

  private init(
    query: [String], sentences: [String], like: [String], picture: [UInt8]?, top: Int?,
    minimum: MinimumScore?,
    filter: PhotoFilter
  ) throws(RequestFault) {
    (self.query, self.sentences, self.like) = (query, sentences, like)
    (self.picture, self.filter) = (picture, filter)
    (self.top, self.minimum) = (top ?? 20, minimum ?? .none)
    guard 1...Self.most ~= self.top else {
      throw RequestFault(.field, "'top' is \(self.top), expected 1 to \(Self.most).", field: "top")
    }
    guard query.count + sentences.count + like.count <= Self.parts else {
      throw RequestFault(.tooLarge, "The query has more than \(Self.parts) sentences and photographs.")
    }
    guard !query.isEmpty || !sentences.isEmpty || !like.isEmpty || picture != nil else {
      throw .missing("query")
    }
  }

  private static func count(_ text: String) throws(RequestFault) -> Int {
    guard let count = Int(text) else {
      throw .unexpected(.text(text), "top", expected: "a whole number")
    }
    return count
  }

  private static func minimum(_ value: JSONValue) throws(RequestFault) -> MinimumScore {
    if value == .string("auto") { return .automatic }
    guard let score = value.float else {
      throw .unexpected(value, "min_score", expected: "a number, or auto")
    }
    return .cosine(score)
  }
}

extension RequestFields {
  /// A text, or a list of them; nothing where it is absent.
  fileprivate func oneOrMore(_ key: String) throws(RequestFault) -> [String] {
    if let text = self[key]?.string { return [text] }
    return try optionalTexts(key) ?? []
  }
}
