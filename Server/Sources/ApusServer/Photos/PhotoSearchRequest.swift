import ApusPhotos
import ApusServing
import FoundationEssentials
import HummingbirdCore

/// What is looked for among photographs, as clients write it: sentences, photographs of the index, a picture of their own.
struct PhotoSearchRequest: Sendable {
  /// Sentences as `apus photos search` takes them, with weights and signs.
  var query: [String] = []
  /// Numbers of photographs that the others should be like.
  var like: [String] = []
  /// A picture's file in base64.
  var image: String?
  /// At most so many.
  var top = 20
  var minimum = MinimumScore.none

  private static let parts = 64
  private static let results = 1...1000

  /// - Throws: ``ServingError`` of kind `invalid`.
  init(_ body: [UInt8]) throws(ServingError) {
    do {
      self = try JSONDecoder().decode(Self.self, from: Data(body))
    } catch let error as ServingError {
      throw error
    } catch {
      throw ServingError(
        .invalid,
        "The body is not like {\"query\": [\"a dog in snow\"], \"top\": 20}: \(Self.problem(of: error)).")
    }
    try check()
  }

  /// - Parameter query: what stands in the address behind the question mark; a plus is a space, as forms write it.
  /// - Throws: ``ServingError`` of kind `invalid`.
  init(address query: String?) throws(ServingError) {
    let parameters = URI("/?" + (query ?? "").replacing("+", with: "%20")).queryParameters
    self.query = parameters.getAll("query")
    like = parameters.getAll("like")
    if let text = parameters.get("top") {
      guard let count = Int(text) else {
        throw ServingError(.invalid, "The parameter top is '\(text)', expected a whole number.")
      }
      top = count
    }
    if let text = parameters.get("min_score") { minimum = try Self.minimum(text) }
    try check()
  }

  /// The files of pictures that came with the request.
  /// - Throws: ``ServingError`` of kind `invalid` for what is not base64.
  func pictures() throws(ServingError) -> [[UInt8]] {
    guard let image else { return [] }
    guard let data = Data(base64Encoded: image) else {
      throw ServingError(.invalid, "The image is not in base64.")
    }
    return [Array(data)]
  }

  private func check() throws(ServingError) {
    guard Self.results.contains(top) else {
      throw ServingError(.invalid, "top is \(top), expected 1 to \(Self.results.upperBound).")
    }
    guard query.count + like.count <= Self.parts else {
      throw ServingError(.tooLarge, "The query has over \(Self.parts) sentences and photographs.")
    }
    guard !query.isEmpty || !like.isEmpty || image != nil else {
      throw ServingError(.invalid, "The query is empty: a sentence, a photograph or a picture is needed.")
    }
  }

  fileprivate static func minimum(_ text: String) throws(ServingError) -> MinimumScore {
    if text == "auto" { return .automatic }
    guard let score = Float(text), score.isFinite else {
      throw ServingError(.invalid, "min_score is '\(text)', expected a number or auto.")
    }
    return .cosine(score)
  }

  private static func problem(of error: any Error) -> String {
    switch error {
    case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
      "another type at '\(context.codingPath.map(\.stringValue).joined(separator: "."))'"
    default: "it is no JSON"
    }
  }
}

extension PhotoSearchRequest: Decodable {
  private enum CodingKeys: String, CodingKey {
    case query, like, image, top
    case minimum = "min_score"
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    query = try container.texts(.query)
    like = try container.texts(.like)
    image = try container.decodeIfPresent(String.self, forKey: .image)
    top = try container.decodeIfPresent(Int.self, forKey: .top) ?? top
    if let text = try? container.decodeIfPresent(String.self, forKey: .minimum) {
      minimum = try Self.minimum(text)
    } else if let score = try container.decodeIfPresent(Float.self, forKey: .minimum) {
      minimum = .cosine(score)
    }
  }
}

extension KeyedDecodingContainer {
  /// One text, or several.
  fileprivate func texts(_ key: Key) throws -> [String] {
    if let text = try? decodeIfPresent(String.self, forKey: key) { return [text] }
    return try decodeIfPresent([String].self, forKey: key) ?? []
  }
}
