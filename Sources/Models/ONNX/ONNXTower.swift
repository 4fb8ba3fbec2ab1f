import Formats
import Graph
import TensorCore

/// A network of an ONNX file that stands for a tower of a model.
struct ONNXTower: Sendable {
  let importer: ONNXImporter

  /// Adds the network to a graph, and gives one of its outputs back.
  /// - Parameters:
  ///   - names: of the output: the first that is there.
  ///   - inputs: the value of each input that the output depends on.
  /// - Throws: ``ApusError`` of kind `unsupportedModel` that lists the outputs when none is meant.
  func output(
    _ names: [ExactText], of inputs: [ExactText: ONNXValue], in translation: ONNXTranslation
  ) throws(ApusError) -> Value {
    let name = try chosen(names)
    let scope = try ONNXScope(
      importer.model.graph.giving(name), of: importer.model, constants: importer.constants, into: translation)
    for (name, value) in inputs { scope.bind(name.text, to: value) }
    try scope.run()
    return try translation.plain(scope.value(name), named: name, at: "output '\(name.clipped)'")
  }

  private func chosen(_ names: [ExactText]) throws(ApusError) -> String {
    let outputs = importer.model.graph.outputs.map(\.name)
    for name in names where outputs.contains(where: { ExactText($0) == name }) { return name.text }
    guard outputs.count == 1 else {
      throw ApusError(
        .unsupportedModel, "outputs \(outputs.prefix(20).map(\.clipped).joined(separator: ", "))",
        expected: names.map(\.text).joined(separator: " or "))
    }
    return outputs[0]
  }

  /// The input of a name; nil where the file has none.
  func input(_ name: ExactText) throws(ApusError) -> ImportedPort? {
    try importer.interface().inputs.first { ExactText($0.name) == name }
  }
}

extension ONNXTranslation {
  /// Refuses another shape of a result than the configuration says.
  func require(_ shape: [Int], of value: Value) throws(ApusError) {
    let found = type(of: value)
    guard found.shape.dimensions == shape, found.dataType == .float32 else {
      throw ApusError(
        .malformedModel, "a result \(found)", expected: "float32\(shape), as config.json says",
        advice: "The file and the configuration may belong to different models.")
    }
  }
}

/// A tower for pictures whose network is an ONNX file.
struct ONNXImageTower: ImageTower {
  /// The statements of the configuration.
  let stated: any ImageTower
  let network: ONNXTower

  var imageSize: ImageSize { stated.imageSize }
  var takesAnyImageSize: Bool { stated.takesAnyImageSize }
  var channels: Int { stated.channels }
  var outputWidth: Int { stated.outputWidth }
  var outputName: TowerOutput? { stated.outputName }

  func graph(batch: Int) throws(ApusError) -> Graph {
    let translation = ONNXTranslation()
    let shape = try Shape([batch, imageSize.height, imageSize.width, channels])
    let pixels = translation.input("pixel_values", TensorType(.float32, shape), known: nil)
    let port = try network.input("pixel_values")
    if let port, !port.freeAxes.contains(0), port.type.shape.dimensions.first != batch {
      throw ApusError(
        .argument, "\(batch) pictures",
        expected: "\(port.type.shape.dimensions.first ?? 1) at a time, as the file states")
    }
    let type = port?.type.dataType ?? .float32
    let value = ONNXValue(channelsLast: pixels, narrowType: type.isNarrowFloat ? type : nil)
    let names = [stated.outputName?.rawValue, "image_embeds", "pooler_output"].compactMap(\.self)
    let result = try network.output(
      stated.outputName == .logits ? ["logits"] : names.map { ExactText($0) }, of: ["pixel_values": value],
      in: translation)
    try translation.require([batch, outputWidth], of: result)
    translation.output(result)
    return translation.builder.graph
  }
}
