import Formats
import Graph
import TensorCore

/// Turns an ONNX file into a ``Graph``.
///
/// Shapes are inferred anew: those that the file states for anything but inputs may be wrong, and are not used. What depends on
/// shapes alone is computed while the graph is made.
package struct ONNXImporter: GraphImporter {
  package let model: ONNXModel
  let constants: ONNXConstants

  /// - Parameter folder: where files lie that elements of tensors are in.
  package init(_ model: ONNXModel, folder: String) {
    self.model = model
    constants = ONNXConstants(model.bytes, folder: folder, files: ONNXExternalFiles())
  }

  package func interface() throws(ApusError) -> ImportedInterface {
    var inputs: [ImportedPort] = []
    for input in try requiredInputs() { inputs.append(try ImportedPort(input)) }
    var outputs: [ImportedPort] = []
    for output in model.graph.outputs { outputs.append(try port(ofOutput: output)) }
    return ImportedInterface(inputs: inputs, outputs: outputs)
  }

  /// An output. Maps from labels to numbers come as these numbers, in the order of the labels; labels that are texts come as
  /// their positions.
  private func port(ofOutput info: ONNXValueInfo) throws(ApusError) -> ImportedPort {
    let writer = model.graph.nodes.first { $0.outputs.contains { ExactText($0) == ExactText(info.name) } }
    let isMap = writer.map { ExactText($0.type) == "ZipMap" && ExactText($0.domain) == "ai.onnx.ml" } ?? false
    if isMap { return ImportedPort(unknown: info.name, .float32, rank: 2) }
    if info.elementType == .string, let rank = info.dimensions?.count {
      return ImportedPort(unknown: info.name, .int64, rank: rank)
    }
    return try ImportedPort(info)
  }

  /// The inputs that have no value in the file.
  private func requiredInputs() throws(ApusError) -> [ONNXValueInfo] {
    let known = try model.graph.namedInitializers()
    return model.graph.inputs.filter { known[ExactText($0.name)] == nil }
  }

  package func graph(shapes: [Int: Shape], values: [Int: Tensor]) throws(ApusError) -> Graph {
    let translation = ONNXTranslation()
    let scope = try ONNXScope(model.graph, of: model, constants: constants, into: translation)
    for (position, input) in try requiredInputs().enumerated() {
      let port = try ImportedPort(input)
      let type = TensorType(port.type.dataType, shapes[position] ?? port.type.shape)
      let known = values[position].flatMap { $0.type == type ? $0 : nil }
      var value = translation.input(port.name, type, known: known)
      if type.dataType.isNarrowFloat {
        value = try translation.add(Cast(to: .float32), [value], named: port.name, at: "input '\(port.name)'")
      }
      scope.bind(
        input.name, to: ONNXValue(plain: value, narrowType: type.dataType.isNarrowFloat ? type.dataType : nil)
      )
    }
    try scope.run()
    for output in model.graph.outputs {
      let label = "output '\(output.name.clipped)'"
      let value: ONNXValue
      do throws(ApusError) {
        value = try scope.value(output.name)
      } catch {
        throw error.at(label)
      }
      var plain = try translation.plain(value, named: output.name, at: label)
      if let narrow = value.narrowType {
        plain = try translation.add(Cast(to: narrow), [plain], named: output.name, at: label)
      }
      translation.output(plain)
    }
    return translation.builder.graph
  }

  package func hasOperators() throws(ApusError) -> Bool {
    let nodes = try ONNXOrder(model.graph).nodes
    return (try? ONNXRefusals(nodes, of: model).check()) != nil
  }
}

extension ImportedPort {
  /// One of which every extent is free.
  fileprivate init(unknown name: String, _ dataType: DataType, rank: Int) {
    let shape = (try? Shape([Int](repeating: 1, count: rank))) ?? .scalar
    self.init(
      name: name, innerName: name, type: TensorType(dataType, shape), freeAxes: Set(0..<shape.rank))
  }

  /// - Throws: ``ApusError`` of kind `unsupportedModel` for what is no tensor, or one of elements that Apus does not have.
  fileprivate init(_ info: ONNXValueInfo) throws(ApusError) {
    let label = "value '\(info.name.clipped)'"
    if let kind = info.otherKind {
      throw ApusError(.unsupportedModel, "it is \(kind)", expected: "a tensor", at: label)
    }
    let elementType = info.elementType ?? .float
    guard let dataType = elementType.dataType else {
      throw ApusError(.unsupportedModel, "elements of type \(elementType.name)", at: label)
    }
    let dimensions = info.dimensions ?? []
    let extents = dimensions.map { if case .fixed(let extent) = $0 { extent } else { 1 } }
    do throws(ApusError) {
      let free = dimensions.indices.filter { if case .free = dimensions[$0] { true } else { false } }
      self.init(
        name: info.name, innerName: info.name, type: TensorType(dataType, try Shape(extents)),
        freeAxes: Set(free))
    } catch {
      throw error.at(label)
    }
  }
}
