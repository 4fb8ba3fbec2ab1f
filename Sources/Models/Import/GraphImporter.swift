import Graph
import TensorCore

/// Makes graphs of one network of a file, whatever its format.
package protocol GraphImporter: Sendable {
  /// What goes in and comes out, with all names: outputs that are one value of the graph have its one name there.
  /// - Throws: ``ApusError`` of kind `unsupportedModel` for elements of a type that Apus does not have.
  func interface() throws(ApusError) -> ImportedInterface

  /// The network, with inputs and outputs in the order of ``interface()``.
  /// - Parameters:
  ///   - shapes: those that differ from the interface's, by the input's position.
  ///   - values: elements that inputs shall have in every run, by the input's position: for networks in which shapes depend
  ///     on them.
  /// - Throws: ``ApusError`` of kind `unsupportedModel` that names everything Apus does not run at once, of kind
  ///   `malformedModel` with the operator whose operands do not fit.
  func graph(shapes: [Int: Shape], values: [Int: Tensor]) throws(ApusError) -> Graph

  /// Whether Apus has all operators of the network; that it runs them with these operands is not said.
  func hasOperators() throws(ApusError) -> Bool
}

/// The inputs and outputs of a network in a file.
package struct ImportedInterface: Sendable {
  package let inputs: [ImportedPort]
  package let outputs: [ImportedPort]
}

/// A tensor that goes in or comes out.
package struct ImportedPort: Sendable {
  /// The name by which callers know it.
  package let name: String
  /// The name inside the file.
  package let innerName: String
  package let type: TensorType
  /// The axes whose extents the file leaves to the caller.
  package let freeAxes: Set<Int>
}
