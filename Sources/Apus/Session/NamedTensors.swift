import Networks
import TensorCore

/// Tensors in the model's order, found by their names.
public struct NamedTensors: Sendable {
  /// A tensor and its name.
  public struct Element: Sendable {
    /// The name that the model gives it: of a folder as transformers has it.
    public let name: String
    /// The name inside the file or the graph, where that is another: earlier versions had it.
    let innerName: String
    /// Its type and elements.
    public let tensor: Tensor
  }

  private let elements: [Element]

  init(_ tensors: [Tensor], named names: [OutputName]) {
    elements = zip(names, tensors).map { Element(name: $0.name, innerName: $0.innerName, tensor: $1) }
  }

  /// Tensors of a program's own, in an order of its own.
  public init(_ tensors: KeyValuePairs<String, Tensor>) {
    elements = tensors.map { Element(name: $0.key, innerName: $0.key, tensor: $0.value) }
  }

  /// The names, in order.
  public var names: [String] { elements.map(\.name) }

  /// The tensor of that name, or else of that ``TensorDescription/innerName``; nil when there is none.
  public subscript(name: String) -> Tensor? {
    let name = ExactText(name)
    let named = elements.first { ExactText($0.name) == name }
    return (named ?? elements.first { ExactText($0.innerName) == name })?.tensor
  }

  /// The tensor of that name.
  /// - Throws: ``ApusError`` of kind `argument` that lists the names when there is none.
  public func tensor(_ name: String) throws(ApusError) -> Tensor {
    if let tensor = self[name] { return tensor }
    let list = names.prefix(20).map { "'\($0)'" }.joined(separator: ", ")
    throw ApusError(
      .argument, "the model has no output '\(name)'", expected: names.isEmpty ? "none" : "one of \(list)")
  }
}

extension NamedTensors: RandomAccessCollection {
  /// 0.
  public var startIndex: Int { 0 }
  /// The number of tensors.
  public var endIndex: Int { elements.count }
  /// The tensor at a position from 0 to below ``endIndex``, and its name.
  public subscript(position: Int) -> Element { elements[position] }
}
