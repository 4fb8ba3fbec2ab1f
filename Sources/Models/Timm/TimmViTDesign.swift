import Graph

/// Vision transformers of timm that only differ in the extent of their pictures, by their names there.
struct TimmViTDesign: Sendable {
  /// The names, with what is different in braces: `vit_base_patch16_{224,384}`.
  let pattern: String
  let options: TimmViTOptions

  fileprivate init(_ pattern: String, _ options: TimmViTOptions) {
    self.pattern = pattern
    self.options = options
  }

  var names: [String] {
    let parts = pattern.split(separator: "{")
    guard parts.count == 2, let choices = parts[1].split(separator: "}").first else { return [pattern] }
    return choices.split(separator: ",").map { "\(parts[0])\($0)" }
  }

  /// What people call such models.
  var family: String {
    if pattern.hasPrefix("deit") { return "DeiT" }
    guard pattern.hasSuffix("_dinov2") else { return "ViT" }
    return options.registers > 0 ? "DINOv2 with registers" : "DINOv2"
  }

  /// All of which Apus knows every keyword argument, as timm 1.0.31 states them.
  static let all: [TimmViTDesign] = [
    plain, scaled, contrastive, averaging, registered, dinoV2, deiT,
  ].flatMap(\.self)

  /// The design of that name; nil where there is none.
  static func named(_ name: String) -> TimmViTDesign? { all.first { $0.names.contains(name) } }

  /// Dosovitskiy et al. 2021, and those who kept to it.
  private static let plain: [TimmViTDesign] = [
    TimmViTDesign("vit_tiny_patch16_{224,384}", .tiny),
    TimmViTDesign("vit_small_patch32_{224,384}", .small.with(patch: 32)),
    TimmViTDesign("vit_small_patch16_{224,384}", .small),
    TimmViTDesign("vit_small_patch8_224", .small.with(patch: 8)),
    TimmViTDesign("vit_base_patch32_{224,384}", .base.with(patch: 32)),
    TimmViTDesign("vit_base_patch16_{224,384}", .base),
    TimmViTDesign("vit_base_patch8_224", .base.with(patch: 8)),
    TimmViTDesign("vit_base_patch16_224_miil", .base.with { $0.hasProjectionBias = false }),
    TimmViTDesign("vit_large_patch32_{224,384}", .large.with(patch: 32)),
    TimmViTDesign("vit_large_patch16_{224,384}", .large),
    TimmViTDesign("vit_large_patch14_224", .large.with(patch: 14)),
    TimmViTDesign("vit_huge_patch14_224", .huge.with(patch: 14)),
    TimmViTDesign("vit_giant_patch14_224", .giant.with(patch: 14)),
    TimmViTDesign("vit_gigantic_patch14_224", .gigantic.with(patch: 14)),
    TimmViTDesign("eva_large_patch14_{196,336}", .large.with(patch: 14) { $0.pooling = .mean }),
    TimmViTDesign("test_vit", .test(layers: 6)),
  ]

  private static let scaled: [TimmViTDesign] = [
    TimmViTDesign("vit_small_patch16_36x1_224", .small.with { ($0.layers, $0.scalesLayers) = (36, true) }),
    TimmViTDesign("vit_base_patch32_plus_256", .basePlus.with(patch: 32) { $0.scalesLayers = true }),
    TimmViTDesign("vit_base_patch16_plus_240", .basePlus.with { $0.scalesLayers = true }),
  ]

  /// CLIP's towers for pictures.
  private static let contrastive: [TimmViTDesign] = [
    TimmViTDesign("vit_xsmall_patch16_clip_224", .sized(256, layers: 10, heads: 4).contrastive()),
    TimmViTDesign("vit_medium_patch32_clip_224", .medium.with(patch: 32).contrastive()),
    TimmViTDesign("vit_medium_patch16_clip_224", .medium.contrastive()),
    TimmViTDesign("vit_betwixt_patch32_clip_224", .betwixt.with(patch: 32).contrastive()),
    TimmViTDesign("vit_base_patch32_clip_{224,256,384,448}", .base.with(patch: 32).contrastive()),
    TimmViTDesign("vit_base_patch16_clip_{224,384}", .base.contrastive()),
    TimmViTDesign("vit_base_patch16_plus_clip_240", .basePlus.contrastive()),
    TimmViTDesign("vit_large_patch14_clip_{224,336}", .large.with(patch: 14).contrastive()),
    TimmViTDesign("vit_huge_patch14_clip_{224,336,378}", .huge.with(patch: 14).contrastive()),
    TimmViTDesign("vit_giant_patch14_clip_224", .giant.with(patch: 14).contrastive()),
    TimmViTDesign("vit_gigantic_patch14_clip_{224,378}", .gigantic.with(patch: 14).contrastive()),
    TimmViTDesign(
      "vit_base_patch32_clip_quickgelu_224", .base.with(patch: 32).contrastive(.gelu(.sigmoid))),
    TimmViTDesign("vit_base_patch16_clip_quickgelu_224", .base.contrastive(.gelu(.sigmoid))),
    TimmViTDesign(
      "vit_large_patch14_clip_quickgelu_{224,336}", .large.with(patch: 14).contrastive(.gelu(.sigmoid))),
    TimmViTDesign(
      "vit_huge_patch14_clip_quickgelu_{224,378}", .huge.with(patch: 14).contrastive(.gelu(.sigmoid))),
    TimmViTDesign(
      "vit_gigantic_patch14_clip_quickgelu_224", .gigantic.with(patch: 14).contrastive(.gelu(.sigmoid))),
  ]

  /// Patches alone, whose mean is classified: SigLIP's towers without their head among them.
  private static let averaging: [TimmViTDesign] = [
    TimmViTDesign("vit_medium_patch16_gap_{240,256,384}", .medium.averaging().scaledWithoutBias()),
    TimmViTDesign("vit_betwixt_patch16_gap_256", .betwixt.averaging().scaledWithoutBias()),
    TimmViTDesign("vit_base_patch16_gap_224", .base.averaging().with { $0.heads = 16 }),
    TimmViTDesign("vit_huge_patch14_gap_224", .huge.with(patch: 14).averaging()),
    TimmViTDesign("vit_huge_patch16_gap_448", .huge.averaging()),
    TimmViTDesign("vit_giant_patch16_gap_224", .giant.averaging()),
    TimmViTDesign(
      "vit_base_patch32_siglip_gap_256",
      .base.with(patch: 32).averaging().with { $0.activation = .gelu(.tanh) }),
    TimmViTDesign("vit_base_patch16_siglip_gap_{224,256,384,512}", .base.averaging()),
    TimmViTDesign("vit_large_patch16_siglip_gap_{256,384}", .large.averaging()),
    TimmViTDesign(
      "vit_large_patch16_siglip_gap_512", .large.averaging().with { $0.activation = .gelu(.tanh) }),
    TimmViTDesign("vit_so400m_patch14_siglip_gap_{224,378,384,448,896}", .so400m.with(patch: 14).averaging()),
    TimmViTDesign(
      "vit_so400m_patch16_siglip_gap_{256,384,512}",
      .so400m.averaging().with { $0.activation = .gelu(.tanh) }),
    TimmViTDesign(
      "vit_giantopt_patch16_siglip_gap_{256,384}",
      .sized(1536, layers: 40, heads: 16).averaging().with { $0.activation = .gelu(.tanh) }),
  ]

  /// Registers (Darcet et al. 2023) beside patches whose mean is classified.
  private static let registered: [TimmViTDesign] = [
    TimmViTDesign("vit_wee_patch16_reg1_gap_256", .wee.registered(1)),
    TimmViTDesign("vit_little_patch16_reg1_gap_256", .little.registered(1)),
    TimmViTDesign("vit_little_patch16_reg4_gap_256", .little.registered(4)),
    TimmViTDesign("vit_medium_patch16_reg1_gap_256", .medium.registered(1)),
    TimmViTDesign("vit_medium_patch16_reg4_gap_256", .medium.registered(4)),
    TimmViTDesign("vit_mediumd_patch16_reg4_gap_{256,384}", .medium.registered(4).with { $0.layers = 20 }),
    TimmViTDesign("vit_betwixt_patch16_reg1_gap_256", .betwixt.registered(1)),
    TimmViTDesign("vit_betwixt_patch16_reg4_gap_{256,384}", .betwixt.registered(4)),
    TimmViTDesign("vit_base_patch16_reg4_gap_256", .base.registered(4).with { $0.scalesLayers = false }),
    TimmViTDesign(
      "vit_so150m_patch16_reg4_gap_{256,384}",
      .sized(896, layers: 18, heads: 14, expansion: 2.572).averaging().with { $0.registers = 4 }),
    TimmViTDesign(
      "vit_so150m2_patch16_reg1_gap_{256,384,448}",
      .sized(832, layers: 21, heads: 13, expansion: 34.0 / 13).registered(1).with {
        ($0.hasProjectionBias, $0.placesPrefix) = (false, true)
      }),
    TimmViTDesign(
      "test_vit2", .test(layers: 8).registered(1).with { $0.placesPrefix = true }),
  ]

  /// Oquab et al. 2023, and TIPS.
  private static let dinoV2: [TimmViTDesign] = [
    TimmViTDesign("vit_small_patch14_dinov2", .small.selfTaught()),
    TimmViTDesign("vit_base_patch14_dinov2", .base.selfTaught()),
    TimmViTDesign("vit_large_patch14_dinov2", .large.selfTaught()),
    TimmViTDesign("vit_giant_patch14_dinov2", .gated.selfTaught()),
    TimmViTDesign("vit_small_patch14_reg4_dinov2", .small.selfTaught(registers: 4)),
    TimmViTDesign("vit_base_patch14_reg4_dinov2", .base.selfTaught(registers: 4)),
    TimmViTDesign("vit_large_patch14_reg4_dinov2", .large.selfTaught(registers: 4)),
    TimmViTDesign("vit_giant_patch14_reg4_dinov2", .gated.selfTaught(registers: 4)),
    TimmViTDesign("vit_base_patch14_reg1_tipsv2", .base.selfTaught(registers: 1)),
    TimmViTDesign("vit_large_patch14_reg1_tipsv2", .large.selfTaught(registers: 1)),
    TimmViTDesign(
      "vit_so400m_patch14_reg1_tipsv2",
      .sized(1152, layers: 27, heads: 16, expansion: 4304.0 / 1152).selfTaught(registers: 1)),
    TimmViTDesign("vit_giant_patch14_reg1_tipsv2", .gated.selfTaught(registers: 1)),
  ]

  /// Touvron et al. 2021 and, of the third, 2022.
  private static let deiT: [TimmViTDesign] = [
    TimmViTDesign("deit_tiny_patch16_224", .tiny),
    TimmViTDesign("deit_small_patch16_224", .small),
    TimmViTDesign("deit_base_patch16_{224,384}", .base),
    TimmViTDesign("deit_tiny_distilled_patch16_224", .tiny.with { $0.hasDistillationToken = true }),
    TimmViTDesign("deit_small_distilled_patch16_224", .small.with { $0.hasDistillationToken = true }),
    TimmViTDesign("deit_base_distilled_patch16_{224,384}", .base.with { $0.hasDistillationToken = true }),
    TimmViTDesign("deit3_small_patch16_{224,384}", .small.scaledBesidePrefix()),
    TimmViTDesign("deit3_medium_patch16_224", .medium.scaledBesidePrefix()),
    TimmViTDesign("deit3_base_patch16_{224,384}", .base.scaledBesidePrefix()),
    TimmViTDesign("deit3_large_patch16_{224,384}", .large.scaledBesidePrefix()),
    TimmViTDesign("deit3_huge_patch14_224", .huge.with(patch: 14).scaledBesidePrefix()),
  ]
}
