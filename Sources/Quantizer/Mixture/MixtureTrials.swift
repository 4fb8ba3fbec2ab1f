import TensorCore

/// Mixtures of a model that are written to be measured.
struct MixtureTrials {
  struct Trial {
    /// The layers that are kept beside those that the caller keeps.
    let kept: [String]
    let path: String
    let byteCount: Int
    /// The layers that are int8.
    let layers: [String]
  }

  private let folder: NewFolder
  private let model: String
  private var options: ModelQuantizer.Options
  private let isFile: Bool
  private var known: [[String]: Trial] = [:]
  private var count = 0

  /// - Parameter folder: takes the files, and goes away with them.
  init(_ folder: NewFolder, _ model: String, _ options: ModelQuantizer.Options, isFile: Bool) {
    self.folder = folder
    self.model = model
    self.options = options
    self.isFile = isFile
    self.options.progress = { _ in }
    self.options.memory = ObservationMemory()
  }

  /// The mixture that keeps some layers.
  mutating func trial(keeping kept: [String]) throws(ApusError) -> Trial {
    if let known = known[kept] { return known }
    var options = options
    options.kept += kept.map(LayerPatterns.pattern)
    count += 1
    let path = "\(folder.path)/\(count)\(isFile ? ".tflite" : "")"
    let report = try ModelQuantizer(model, options).write(to: path)
    // What was found to be best for all layers is not looked for again.
    if kept.isEmpty, let method = report.calibration?.method {
      self.options.methods = RangeMethod.allCases.first { method.hasPrefix($0.rawValue) }.map { [$0] }
    }
    let trial = Trial(
      kept: kept, path: path, byteCount: report.fileBytesAfter,
      layers: report.rows.filter { $0.to == "int8" && $0.error != nil }.map(\.name))
    known[kept] = trial
    return trial
  }

  /// Removes the files of a mixture that is not asked for again.
  mutating func remove(_ trial: Trial) {
    known[trial.kept] = nil
    if isFile { FileSystem.removeFile(trial.path) } else { FileSystem.remove(trial.path) }
  }
}
