import Graph
import Kernels
import TensorCore

/// The arithmetic of a model: the numbers that its parts multiply, and the kernels that do it.
public struct Computation: Sendable, Hashable {
  /// A network of a model: a tower, or a file.
  public struct Part: Sendable, Hashable {
    /// `image` or `text` of a folder; `main`, or the key of a signature, of a file.
    public let name: String
    /// Operations by the type of number they multiply, most products first.
    public let products: [Products]

    /// The numbers of which most products are; nil when nothing is multiplied.
    public var precision: DataType? { products.first?.numbers }

    package init(name: String, products: [Products]) {
      self.name = name
      self.products = products
    }
  }

  /// The parts in use.
  public private(set) var parts: [Part]
  private let choice: KernelChoice

  package init(_ parts: [Part], on choice: KernelChoice) {
    self.parts = parts
    self.choice = choice
  }

  package init(_ model: CompiledModel, part: String) {
    self.init([Part(name: part, products: model.products)], on: model.options.kernels.choice)
  }

  /// The instruction set of each family of kernels: `float`, `integer` and `bfloat16`.
  public var kernels: [(family: String, set: String)] {
    NumericFamily.allCases.map { ($0.rawValue, choice[$0].rawValue) }
  }

  /// With the parts of another computation of the same model.
  package func and(_ other: Computation) -> Computation {
    var both = self
    both.parts += other.parts
    return both
  }
}

extension Computation {
  /// The numbers of which most products are: `int8`, or of the parts in turn.
  package var precision: String {
    let words = parts.map { $0.precision?.rawValue ?? "nothing" }
    return Set(words).count == 1 ? words[0] : words.joined(separator: " and ")
  }

  /// `computed in int8 (attention in bfloat16), kernels float avx512, integer avx512vnni, bfloat16 avx512`.
  package var summary: String { "computed in \(self), kernels \(choice)" }
}

extension Computation: CustomStringConvertible {
  /// `int8 (attention in bfloat16, some conv2D in float32)`, for each part where they differ.
  public var description: String {
    guard parts.count > 1, Set(parts.map(\.products)).count > 1 else { return parts.first?.description ?? "" }
    return parts.map { "\($0.name) in \($0)" }.joined(separator: ", ")
  }
}

extension Computation.Part: CustomStringConvertible {
  /// `int8 (attention in bfloat16, some conv2D in float32)`: some of an operation where others multiply other numbers.
  public var description: String {
    guard let precision else { return "no products" }
    let others = products.dropFirst().map { other in
      let names = other.operations.map { isMixed($0) ? "some \($0)" : $0 }
      return "\(names.joined(separator: ", ")) in \(other.numbers.rawValue)"
    }
    return precision.rawValue + (others.isEmpty ? "" : " (\(others.joined(separator: ", ")))")
  }

  /// Whether an operation multiplies several kinds of numbers, each in another place.
  private func isMixed(_ operation: String) -> Bool {
    products.count(where: { $0.operations.contains(operation) }) > 1
  }
}
