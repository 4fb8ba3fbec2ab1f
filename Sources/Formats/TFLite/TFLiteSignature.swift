import TensorCore

/// A named way into a model: which tensors of which subgraph go by which names.
package struct TFLiteSignature: Sendable, Equatable {
  /// A name for a tensor of the subgraph.
  package struct Binding: Sendable, Equatable {
    package let name: String
    package let tensor: Int
  }

  /// What the signature is called, such as `serving_default`.
  package let key: String
  package let subgraph: Int
  /// Each names one of the subgraph's inputs.
  package let inputs: [Binding]
  /// Each names one of the subgraph's tensors.
  package let outputs: [Binding]

  init(_ table: FlatBufferTable, index: Int, subgraphs: [TFLiteSubgraph]) throws(ApusError) {
    let key = try table.string(2, "signature_key") ?? ""
    let subgraph = try table.index(4, "subgraph_index")
    guard subgraph < subgraphs.count else {
      throw table.error(
        4, "subgraph_index", "signature '\(key.clipped)' names subgraph \(subgraph)",
        expected: "one of the \(subgraphs.count) subgraphs")
    }
    func bindings(_ slot: Int, _ name: String) throws(ApusError) -> [Binding] {
      try table.tables(slot, name, as: "TensorMap").map { (_, map) throws(ApusError) in
        let binding = Binding(name: try map.string(0, "name") ?? "", tensor: try map.index(1, "tensor_index"))
        guard binding.tensor < subgraphs[subgraph].tensors.count else {
          throw map.error(
            1, "tensor_index",
            "signature '\(key.clipped)' binds '\(binding.name.clipped)' to tensor \(binding.tensor)",
            expected: "one of the \(subgraphs[subgraph].tensors.count) tensors")
        }
        return binding
      }
    }
    self.key = key
    self.subgraph = subgraph
    inputs = try bindings(0, "inputs")
    outputs = try bindings(1, "outputs")
  }
}
