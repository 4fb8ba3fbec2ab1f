import Apus
import TestSupport
import Testing

/// Outputs of folders have the names of transformers' outputs of their classes.
@Suite struct OutputNameTests {
  /// Folder, network, and the field of the output that transformers 4.57 gives of the class in `config.json`:
  /// `ImageClassifierOutput` and `SequenceClassifierOutput` have `logits`, `CLIPOutput`, `SiglipOutput` and the outputs of
  /// towers with projections `image_embeds` and `text_embeds`, `BaseModelOutputWithPooling` `pooler_output`. What
  /// sentence-transformers pools of `last_hidden_state` it calls `sentence_embedding`.
  private static let names = [
    ("vit", "image", "logits"), ("beit", "image", "logits"), ("swin", "image", "logits"),
    ("convnext", "image", "logits"), ("resnet", "image", "logits"), ("mobilenetv2", "image", "logits"),
    ("deit-distilled", "image", "logits"), ("vit-timm", "image", "logits"),
    ("dinov2-classifier", "image", "logits"), ("dinov2", "image", "pooler_output"),
    ("clip", "image", "image_embeds"), ("clip", "text", "text_embeds"),
    ("open-clip", "image", "image_embeds"), ("open-clip", "text", "text_embeds"),
    ("clip-vision-projection", "image", "image_embeds"), ("clip-text-projection", "text", "text_embeds"),
    ("clip-vision", "image", "pooler_output"), ("clip-text", "text", "pooler_output"),
    ("siglip", "image", "image_embeds"), ("siglip", "text", "text_embeds"),
    ("siglip-vision", "image", "pooler_output"), ("siglip-text", "text", "pooler_output"),
    ("bert-classifier", "text", "logits"), ("deberta-classifier", "text", "logits"),
    ("modernbert-classifier", "text", "logits"), ("bert-sentence", "text", "sentence_embedding"),
    ("bert-sentence-cls", "text", "sentence_embedding"), ("mpnet", "text", "sentence_embedding"),
    ("modernbert", "text", "sentence_embedding"), ("deberta", "text", "sentence_embedding"),
  ]

  @Test(arguments: names) func outputsHaveTheLibrarysNames(
    _ folder: String, _ network: String, _ name: String
  )
    throws
  {
    let session = try InferenceSession(Checkout.modelFolder(folder))
    let described = try #require(session.networks.first { $0.name == network })
    #expect(described.outputs.map(\.name) == [name])
    #expect(try session.blocking.prepare(network: network).map(\.name) == [name])
  }

  /// A run has the name, and the one of version 0.1 for those who still ask for that.
  @Test func runsHaveThemToo() throws {
    let session = try InferenceSession(Checkout.modelFolder("clip"), options: .init(network: "text"))
    let outputs = try session.blocking.run([
      "input_ids": Tensor([1, 2, 3] as [Int64], shape: [1, 3])
    ])
    #expect(outputs.names == ["text_embeds"] && session.outputs[0].innerName == "text_projection")
    let tensor = try outputs.tensor("text_embeds").elements(of: Float.self)
    #expect(try outputs.tensor("text_projection").elements(of: Float.self) == tensor)
    #expect(throws: ApusError.self) { try outputs.tensor("logits") }
  }

  @Test func whatIsPrintedHasNames() throws {
    let session = try InferenceSession(Checkout.modelFolder("bert-classifier"))
    let printed = "\(session.inputs)"
    #expect(printed.hasPrefix("[input_ids: int64 or int32 [N, up to "))
    #expect(printed.contains("attention_mask, optional: int64 or int32 [N, up to "))
    #expect("\(session.outputs)".hasPrefix("[logits: float32 [N, "))
  }

  @Test(arguments: [
    ("f32", Precision.float32), ("float32", .float32), ("bf16", .bfloat16), ("BFloat16", .bfloat16),
    ("int8", .int8), ("INT8", .int8),
  ])
  func precisionsHaveTheNamesOfCommands(_ name: String, _ precision: Precision) throws {
    #expect(Precision(rawValue: name) == precision)
    #expect(Precision(rawValue: precision.rawValue) == precision)
    #expect(try Precision(named: name) == precision)
    #expect(Precision(rawValue: precision.shortName) == precision)
  }

  @Test(arguments: ["", "fp32", "f16", "int4", "f32 "]) func othersAreNone(_ name: String) {
    #expect(Precision(rawValue: name) == nil)
    let error = #expect(throws: ApusError.self) { try Precision(named: name) }
    #expect(error?.kind == .argument && error?.problem == "there is no precision '\(name)'")
    #expect(error?.expected == "f32, bf16 or int8")
  }
}
