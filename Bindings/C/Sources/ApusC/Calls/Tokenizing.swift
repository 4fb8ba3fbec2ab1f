import Apus
import CApus
import CLibrary
import JSONCoding

/// A tokenizer that a caller opened.
final class TokenizerHandle: Handled {
  static let name = "tokenizer"
  let tokenizer: Tokenizer

  init(_ tokenizer: Tokenizer) { self.tokenizer = tokenizer }

  static func of(_ handle: OpaquePointer?) throws(ApusError) -> Tokenizer {
    try HandleTable.shared.object(handle, TokenizerHandle.self).tokenizer
  }
}

@c @implementation
public func apus_tokenizer_open(
  _ name: UnsafePointer<CChar>?, _ tokenizer: UnsafeMutablePointer<OpaquePointer?>?, _ error: ErrorPlace
) -> apus_status {
  Entry.call(error) { () throws(ApusError) in
    let place = try Arguments.place(tokenizer, "tokenizer")
    let opened = try Tokenizer(try Arguments.name(name, "the model's name"))
    place.pointee = try HandleTable.shared.add(TokenizerHandle(opened))
  }
}

@c @implementation
public func apus_tokenizer_release(_ tokenizer: OpaquePointer?) {
  Entry.call { HandleTable.shared.release(tokenizer, TokenizerHandle.self) }
}

@c @implementation
public func apus_tokenizer_json(
  _ tokenizer: OpaquePointer?, _ json: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
  _ error: ErrorPlace
) -> apus_status {
  Entry.call(error) { () throws(ApusError) in
    let tokenizer = try TokenizerHandle.of(tokenizer)
    let json = try Arguments.place(json, "json")
    let configuration = tokenizer.configuration
    let special = configuration.specialTokens.sorted { $0.key < $1.key }
    let text: JSONText = .object([
      ("vocabulary_size", .integer(tokenizer.vocabularySize)),
      ("maximum_length", configuration.maximumLength.map { .integer($0) } ?? .null),
      ("special_token_count", .integer(tokenizer.specialTokenCount)),
      ("special_tokens", .object(special.map { ($0.key, JSONText.string($0.value)) })),
      ("padding_id", configuration.paddingID.map { .integer(Int($0)) } ?? .null),
      ("class", .optional(configuration.tokenizerClass)), ("notes", .strings(tokenizer.notes)),
    ])
    try Entry.give(text.bytes, to: json)
  }
}

@c @implementation
public func apus_encode(
  _ tokenizer: OpaquePointer?, _ texts: UnsafePointer<apus_text>?, _ pairs: UnsafePointer<apus_text>?,
  _ count: Int64, _ options: UnsafePointer<apus_encoding_options>?,
  _ encodings: UnsafeMutablePointer<UnsafeMutablePointer<apus_encodings>?>?, _ error: ErrorPlace
) -> apus_status {
  Entry.call(error) { () throws(ApusError) in
    let tokenizer = try TokenizerHandle.of(tokenizer)
    let place = try Arguments.place(encodings, "encodings")
    let texts = try apus_text.texts(texts, count, "text")
    let way = try EncodingWay(options, of: tokenizer, ofPairs: pairs != nil)
    let encoded: [Encoding]
    if let pairs {
      let seconds = try apus_text.texts(pairs, count, "second text")
      encoded = tokenizer.encode(
        pairs: Array(zip(texts, seconds)), addingSpecialTokens: way.addsSpecialTokens,
        truncation: way.truncation,
        padding: way.padding, findingOffsets: way.findsOffsets)
    } else {
      encoded = tokenizer.encode(
        texts, addingSpecialTokens: way.addsSpecialTokens, truncation: way.truncation, padding: way.padding,
        findingOffsets: way.findsOffsets)
    }
    place.pointee = try encoded.block()
  }
}

/// How texts are encoded.
private struct EncodingWay {
  var addsSpecialTokens = true
  var findsOffsets = false
  var truncation: Truncation?
  var padding: Padding?

  init(
    _ options: UnsafePointer<apus_encoding_options>?, of tokenizer: Tokenizer, ofPairs: Bool
  ) throws(ApusError) {
    guard let options else { return }
    let given = try apus_encoding_options.read(options)
    addsSpecialTokens = given.adds_special_tokens != 0
    findsOffsets = given.finds_offsets != 0
    if let length = try Self.length(given.maximum_length, "maximum_length") {
      truncation = try tokenizer.truncation(
        to: length, addingSpecialTokens: addsSpecialTokens, ofPairs: ofPairs)
    }
    let multiple = try Arguments.count(given.padding_multiple, "padding_multiple")
    if let length = try Self.length(given.padded_length, "padded_length") {
      guard multiple < 1 << 20, length ?? 0 < 1 << 24 else {
        throw ApusError(.argument, "a padded length of \(given.padded_length)", expected: "below 2²⁴ tokens")
      }
      padding = try tokenizer.padding(to: length, multiple: max(multiple, 1))
    }
  }

  /// Nil for 0, which means none; nil inside for -1, which leaves it to the files or the batch.
  private static func length(_ number: Int64, _ what: String) throws(ApusError) -> Int?? {
    guard number >= -1 else { throw ApusError(.argument, "\(what) is \(number)", expected: "-1 or more") }
    return number == 0 ? .none : .some(number < 0 ? nil : Int(number))
  }
}

@c @implementation
public func apus_decode(
  _ tokenizer: OpaquePointer?, _ ids: UnsafePointer<Int32>?, _ count: Int64,
  _ skips_special_tokens: Int32, _ text: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
  _ length: UnsafeMutablePointer<Int64>?, _ error: ErrorPlace
) -> apus_status {
  Entry.call(error) { () throws(ApusError) in
    let tokenizer = try TokenizerHandle.of(tokenizer)
    let place = try Arguments.place(text, "text")
    let ids = Array(try Arguments.elements(ids, count, "ids"))
    let decoded = Array(tokenizer.decode(ids, skippingSpecialTokens: skips_special_tokens != 0).utf8)
    try Entry.give(decoded, to: place)
    length?.pointee = Int64(decoded.count)
  }
}

@c @implementation
public func apus_token_id(
  _ tokenizer: OpaquePointer?, _ token: apus_text, _ id: UnsafeMutablePointer<Int32>?, _ error: ErrorPlace
) -> apus_status {
  Entry.call(error) { () throws(ApusError) in
    let tokenizer = try TokenizerHandle.of(tokenizer)
    let id = try Arguments.place(id, "id")
    id.pointee = tokenizer.id(of: try token.text("the token")) ?? -1
  }
}

@c @implementation
public func apus_token_text(
  _ tokenizer: OpaquePointer?, _ id: Int32, _ token: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
  _ error: ErrorPlace
) -> apus_status {
  Entry.call(error) { () throws(ApusError) in
    let tokenizer = try TokenizerHandle.of(tokenizer)
    let place = try Arguments.place(token, "token")
    guard let text = tokenizer.token(of: id) else {
      place.pointee = nil
      return
    }
    try Entry.give(text.utf8, to: place)
  }
}
