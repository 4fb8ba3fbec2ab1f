import Formats
import Images
import Models
import Networks
import TensorCore

/// Writes a float `.tflite` file anew: with int8 weights and integer activations, or with weights alone in int8 or float16.
/// Its labels and metadata come along, and a card.
package struct TFLiteQuantizer: Sendable {
  package struct Options: Sendable {
    package var target: QuantizationTarget
    /// In which type a model of int8 weights computes.
    package var activations = ActivationType.int8
    /// The folder with samples of what the model will be given; integer activations need it.
    package var calibration: String?
    /// How pictures are prepared; nil for as its classifier prepares them.
    package var preprocessing: PreprocessingProfile?
    /// The ways to the ranges of activations that are tried.
    package var methods = RangeMethod.allCases
    /// Whether inputs and outputs of an int8 model stay float32.
    package var takesFloats = false
    /// Shell patterns of the operators of an int8 model that stay floats: of their names, or those of their results or
    /// weights.
    package var kept: [String] = []
    /// The search that found what is kept.
    package var mixture: MixtureReport?
    /// Of a file that is quantized several times with the same samples.
    var memory: ObservationMemory?
    /// Whether a file that is there already is replaced.
    package var replaces = false
    package var threads = 1

    package init(_ target: QuantizationTarget) { self.target = target }
  }

  private let model: OpenedModel
  private let file: TFLiteForm
  private let options: Options

  /// - Throws: ``ApusError`` with the file's name when it cannot be read or is malformed; of kind `unsupportedModel` for a
  ///   file in another format.
  package init(_ path: String, _ options: Options) throws(ApusError) {
    let form = try ModelPlace.form(ofFile: path)
    guard let file = form as? TFLiteForm else {
      throw ApusError(
        .unsupportedModel, "the model is an \(form.name) file",
        expected: "a .tflite file, or a folder with safetensors", file: path)
    }
    self.file = file
    model = OpenedModel(file)
    self.options = options
  }

  /// - Throws: ``ApusError`` of kind `argument` when something is there that is to stay.
  package func checkPlace(_ output: String) throws(ApusError) {
    try OutputPlace(output, besides: file.path).checkFile(replaces: options.replaces)
  }

  /// - Parameter output: the new file.
  /// - Throws: ``ApusError`` of kind `argument` when the output is there already; of kind `unsupportedModel` with
  ///   all operators that stand in the way; of kind `file` or `image` for a sample.
  package func write(to output: String) throws(ApusError) -> QuantizationReport {
    try checkPlace(output)
    var report = QuantizationReport(input: file.path, output: output, target: options.target)
    report.mixture = options.mixture
    report.activations = options.target == .int8 ? options.activations : nil
    let bytes = try naming(file.path) { () throws(ApusError) in
      let network = try FloatNetwork(file.importer, keeping: LayerPatterns(options.kept))
      return switch (options.target, options.activations) {
      case (.int8, .int8), (.int8, .int16): try integers(network, &report)
      case (.int8, .float): try widened(network, .int8, &report)
      case (.f16, _): try widened(network, .float16, &report)
      case (.int4, _):
        throw ApusError(.argument, "int4 weights in a TFLite file", expected: "int8 or f16")
      case (.bf16, _):
        throw ApusError(
          .argument, "bf16 weights in a TFLite file", expected: "int8 or f16",
          advice: "TFLite's operators take no bfloat16.")
      }
    }
    let written = try NewFile(replacing: output)
    try written.write(bytes)
    try written.commit()
    report.fileBytesBefore = file.byteCount
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
    try NetworkRefusals.check(network, options.activations)
    guard let (looked, judged, started) = try samples(network) else {
      throw ApusError(
        .argument, "no samples", expected: "a folder of them",
        advice: "Name one with \(Setting.calibration): integer activations need the ranges of real inputs.")
    }
    var calibration = started
    let search = try IntegerSearch(
      network, file.importer, looked: looked, judged: judged, activations: options.activations,
      memory: options.memory, threads: options.threads)
    // 16 bits hold what is far outside without loss of the rest.
    let isWide = options.activations == .int16
    let (rewriter, ranges) = try search.best(
      of: isWide ? [.extremes] : options.methods, takesFloats: isWide || options.takesFloats, &calibration)
    let bytes = try FileNotes.bytes(rewriter.draft, of: network.model)
    // What was written is read back as any file would be.
    let written = TFLiteImporter(try TFLiteModel(bytes))
    try NetworkComparison(network, file.importer, rewriter.draft, written, threads: options.threads) {
      rewriter.tensor($0)
    }.fill(&calibration, judged, seen: ranges)
    report.calibration = calibration
    report.rows = try rewriter.layers.map(row) + keptRows(network)
    return bytes
  }

  private func widened(
    _ network: FloatNetwork, _ form: WidenedWeightsRewriter.Form, _ report: inout QuantizationReport
  ) throws(ApusError) -> [UInt8] {
    var rewriter = try WidenedWeightsRewriter(network, as: form)
    if form == .int8, let (looked, judged, started) = try samples(network) {
      var calibration = started
      rewriter = try corrected(rewriter, network, looked, judged, &calibration)
      report.calibration = calibration
    }
    let bytes = try FileNotes.bytes(rewriter.draft, of: network.model)
    let written = TFLiteImporter(try TFLiteModel(bytes))
    _ = try written.graph()
    report.rows = try rewriter.layers.map(row) + keptRows(network)
    return bytes
  }

  /// The same with biases that make up for the rounding of the weights, where that errs less.
  private func corrected(
    _ plain: WidenedWeightsRewriter, _ network: FloatNetwork, _ looked: CalibrationShare,
    _ judged: CalibrationShare,
    _ calibration: inout CalibrationReport
  ) throws(ApusError) -> WidenedWeightsRewriter {
    let means = try ActivationObserver(network, memory: options.memory, threads: options.threads)
      .ranges(looked).means
    let scores = try ScoreErrors(network, file.importer, judged, threads: options.threads)
    let other = try WidenedWeightsRewriter(network, as: .int8, means: means)
    var errors: [SignalToNoise] = []
    for (name, rewriter) in [("biases as they were", plain), ("biases corrected", other)] {
      errors.append(try scores.error(rewriter.draft) { $0 })
      calibration.trials.append(.init(method: name, scores: errors[errors.count - 1]))
    }
    let best = errors[1].decibels > errors[0].decibels ? 1 : 0
    calibration.method = calibration.trials[best].method
    let rewriter = best == 1 ? other : plain
    let bytes = try TFLiteWriter.bytes(rewriter.draft)
    let written = TFLiteImporter(try TFLiteModel(bytes))
    try NetworkComparison(network, file.importer, rewriter.draft, written, threads: options.threads) { $0 }
      .fill(&calibration, judged)
    return rewriter
  }

  /// The samples to look at and those to judge by, and the report on them; nil when none were given.
  private func samples(
    _ network: FloatNetwork
  ) throws(ApusError) -> (looked: CalibrationShare, judged: CalibrationShare, report: CalibrationReport)? {
    guard let path = options.calibration else { return nil }
    return CalibrationShare.split(try source(path, network))
  }

  private func source(_ path: String, _ network: FloatNetwork) throws(ApusError) -> any CalibrationSource {
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

  /// The float constants of operators that were kept.
  private func keptRows(_ network: FloatNetwork) throws(ApusError) -> [QuantizationReport.Row] {
    var rows: [QuantizationReport.Row] = []
    for step in network.steps where network.isKept(step) {
      for case let tensor? in step.inputs {
        guard let constant = network.constant(tensor), constant.dataType.isFloat else { continue }
        let type = constant.dataType.rawValue, count = constant.type.byteCount
        rows.append(
          .init(
            name: "\(step.label): \(network.subgraph.tensors[tensor].name)", role: step.code.name,
            shape: constant.shape.dimensions, from: type, to: type, bytesBefore: count, bytesAfter: count,
            error: nil,
            clipping: nil, reason: QuantizationReport.keptReason))
      }
    }
    return rows
  }

  private func row(_ layer: WidenedWeightsRewriter.Layer) -> QuantizationReport.Row {
    let count = layer.tensor.shape.elementCount
    return QuantizationReport.Row(
      name: layer.step.label, role: layer.step.code.name, shape: layer.tensor.shape.dimensions,
      from: "float32", to: layer.type.rawValue, bytesBefore: 4 * count, bytesAfter: layer.byteCount,
      error: layer.error, clipping: layer.clipping, reason: "weights, widened by DEQUANTIZE")
  }
}
