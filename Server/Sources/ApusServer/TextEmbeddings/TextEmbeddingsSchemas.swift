extension TextOptions {
  /// The keys of the options.
  static let schemas: [(key: String, value: JSONText)] = [
    ("truncate", Schema.flag), ("truncation_direction", Schema.choice(["left", "right", "Left", "Right"])),
  ]

  static let model: (key: String, value: JSONText) = ("model", Schema.model)

  /// Of routes that embed.
  static let mask: (key: String, value: JSONText) = ("mask_padding", Schema.flag)
}

extension EmbedRequest {
  static let schema = Schema.object(
    ["inputs": TextInputs.schema],
    optional: .object(
      TextOptions.schemas + [
        TextOptions.model, TextOptions.mask, ("normalize", Schema.flag), ("dimensions", Schema.count),
      ]),
    isOpen: true)
}

extension PredictRequest {
  static let schema = Schema.object(
    [
      "inputs": Schema.either(
        Schema.words, Schema.list(Schema.words, minimum: 1, maximum: 2),
        Schema.list(Schema.list(Schema.words, minimum: 1, maximum: 2), minimum: 1))
    ],
    optional: .object(TextOptions.schemas + [TextOptions.model, ("raw_scores", Schema.flag)]), isOpen: true)
}

extension RerankRequest {
  static let schema = Schema.object(
    ["query": Schema.words, "texts": Schema.list(Schema.text, minimum: 1)],
    optional: .object(
      TextOptions.schemas + [TextOptions.model, ("raw_scores", Schema.flag), ("return_text", Schema.flag)]),
    isOpen: true)
}

extension SimilarityRequest {
  static let schema = Schema.object(
    [
      "inputs": Schema.object(
        ["source_sentence": Schema.text, "sentences": Schema.list(Schema.text, minimum: 1)], isOpen: true)
    ],
    optional: .object([
      (
        "parameters",
        Schema.object([:], optional: .object(TextOptions.schemas + [TextOptions.mask]), isOpen: true)
      ),
      TextOptions.model,
    ]), isOpen: true)
}

extension TokenizeRequest {
  static let schema = Schema.object(
    ["inputs": Schema.either(Schema.text, Schema.list(Schema.text, minimum: 1))],
    optional: .object([("add_special_tokens", Schema.flag), TextOptions.model]), isOpen: true)
}

extension DecodeRequest {
  static let schema = Schema.object(
    [
      "ids": Schema.either(
        Schema.list(Schema.tokenID, minimum: 1),
        Schema.list(Schema.list(Schema.tokenID, minimum: 1), minimum: 1))
    ],
    optional: .object([("skip_special_tokens", Schema.flag), TextOptions.model]), isOpen: true)
}
