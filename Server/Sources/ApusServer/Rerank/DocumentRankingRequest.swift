/// `POST /v1/rerank` and `POST /v2/rerank`, as clients of Cohere and of Jina send it. Fields that others of their servers
/// have are passed over.
struct DocumentRankingRequest: Equatable {
  /// Nil for the first that ranks texts.
  let model: String?
  let query: String
  let documents: [String]
  /// Documents wanted, the best; nil for all.
  let count: Int?
  /// Whether the answer has the texts.
  let returnsDocuments: Bool
  let truncation: Truncation
  /// The tokens that are read of a document at most; nil for what the model takes.
  let tokensPerDocument: Int?

  init(_ body: [UInt8]) throws(RequestFault) {
    let fields = try RequestFields(body: body)
    model = try fields.optionalText("model")
    query = try fields.text("query")
    documents = try Self.documents(fields)
    count = try fields.optionalCount("top_n")
    returnsDocuments = try fields.optionalFlag("return_documents") ?? false
    truncation = try Truncation(fields, isUsual: true)
    tokensPerDocument = try fields.optionalCount("max_tokens_per_doc")
    // What is longer than the model takes is cut, and never read in several chunks.
    _ = try fields.optionalCount("max_chunks_per_doc")
  }

  /// Texts, or objects with one each: in `text`, or in the fields that `rank_fields` names, of which each is a line.
  private static func documents(_ fields: RequestFields) throws(RequestFault) -> [String] {
    let value = try fields.value("documents")
    guard case .array(let values) = value else {
      throw .unexpected(value, "documents", expected: "a list of texts, or of objects with a text")
    }
    guard !values.isEmpty else { throw .empty("documents") }
    let names = try fields.optionalTexts("rank_fields")
    var documents: [String] = []
    for (index, value) in values.enumerated() {
      documents.append(try document(value, "documents[\(index)]", names))
    }
    return documents
  }

  private static func document(
    _ value: JSONValue, _ name: String, _ names: [String]?
  ) throws(RequestFault) -> String {
    if let text = value.string { return text }
    let fields = try RequestFields(value, name)
    guard let names else { return try fields.text("text") }
    var lines: [String] = []
    for field in names { if let line = try fields.optionalText(field) { lines.append(line) } }
    guard !lines.isEmpty else {
      throw RequestFault(.field, "'\(name)' has none of the fields of 'rank_fields'.", field: name)
    }
    return lines.joined(separator: "\n")
  }
}

extension DocumentRankingRequest {
  static let schema = Schema.object(
    [
      "query": Schema.words,
      "documents": Schema.list(
        Schema.either(Schema.text, Schema.object(["text": Schema.text])), minimum: 1),
    ],
    optional: [
      "model": Schema.model, "top_n": Schema.count, "return_documents": Schema.flag,
      "truncate": Truncation.schema, "max_tokens_per_doc": Schema.count, "max_chunks_per_doc": Schema.count,
    ], isOpen: true)
}
