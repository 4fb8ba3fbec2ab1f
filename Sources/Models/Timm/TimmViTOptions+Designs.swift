import Graph

/// The sizes of timm's vision transformers, and what several of them have in common.
extension TimmViTOptions {
  static let tiny = sized(192, layers: 12, heads: 3)
  static let wee = sized(256, layers: 14, heads: 4, expansion: 5)
  static let little = sized(320, layers: 14, heads: 5, expansion: 5.6)
  static let small = sized(384, layers: 12, heads: 6)
  static let medium = sized(512, layers: 12, heads: 8)
  static let betwixt = sized(640, layers: 12, heads: 10)
  static let base = sized(768, layers: 12, heads: 12)
  static let basePlus = sized(896, layers: 12, heads: 14)
  static let large = sized(1024, layers: 24, heads: 16)
  static let so400m = sized(1152, layers: 27, heads: 16, expansion: 3.7362)
  static let huge = sized(1280, layers: 32, heads: 16)
  static let giant = sized(1408, layers: 40, heads: 16, expansion: 48.0 / 11)
  static let gigantic = sized(1664, layers: 48, heads: 16, expansion: 64.0 / 13)
  /// DINOv2's largest.
  static let gated = sized(1536, layers: 40, heads: 24, expansion: 2.66667 * 2).with {
    ($0.activation, $0.isGated) = (.swish, true)
  }

  static func sized(_ width: Int, layers: Int, heads: Int, expansion: Double = 4) -> TimmViTOptions {
    TimmViTOptions(width: width, layers: layers, heads: heads, expansion: expansion)
  }

  /// timm's own, for trying things out.
  static func test(layers: Int) -> TimmViTOptions {
    sized(64, layers: layers, heads: 2, expansion: 3).with { $0.takesAnyExtent = true }
  }

  func with(patch: Int? = nil, _ change: (inout TimmViTOptions) -> Void = { _ in }) -> TimmViTOptions {
    var options = self
    options.patch = patch ?? options.patch
    change(&options)
    return options
  }

  /// As in CLIP (Radford et al. 2021).
  func contrastive(_ activation: Activation = .gelu(.exact)) -> TimmViTOptions {
    with {
      $0.normalizesTokens = true
      $0.epsilon = 1e-5
      $0.activation = activation
    }
  }

  /// Without a class token; tokens are normalised before their mean is made.
  func averaging() -> TimmViTOptions {
    with {
      $0.hasClassToken = false
      $0.pooling = .mean
      $0.normalizesPooledIfStated = false
    }
  }

  func scaledWithoutBias() -> TimmViTOptions {
    with { ($0.scalesLayers, $0.hasProjectionBias) = (true, false) }
  }

  /// Registers without positions in the place of a class token.
  func registered(_ count: Int) -> TimmViTOptions {
    with {
      $0.hasClassToken = false
      $0.registers = count
      $0.placesPrefix = false
      $0.pooling = .mean
      $0.scalesLayers = true
    }
  }

  /// As in DINOv2, whose registers and the class token beside them have no positions.
  func selfTaught(registers: Int = 0) -> TimmViTOptions {
    with(patch: 14) {
      $0.scalesLayers = true
      $0.registers = registers
      $0.placesPrefix = registers == 0
    }
  }

  /// As in DeiT III.
  func scaledBesidePrefix() -> TimmViTOptions {
    with { ($0.scalesLayers, $0.placesPrefix) = (true, false) }
  }
}
