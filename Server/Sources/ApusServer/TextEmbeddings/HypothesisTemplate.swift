/// A sentence of a request with `{}` where a label goes.
enum HypothesisTemplate {
  /// Bytes of it: no tokenizer of these models reads as many, and every label is put into a copy.
  private static let longest = 4096
  /// Places for the label: each makes the sentence longer by all of it.
  private static let mostPlaces = 4

  /// What stands under `hypothesis_template`; nil where there is none.
  static func text(_ fields: RequestFields) throws(RequestFault) -> String? {
    guard let template = try fields.optionalText("hypothesis_template") else { return nil }
    let name = fields.name("hypothesis_template")
    let length = template.utf8.count
    guard length <= longest else {
      throw RequestFault(
        .field, "'\(name)' is a sentence of \(length) bytes, expected at most \(longest).", field: name)
    }
    let places = template.ranges(of: "{}").count
    guard places > 0 else {
      throw RequestFault(.field, "'\(name)' has no {} where the label goes.", field: name)
    }
    guard places <= mostPlaces else {
      throw RequestFault(
        .field, "'\(name)' has \(places) {} where the label goes, expected at most \(mostPlaces).",
        field: name)
    }
    return template
  }
}
