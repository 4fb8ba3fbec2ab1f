import Formats
import Models
import Networks
import TensorCore

/// Writes a model folder anew, with its weights in fewer bits, a card of its own, and all other files as they are.
///
/// To int4, matrices and tables get packed integers, and a scale for each group of columns in each row, as compressed-tensors
/// has them. To int8, matrices of linear layers, filters of convolutions and tables of embeddings get a scale for each row,
/// `<name>_scale`, and other matrices become float16; biases and norms stay.
package struct FolderQuantizer: Sendable {
  package struct Options: Sendable {
    package var target: QuantizationTarget
    /// Columns that have a scale in common in int4: a multiple of 8; nil for the one with which the model takes the fewest bytes.
    package var groupSize: Int?
    /// The most columns that are chosen.
    package static let usualGroupSize = 32
    /// Shell patterns of names that do not become integers.
    package var kept: [String] = []
    /// The search that found what is kept.
    package var mixture: MixtureReport?
    /// A folder or file with samples of what the model will be given, for int8: pictures, or texts, one on each line of
    /// a `.txt` or `.tsv` file.
    package var calibration: String?
    /// Told what is being done, where that takes long.
    package var progress: @Sendable (String) -> Void = { _ in }
    /// Whether a model folder that is there already is replaced.
    package var replaces = false
    package var threads = 1

    package init(_ target: QuantizationTarget) { self.target = target }
  }

  /// Files of shards are merged into one up to so many bytes.
  private static let mergeLimit = 5_000_000_000

  private let folder: ModelFolder
  private let options: Options

  package init(_ folder: ModelFolder, _ options: Options) {
    self.folder = folder
    self.options = options
  }

  /// - Throws: ``ApusError`` of kind `argument` when something is there that is to stay.
  package func checkPlace(_ output: String) throws(ApusError) {
    try OutputPlace(output, besides: folder.path).check(replaces: options.replaces)
  }

  /// - Parameter output: the new folder.
  /// - Throws: ``ApusError`` of kind `argument` when the output is there already; else what is wrong with the model.
  package func write(to output: String) throws(ApusError) -> QuantizationReport {
    guard !folder.isInside else {
      throw ApusError(
        .argument, "the model of this folder is in \(folder.path)", expected: "the folder of a model",
        file: folder.outer.path,
        advice: "Quantize that folder, and put the result in its place in a copy of this.")
    }
    try checkPlace(output)
    let weights = try folder.weights()
    let roles = try roles(weights)
    try LayerPatterns(options.kept).requireMatches(among: weights.names)
    let files = try FolderFiles(in: folder.path)
    var report = QuantizationReport(input: folder.path, output: output, target: options.target)
    report.mixture = options.mixture
    let groupSize =
      options.target == .int4
      ? options.groupSize
        ?? GroupSizeChoice.fewestBytes(weights, roles, kept: LayerPatterns(options.kept))
        ?? Options.usualGroupSize : nil
    report.groupSize = groupSize
    let candidate: FolderCandidate
    if let path = options.calibration {
      guard options.target == .int8 else {
        throw ApusError(.argument, "samples for \(options.target.rawValue) weights", expected: "int8")
      }
      let search = try TreatmentSearch(
        folder, weights, CalibrationFolder(path), threads: options.threads, report: options.progress)
      (candidate, report.calibration) = try search.best { (treatment) throws(ApusError) in
        try self.candidate(treatment, output, weights, roles, files, groupSize)
      }
    } else {
      candidate = try self.candidate(ChannelTreatment(), output, weights, roles, files, groupSize)
    }
    try weights.checkUndamaged()
    for item in candidate.conversion.items {
      report.rows.append(try row(item, candidate.conversion, groupSize))
    }
    report.copied = files.copied.filter { !candidate.isConfigured || $0 != CompressedConfiguration.file }
    report.configuration = candidate.isConfigured ? CompressedConfiguration.file : nil
    report.hasUnstatedIntegers =
      !candidate.isConfigured && candidate.conversion.items.contains(where: \.isInteger)
    let read = Set((weights.paths + [weights.path]).map { ExactText($0) })
    report.leftOut = files.leftOut.filter { !read.contains("\(folder.path)/\($0)") }
    report.fileBytesBefore = weights.paths.reduce(0) { $0 + Self.byteCount($1) }
    report.fileBytesAfter = candidate.files.reduce(0) {
      $0 + Self.byteCount("\(candidate.folder.path)/\($1)")
    }
    try writeCard(of: &report, to: candidate.folder)
    try candidate.folder.commit()
    return report
  }

  private func writeCard(of report: inout QuantizationReport, to target: NewFolder) throws(ApusError) {
    report.card = FolderFiles.card
    let name = FileName.last(of: report.output)
    // Weights of any architecture become f16 or bf16, whether Apus runs it or not.
    let model = try? OpenedModel(folder)
    let card = ModelCard(
      report: report, source: folder.isRepository ? folder.name : FileName.last(of: folder.path),
      repository: folder.isRepository ? folder.name : nil, samples: options.calibration,
      facts: CardFacts(ofCard: "\(folder.path)/\(FolderFiles.card)"),
      command: model.map { ModelCard.command(for: $0, named: name, options.target) } ?? "apus inspect \(name)"
    )
    let file = try NewFile(replacing: "\(target.path)/\(FolderFiles.card)")
    try file.write(Array(FileName.readable(card.text).utf8))
    try file.commit()
  }

  /// The folder in one of the forms that it can be given, not under its name yet.
  private func candidate(
    _ treatment: ChannelTreatment, _ output: String, _ weights: SafetensorsCollection, _ roles: WeightRoles?,
    _ files: FolderFiles, _ groupSize: Int?
  ) throws(ApusError) -> FolderCandidate {
    let groupSize = groupSize ?? Options.usualGroupSize
    let conversion = try WeightConversion(
      weights, roles, options.target, treatment, groupSize: groupSize, threads: options.threads,
      kept: LayerPatterns(options.kept))
    if options.target == .int4, !conversion.items.contains(where: { $0.groups != nil }) {
      let kept = LayerPatterns(options.kept)
      throw GroupSizeChoice.refusal(of: groupSize, weights, roles, kept: kept).inFile(folder.path)
    }
    let target = try NewFolder(replacing: output)
    try files.copy(from: folder.path, to: target)
    let isConfigured = try configure(target, conversion)
    guard isConfigured || options.target != .int4 else {
      throw ApusError(
        .unsupportedModel, "int4 weights without a config.json of transformers to say so", expected: "int8",
        file: folder.path)
    }
    let names = try WeightFiles(weights, conversion, options.target, mergeLimit: Self.mergeLimit)
      .write(to: target)
    return FolderCandidate(folder: target, conversion: conversion, files: names, isConfigured: isConfigured)
  }

  /// Writes the form of the weights into the configuration, where that is one of transformers.
  /// - Returns: whether it was.
  private func configure(_ target: NewFolder, _ conversion: WeightConversion) throws(ApusError) -> Bool {
    guard let path = folder.file(CompressedConfiguration.file),
      let configuration = CompressedConfiguration(conversion.items),
      let bytes = configuration.added(
        to: try FileBytes.read(path, limit: ModelFolder.maximumConfigurationByteCount))
    else { return false }
    let file = try NewFile(replacing: "\(target.path)/\(CompressedConfiguration.file)")
    try file.write(bytes)
    try file.commit()
    return true
  }

  /// The roles of tensors, needed for integers only; the architecture must be known.
  private func roles(_ weights: SafetensorsCollection) throws(ApusError) -> WeightRoles? {
    let integers = weights.names.first { weights[$0]?.type == .int8 && weights.contains($0 + "_scale") }
    let packed = weights.names.first { $0.hasSuffix("_packed") && weights[$0]?.type == .int32 }
    if let name = integers ?? packed {
      throw ApusError(
        .argument, integers == nil ? "is packed already" : "is int8 already",
        expected: "a model of float weights", at: "tensor '\(name.clipped)'", file: weights.path(of: name))
    }
    guard options.target == .int8 || options.target == .int4 else { return nil }
    let architecture = try ModelArchitecture.load(folder, weights)
    do {
      return try WeightRoles(architecture, weights)
    } catch {
      throw error.inFile(folder.path)
    }
  }

  private func row(
    _ item: WeightConversion.Item, _ conversion: WeightConversion, _ groupSize: Int?
  ) throws(ApusError) -> QuantizationReport.Row {
    let types = try conversion.types(item).map(\.type)
    return QuantizationReport.Row(
      name: item.entry.name, role: item.role.rawValue, shape: item.entry.shape,
      from: try item.entry.tensorType.dataType.rawValue,
      to: item.groups == nil ? types.first?.dataType.rawValue ?? "" : options.target.rawValue,
      bytesBefore: item.entry.bytes.count, bytesAfter: types.reduce(0) { $0 + $1.byteCount },
      error: item.error, clipping: item.rows?.clipping, reason: item.plan.reason,
      integerBytes: item.integerByteCount(
        options.target, groupSize: groupSize ?? Options.usualGroupSize))
  }

  private static func byteCount(_ path: String) -> Int { FileSystem.version(of: path)?.byteCount ?? 0 }
}
