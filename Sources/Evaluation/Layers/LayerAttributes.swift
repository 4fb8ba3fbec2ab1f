import Graph

/// What decides a layer's results besides its weights.
struct LayerAttribute: Hashable {
  let name: String
  let value: String
}

extension Operation {
  /// The attributes that a configuration sets. Others, such as a limit fused into a sum, are the converter's choice and
  /// may stand elsewhere in the other model.
  var configuredAttributes: [LayerAttribute] {
    switch self {
    case let norm as LayerNormalization: [LayerAttribute(name: "epsilon", value: "\(norm.epsilon)")]
    case let linear as Linear: [LayerAttribute(name: "activation", value: linear.activation.name)]
    case let gelu as Gelu: [LayerAttribute(name: "form of GELU", value: gelu.form.rawValue)]
    case let attention as Attention:
      [
        LayerAttribute(name: "heads", value: attention.headCounts),
        LayerAttribute(name: "mask", value: attention.isCausal ? "causal" : "none"),
      ]
    default: []
    }
  }
}

extension Attention {
  fileprivate var headCounts: String {
    keyHeads == heads ? "\(heads)" : "\(heads), \(keyHeads) of keys"
  }
}
