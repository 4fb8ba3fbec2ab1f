import ApusPhotos
import ApusServing

/// What is looked for among photographs, as clients write it: sentences, photographs of the index, a picture of their own.
struct PhotoSearchRequest: Equatable {
  /// Sentences as `apus photos search` takes them, with weights and signs.
  let query: [String]
  /// Numbers of photographs that the others should be like.
  let like: [String]
  /// The file of a picture that the photographs should be like.
  let picture: [UInt8]?
  /// At most so many.
  let top: Int
  let minimum: MinimumScore

  /// Sentences and photographs of one query, at most.
  private static let parts = 64
  /// Photographs that are found, at most.
  static let most = 1000

  /// - Parameter body: JSON.
  init(_ body: [UInt8]) throws(RequestFault) {
    let fields = try RequestFields(body: body)
    try fields.refuseAll(but: ["query", "like", "image", "top", "min_score"])
    let image = try fields.optionalText("image")
    try self.init(
      query: try fields.oneOrMore("query"), like: try fields.oneOrMore("like"),
      picture: try image.map { (text) throws(RequestFault) in try Base64.bytes(text, "image") },
      top: try fields.optionalCount("top"),
      minimum: try fields["min_score"].map { (value) throws(RequestFault) in try Self.minimum(value) })
  }

  /// - Parameter address: what stands behind the question mark.
  init(address: String) throws(RequestFault) {
    var (query, like): ([String], [String]) = ([], [])
    var top: Int?
    var minimum: MinimumScore?
    var known: Set<String> = []
    for (name, text) in try AddressQuery.parameters(address) {
      let isFirst = known.insert(name).inserted
      guard isFirst || ["query", "like"].contains(name) else { throw .repeated(name) }
      switch name {
      case "query": query.append(text)
      case "like": like.append(text)
      case "top":
        guard let count = Int(text) else {
          throw .unexpected(.string(text), name, expected: "a whole number")
        }
        top = count
      case "min_score":
        minimum = try Self.minimum(Double(text).map { .number($0) } ?? .string(text))
      default:
        throw RequestFault(
          .field, "'\(name.clipped)' is not known here; known are like, min_score, query, top.",
          field: name.clipped)
      }
    }
    try self.init(query: query, like: like, picture: nil, top: top, minimum: minimum)
  }

  private init(
    query: [String], like: [String], picture: [UInt8]?, top: Int?, minimum: MinimumScore?
  ) throws(RequestFault) {
    (self.query, self.like, self.picture) = (query, like, picture)
    (self.top, self.minimum) = (top ?? 20, minimum ?? .none)
    guard 1...Self.most ~= self.top else {
      throw RequestFault(.field, "'top' is \(self.top), expected 1 to \(Self.most).", field: "top")
    }
    guard query.count + like.count <= Self.parts else {
      throw RequestFault(.tooLarge, "The query has more than \(Self.parts) sentences and photographs.")
    }
    guard !query.isEmpty || !like.isEmpty || picture != nil else { throw .missing("query") }
  }

  private static func minimum(_ value: JSONValue) throws(RequestFault) -> MinimumScore {
    switch value {
    case .string("auto"): return .automatic
    case .number(let score) where Float(score).isFinite: return .cosine(Float(score))
    default: throw .unexpected(value, "min_score", expected: "a number, or auto")
    }
  }
}

extension RequestFields {
  /// A text, or a list of them; nothing where it is absent.
  fileprivate func oneOrMore(_ key: String) throws(RequestFault) -> [String] {
    if case .string(let text) = self[key] { return [text] }
    return try optionalTexts(key) ?? []
  }
}
