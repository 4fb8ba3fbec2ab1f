import Formats
import Images
import Models
import Networks
import TensorCore

/// Writes a float `.tflite` file anew: with int8 weights and activations, or with float16 weights. Its labels and
/// metadata come along, and a card.
package struct TFLiteQuantizer: Sendable {
  package struct Options: Sendable {
    package var target: QuantizationTarget
    /// The folder with samples of what the model will be given; int8 needs it.
    package var calibration: String?
    /// How pictures are prepared; nil for as its classifier prepares them.
    package var preprocessing: PreprocessingProfile?
    /// The ways to the ranges of activations that are tried.
    package var methods = RangeMethod.allCases
    /// Whether inputs and outputs of an int8 model stay float32.
    package var takesFloats = false
    /// Whether a file that is there already is replaced.
    package var replaces = false
    package var threads = 1

    package init(_ target: QuantizationTarget) { self.target = target }
  }

  private let model: OpenedModel
  private let file: ModelFile
  private let options: Options

  /// - Throws: ``ApusError`` with the file's name when it cannot be read or is malformed.
  package init(_ path: String, _ options: Options) throws(ApusError) {
    file = try ModelFile(path)
    model = OpenedModel(file)
    self.options = options
  }

  /// - Parameter output: the new file.
  /// - Throws: ``ApusError`` of kind `argument` when the output is there already; of kind `unsupportedModel` with
  ///   all operators that stand in the way; of kind `file` or `image` for a sample.
  package func write(to output: String) throws(ApusError) -> QuantizationReport {
    try OutputPlace(output, besides: file.path).checkFile(replaces: options.replaces)
    var report = QuantizationReport(input: file.path, output: output, target: options.target)
    let bytes = try naming(file.path) { () throws(ApusError) in
      let network = try FloatNetwork(file.importer)
      return switch options.target {
      case .int8: try integers(network, &report)
      case .f16: try halves(network, &report)
      case .bf16:
        throw ApusError(
          .argument, "bf16 weights in a TFLite file", expected: "int8 or f16",
          advice: "TFLite's operators take no bfloat16.")
      }
    }
    let written = try NewFile(replacing: output)
    try written.write(bytes)
    try written.commit()
    report.fileBytesBefore = file.bytes.count
    report.fileBytesAfter = bytes.count
    let companions = try CompanionCopies(from: file.path, to: output)
    (report.copied, report.leftOut) = (companions.copied, companions.leftOut)
    try writeCard(of: &report)
    return report
  }

  /// Writes the card beside the model, unless a file that is no such card has its name.
  private func writeCard(of report: inout QuantizationReport) throws(ApusError) {
    let output = report.output
    let path = (output.hasSuffix(".tflite") ? String(output.dropLast(7)) : output) + ".md"
    let found = FileSystem.exists(path) ? (try? FileBytes.read(path, limit: 1 << 20)) ?? [] : nil
    if let found, !String(decoding: found, as: UTF8.self).contains(ModelCard.mark) { return }
    report.card = path
    let card = ModelCard(
      report: report, source: FileName.last(of: file.path), repository: nil, samples: options.calibration,
      facts: nil,
      command: ModelCard.command(for: model, named: FileName.last(of: output), options.target))
    let written = try NewFile(replacing: path)
    try written.write(Array(FileName.readable(card.text).utf8))
    try written.commit()
  }

  private func integers(
    _ network: FloatNetwork, _ report: inout QuantizationReport
  ) throws(ApusError) -> [UInt8] {
    try NetworkRefusals.check(network)
    let source = try source(network)
    var calibration = CalibrationReport(samples: source.description)
    let search = try IntegerSearch(network, file.importer, source, threads: options.threads)
    let (rewriter, ranges) = try search.best(
      of: options.methods, takesFloats: options.takesFloats, &calibration)
    let bytes = try FileNotes.bytes(rewriter.draft, of: network.model, file.bytes)
    // What was written is read back as any file would be.
    let written = try TFLiteImporter(TFLiteModel(bytes), bytes: bytes)
    try NetworkComparison(network, file.importer, rewriter, written, threads: options.threads)
      .fill(&calibration, source, seen: ranges)
    report.calibration = calibration
    report.rows = rewriter.layers.map(row)
    return bytes
  }

  private func halves(
    _ network: FloatNetwork, _ report: inout QuantizationReport
  ) throws(ApusError) -> [UInt8] {
    let rewriter = try HalfPrecisionRewriter(network, file.bytes)
    let bytes = try FileNotes.bytes(rewriter.draft, of: network.model, file.bytes)
    _ = try TFLiteImporter(TFLiteModel(bytes), bytes: bytes).graph()
    report.rows = rewriter.layers.map(row)
    return bytes
  }

  private func source(_ network: FloatNetwork) throws(ApusError) -> any CalibrationSource {
    guard let path = options.calibration else {
      throw ApusError(
        .argument, "no samples", expected: "a folder of them",
        advice: "Name one with --calibrate: int8 activations need the ranges of real inputs.")
    }
    let folder = try CalibrationFolder(path)
    guard network.graph.inputs.count == 1, let input = network.graph.inputs.first else {
      throw ApusError(.unsupportedModel, "\(network.graph.inputs.count) inputs", expected: "one")
    }
    let type = network.graph[input].type
    guard folder.tensors.isEmpty else {
      return try TensorCalibration(
        folder.path, folder.tensors, input: type, limit: CalibrationFolder.limit)
    }
    guard !folder.pictures.isEmpty else {
      throw ApusError(.file, "texts only", expected: "pictures or .npy files", file: path)
    }
    let preparation = try model.preparation.pictures(for: type, requested: options.preprocessing)
    return try PictureCalibration(folder.path, folder.pictures, preparation)
  }

  private func row(_ layer: IntegerRewriter.Layer) -> QuantizationReport.Row {
    let count = layer.weights.elements.count
    return QuantizationReport.Row(
      name: layer.step.label, role: layer.step.code.name, shape: layer.shape, from: "float32", to: "int8",
      bytesBefore: 4 * count, bytesAfter: count + 4 * layer.weights.scales.count, error: layer.weights.error,
      clipping: layer.weights.clipping, reason: "weights, a scale for each channel")
  }

  private func row(_ layer: HalfPrecisionRewriter.Layer) -> QuantizationReport.Row {
    let count = layer.tensor.shape.elementCount
    return QuantizationReport.Row(
      name: layer.step.label, role: layer.step.code.name, shape: layer.tensor.shape.dimensions,
      from: "float32", to: "float16", bytesBefore: 4 * count, bytesAfter: 2 * count, error: layer.error,
      clipping: nil, reason: "weights, widened by DEQUANTIZE")
  }
}
