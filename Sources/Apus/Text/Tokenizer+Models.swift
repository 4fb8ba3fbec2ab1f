import Networks
import TensorCore
import Text

extension Tokenizer {
  /// The tokenizer of a model.
  ///
  ///     let tokenizer = try Tokenizer("openai/clip-vit-base-patch32")
  ///     print(tokenizer.encode("a photo of a cat").ids)
  ///
  /// - Parameter model: a folder, the name of a repository in the local Hugging Face cache, one of the files
  ///   `tokenizer.json`, `vocab.txt`, `vocab.json` (with `merges.txt` beside it) and `*.model`, or a `.tflite` file,
  ///   whatever it is called, whose metadata name one.
  /// - Throws: ``ApusError`` when no tokenizer is there, or it is malformed, or it asks for something that Apus does not
  ///   do.
  public init(_ model: String) throws(ApusError) {
    self =
      ModelPlace.isModelFile(model) ? try OpenedModel(model).tokenizer() : try Tokenizer(contentsOf: model)
  }
}

extension [Encoding] {
  /// A part of each result as a row of an int32 tensor [N, tokens], such as the input of a model.
  ///
  ///     let tokenizer = try Tokenizer("sentiment")
  ///     let encodings = tokenizer.encode(["good", "not so good"], padding: try tokenizer.padding())
  ///     let session = try await InferenceSession.load("sentiment")
  ///     let outputs = try await session.run([
  ///       "input_ids": encodings.tensor(\.ids), "attention_mask": encodings.tensor(\.attentionMask),
  ///     ])
  ///     print(outputs[0].tensor.shape)
  ///
  /// - Parameter part: `\.ids`, `\.attentionMask`, `\.tokenTypes` or `\.specialTokensMask`.
  /// - Throws: ``ApusError`` of kind `argument` when they are not equally long, or there are none.
  public func tensor(_ part: KeyPath<Encoding, [Int32]>) throws(ApusError) -> Tensor {
    let lengths = Set(map(\.ids.count))
    guard let length = lengths.first, lengths.count == 1 else {
      throw ApusError(
        .argument, isEmpty ? "no encodings" : "encodings of \(lengths.sorted()) tokens",
        expected: isEmpty ? "at least one" : "one length", advice: "Encode the texts together, with padding.")
    }
    return try Tensor(flatMap { $0[keyPath: part] }, shape: [count, length])
  }
}
