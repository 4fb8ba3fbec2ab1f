import Formats
import TensorCore
import TestSupport
import Testing

@testable import Models

/// Encoders with rotary positions on both sides give PyTorch's numbers: EmbeddingGemma, NomicBERT and GTE.
@Suite struct RotaryBERTTests {
  @Test(arguments: [
    ("gemma3-embedding", true, 24), ("nomic", false, 24), ("gte", true, 24), ("gte-arctic", true, 24),
    ("jina-v3", true, 24),
  ])
  func embeddersGiveThePooledFeaturesOfPyTorch(_ name: String, _ isUnit: Bool, _ width: Int) throws {
    let fixture = try ModelFixture(name)
    let model = try ModelArchitecture.load(fixture.folder)
    guard case .encoder(let normalizes) = model.outputs, let tower = model.text else {
      throw ApusError(.unsupportedModel, "no text encoder")
    }
    #expect(normalizes == isUnit && tower.outputWidth == width)
    let ids = try fixture.ids()
    let together = try ModelFixture.run(tower, ids)
    expectClose(together, try fixture.numbers("embeddings"), name)
    expectClose(together, try ids.flatMap { try ModelFixture.run(tower, [$0]) }, tolerance: 1e-6, name)
  }

  @Test(arguments: ["gemma3-embedding", "nomic", "gte"])
  func textsThatAreTooLongAreRefused(_ name: String) throws {
    let tower = try #require(try ModelArchitecture.load(ModelFixture(name).folder).text)
    let error = try #require(throws: ApusError.self) {
      try tower.inputs([[Int32](repeating: 1, count: tower.maximumTokens + 1)])
    }
    #expect(error.kind == .argument && error.expected == "1 to \(tower.maximumTokens)")
  }

  @Test(arguments: [
    (#"{"in_features": 24, "out_features": 40, "bias": true}"#, ApusError.Kind.malformedModel, "linear.bias"),
    (#"{"in_features": 23, "out_features": 40, "bias": false}"#, .configuration, "in_features"),
    (#"{"in_features": 24, "out_features": 41, "bias": false}"#, .malformedModel, "linear.weight"),
  ])
  func aDenseModuleFitsOrIsNamed(_ text: String, _ kind: ApusError.Kind, _ says: String) throws {
    let error = try refusal(of: "2_Dense/config.json", text)
    #expect(error.kind == kind && "\(error)".contains(says), "\(error)")
  }

  @Test(arguments: ["activation_function", "module_input_name"])
  func otherSettingsOfDenseAreRefused(_ key: String) throws {
    let error = try refusal(
      of: "2_Dense/config.json", #"{"in_features": 24, "out_features": 40, "\#(key)": "torch.nn.Hardswish"}"#)
    #expect(error.kind == .unsupportedModel && "\(error)".contains(key), "\(error)")
  }

  private func refusal(of file: String, _ text: String) throws -> ApusError {
    let folder = try TemporaryFolder(copying: ModelFixture("gemma3-embedding").folder.path)
    try folder.write(file, text)
    return try #require(throws: ApusError.self) {
      _ = try ModelArchitecture.load(ModelFolder(folder.path)).text?.graph(tokens: 4, sequences: 1)
    }
  }
}

/// Changes of their `config.json` for ``ConfigurationTests``.
enum RotaryBERTCases {
  typealias Case = ConfigurationTests.Case

  static let refused: [Case] = [
    Case("gemma3-embedding", "use_bidirectional_attention", "false", .unsupportedModel, "bidirectional"),
    Case("gemma3-embedding", "use_bidirectional_attention", nil, .unsupportedModel, "bidirectional"),
    Case("gemma3-embedding", "attn_logit_softcapping", "30.0", .unsupportedModel, "attn_logit_softcapping"),
    Case("gemma3-embedding", "layer_types", #"["full_attention"]"#, .configuration, "layer_types"),
    Case("gemma3-embedding", "layer_types", #"["a", "b"]"#, .unsupportedModel, "layer_types"),
    Case("gemma3-embedding", "rope_local_base_freq", "null", .configuration, "rope_local_base_freq"),
    Case("gemma3-embedding", "num_key_value_heads", "2", .configuration, "num_key_value_heads"),
    Case("gemma3-embedding", "query_pre_attn_scalar", "0", .configuration, "query_pre_attn_scalar"),
    Case("nomic", "num_experts", "8", .unsupportedModel, "num_experts"),
    Case("nomic", "moe_every_n_layers", "2", .unsupportedModel, "moe_every_n_layers"),
    Case("nomic", "rotary_emb_fraction", "0.5", .unsupportedModel, "rotary_emb_fraction"),
    Case("nomic", "rotary_emb_interleaved", "true", .unsupportedModel, "rotary_emb_interleaved"),
    Case("nomic", "rotary_scaling_factor", "2.0", .unsupportedModel, "rotary_scaling_factor"),
    Case("nomic", "activation_function", #""gelu""#, .unsupportedModel, "activation_function"),
    Case("nomic", "prenorm", "true", .unsupportedModel, "prenorm"),
    Case("nomic", "qkv_proj_bias", "true", .malformedModel, "attn.Wqkv.bias"),
    Case("nomic", "n_inner", "48", .malformedModel, "mlp.fc12.weight"),
    Case("nomic", "hidden_size", "48", .unsupportedModel, "hidden_size"),
    Case(
      "gte", "rope_scaling", #"{"type": "ntk", "factor": 8.0, "mixed_b": 0.5}"#, .unsupportedModel, "mixed_b"),
    Case("gte-arctic", "rope_scaling", #"{"type": "ntk", "factor": 8.0}"#, .unsupportedModel, "rope_type"),
    Case("gte", "pack_qkv", "false", .unsupportedModel, "pack_qkv"),
    Case("gte", "layer_norm_type", #""rms_norm""#, .unsupportedModel, "layer_norm_type"),
    Case("gte", "logn_attention_scale", "true", .unsupportedModel, "logn_attention_scale"),
    Case("gte", "position_embedding_type", #""absolute""#, .unsupportedModel, "position_embedding_type"),
    Case("gte", "type_vocab_size", "2", .malformedModel, "token_type_embeddings.weight"),
  ]

  static let accepted: [Case] = [
    ("gemma3-embedding", "final_logit_softcapping", "30.0"), ("nomic", "num_experts", "0"),
    ("nomic", "max_trained_positions", "7"), ("gte", "unpad_inputs", "true"),
    ("gte", "rope_scaling", #"{"type": "ntk", "factor": 1.0}"#),
  ].map { Case($0.0, $0.1, $0.2, .configuration, "") }
}
