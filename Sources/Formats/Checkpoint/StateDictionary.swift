import TensorCore

/// The tensors of a checkpoint by their names: what PyTorch calls a state dict.
struct StateDictionary {
  private(set) var tensors: [(name: String, tensor: CheckpointTensor)] = []

  /// Keys under which training programs keep the weights beside what they need to go on.
  private static let wrappers: [ExactText] = ["state_dict", "model_state_dict", "model"]
  /// What stands before each name where a model was saved inside of PyTorch's DataParallel.
  private static let parallelPrefix = "module."

  /// - Throws: ``ApusError`` of kind `unsupportedModel` for a value that has no tensors by name.
  init(_ value: PickleValue, _ heap: PickleHeap) throws(ApusError) {
    guard case .dictionary(let place) = value else {
      throw ApusError(
        .unsupportedModel, "the file holds \(value.kind)", expected: "a dictionary of tensors by name",
        advice: "Save the weights alone: torch.save(model.state_dict(), file).")
    }
    let root = heap.dictionaries[place]
    tensors = try Self.tensors(root, heap)
    for wrapper in Self.wrappers where tensors.isEmpty {
      let inner = root.last { if case .text(let key) = $0.key { ExactText(key) == wrapper } else { false } }
      guard case .dictionary(let place)? = inner?.value else { continue }
      tensors = try Self.tensors(heap.dictionaries[place], heap)
    }
    guard !tensors.isEmpty else {
      throw ApusError(
        .unsupportedModel, "the file has no tensors by name",
        expected:
          "them, or a dictionary of them under \(Self.wrappers.map { "'\($0)'" }.joined(separator: ", "))")
    }
    if tensors.allSatisfy({ $0.name.utf8.starts(with: Self.parallelPrefix.utf8) }) {
      tensors = tensors.map { (String($0.name.dropFirst(Self.parallelPrefix.count)), $0.tensor) }
    }
  }

  /// Those of a dictionary, in its order; of two under one name the last.
  private static func tensors(
    _ items: [(key: PickleValue, value: PickleValue)], _ heap: PickleHeap
  ) throws(ApusError) -> [(name: String, tensor: CheckpointTensor)] {
    var tensors: [(name: String, tensor: CheckpointTensor)] = []
    var places: [ExactText: Int] = [:]
    for (key, value) in items {
      guard case .tensor(let place) = value else { continue }
      guard case .text(let name) = key else {
        throw ApusError(.malformedModel, "a tensor under \(key.kind)", expected: "a name")
      }
      if let known = places[ExactText(name)] {
        tensors[known].tensor = heap.tensors[place]
      } else {
        places[ExactText(name)] = tensors.count
        tensors.append((name, heap.tensors[place]))
      }
    }
    return tensors
  }
}
