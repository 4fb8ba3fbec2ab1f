import Evaluation
import Statistics
import TensorCore

/// Labelled samples in two parts: those that layers are chosen by, and those that judge the choice.
struct MixtureSamples {
  /// A third, of all classes alike.
  private(set) var choosing: [DataSet.Item] = []
  private(set) var judging: [DataSet.Item] = []
  /// Samples of neither part.
  private(set) var calibrated = 0

  /// The chance of an error that all judgements have together.
  private static let level = 0.05

  /// - Parameters:
  ///   - calibration: what the model is calibrated on, which takes no part.
  ///   - margin: the loss that is to be told from none.
  /// - Throws: ``ApusError`` of kind `argument` for samples without labels, or too few to show anything.
  init(_ data: DataSet, without calibration: CalibrationFolder?, margin: Double) throws(ApusError) {
    guard data.isLabelled, !data.items.isEmpty else {
      throw ApusError(
        .argument, "samples without labels", expected: "a folder for each class, or a list with labels",
        file: data.path)
    }
    let known = try Self.contents(calibration, areTexts: data.form == .textList)
    let byClass = data.items.enumerated().sorted {
      ($0.element.label ?? "", $0.offset) < ($1.element.label ?? "", $1.offset)
    }
    let items = byClass.map(\.element).filter { !known.contains(Self.content($0.content)) }
    calibrated = data.items.count - items.count
    for (place, item) in items.enumerated() {
      if place % 3 == 0 { choosing.append(item) } else { judging.append(item) }
    }
    let needed = Self.leastCount(margin)
    guard judging.count >= needed, !choosing.isEmpty else {
      throw ApusError(
        .argument, "\(judging.count.counted("sample")) to judge by", expected: "\(needed) or more",
        file: data.path,
        advice:
          "With fewer, not even an unchanged model is shown to lose at most \(margin * 100) points. A third of the "
          + "samples goes to the choice of layers, and those that are calibrated on do not count.")
    }
  }

  /// The confidence of a judgement, the first being 0.
  static func confidence(ofJudgement index: Int) -> Double {
    1 - (0..<index).reduce(level / 2) { left, _ in left / 2 }
  }

  /// The least number of samples that could show a model of the same answers to be within the margin.
  private static func leastCount(_ margin: Double) -> Int {
    // Tango's interval of no changed answer ends at −z² / (n + z²).
    let reach = NormalDistribution.reach(confidence(ofJudgement: 0))
    return Int((reach * reach * (1 / margin - 1)).rounded(.down)) + 1
  }

  private static func contents(
    _ folder: CalibrationFolder?, areTexts: Bool
  ) throws(ApusError) -> Set<SampleReport.Content> {
    guard let folder else { return [] }
    if areTexts { return Set(try folder.texts().map(SampleReport.Content.text)) }
    let pictures = folder.pictures.map { content(.picture("\(folder.path)/\($0)")) }
    return Set(pictures)
  }

  /// A picture by the path that it has without links.
  private static func content(_ content: SampleReport.Content) -> SampleReport.Content {
    guard case .picture(let path) = content else { return content }
    return .picture(FileSystem.resolved(path) ?? path)
  }
}
