import HTMLReport
import Apus
import Images
import Kernels
import Networks
import Statistics
import TensorCore

/// Runs two or more models on the same samples and says how they differ.
///
/// Each sample is read once and run through all models, one after the other, in an order that changes from sample to
/// sample. Of the scores only what the report needs is kept: memory grows by about a hundred bytes for each sample
/// and model, whatever the number of classes, and by a thousand for each picture, by which copies are known.
public struct Comparison: Sendable {
  let options: Options
  package let data: DataSet
  let entries: [ModelEntry]
  let space: ClassSpace
  let matching: LabelMatching?
  /// The samples to run.
  private(set) var items: [DataSet.Item]
  private let start = ReportDate.now

  /// Loads the models and finds out which label means which class.
  /// - Throws: ``ApusError``: `argument` for fewer than two models or models of other things, and whatever is wrong
  ///   with a model, the data or the labels.
  public init(_ options: Options) throws(ApusError) {
    guard options.models.count >= 2 else {
      throw ApusError(.argument, options.models.count.counted("model"), expected: "at least two to compare")
    }
    let specifications = options.models.map(ModelSpecification.init)
    var kinds: [ModelKind] = []
    for specification in specifications { kinds.append(try ModelKind(specification)) }
    let areTexts = try Self.areTexts(kinds, options.models)
    try Self.checkUse(of: options, kinds, areTexts: areTexts)
    var data = try DataSet(options.data, kind: areTexts ? .texts : .pictures, classes: options.classes)
    if case .file(let path) = options.groups {
      data = try data.grouped(by: SampleGroups(contentsOf: path))
    }
    var random = SplitMix64(seed: options.seed)
    items = options.limit.map { random.sample($0, of: data.items) } ?? data.items
    self.options = options
    self.data = data

    let loading = Self.loading(options, data)
    let sample = try Self.firstReadable(items, transparency: options.transparency)
    var entries: [ModelEntry] = []
    for (specification, kind) in zip(specifications, kinds) {
      entries.append(try ModelEntry(specification, kind, loading, sample: sample))
    }
    self.entries = entries
    let classes = entries.map { entry in
      ClassSpace.Classes(
        model: entry.specification.name, count: entry.model.classCount, names: entry.model.classNames,
        isFromData: entry.kind.task == .zeroShot && options.labels == nil)
    }
    let numbering = data.form == .folderPerClass ? data.labels : nil
    let space = try ClassSpace(classes, table: data.table, dataLabels: numbering)
    self.space = space
    matching = data.isLabelled ? try LabelMatching(data.labels, in: space, table: data.table) : nil
  }

  private static func areTexts(_ kinds: [ModelKind], _ names: [String]) throws(ApusError) -> Bool {
    let texts = zip(names, kinds).filter { $0.1.task == .textClassification }
    guard texts.isEmpty || texts.count == kinds.count else {
      let other = zip(names, kinds).first { $0.1.task != .textClassification }?.0 ?? ""
      throw ApusError(
        .argument, "\(texts[0].0) is for texts and \(other) for pictures",
        expected: "models for the same things")
    }
    return !texts.isEmpty
  }

  /// - Throws: ``ApusError`` of kind `argument` for options that none of the models heeds.
  private static func checkUse(
    of options: Options, _ kinds: [ModelKind], areTexts: Bool
  ) throws(ApusError) {
    if !options.templates.isEmpty, !kinds.contains(where: { $0.task == .zeroShot }) {
      throw ApusError(
        .argument, "\(Setting.templates) for models whose classes are their own",
        expected: "a model with two towers")
    }
    guard areTexts else { return }
    for (setting, isGiven) in [
      (Setting.preprocessing, options.profile != nil), (.normalization, options.normalization != nil),
      (.transparency, options.transparency != .ignored),
    ] where isGiven {
      throw ApusError(.argument, "\(setting) for what takes no pictures", expected: "models of pictures")
    }
  }

  private static func loading(_ options: Options, _ data: DataSet) -> ModelLoading {
    ModelLoading(
      threads: options.threads, labels: options.labels, dataLabels: data.classNames,
      templates: options.templates,
      profile: options.profile, normalization: options.normalization)
  }

  /// The first sample that can be read.
  /// - Throws: the first sample's error when none can.
  private static func firstReadable(
    _ items: [DataSet.Item], transparency: ImageOptions.Transparency
  ) throws(ApusError) -> Sample {
    var failure = ApusError(.argument, "no samples", expected: "at least one")
    for (index, item) in items.enumerated() {
      do throws(ApusError) {
        return try Sample(item.content, transparency: transparency)
      } catch {
        if index == 0 { failure = error }
      }
    }
    throw failure
  }

  /// The same on some of its samples.
  package func restricted(to items: [DataSet.Item]) -> Comparison {
    var comparison = self
    comparison.items = items
    return comparison
  }

  /// Samples that ``run(progress:)`` reads.
  public var sampleCount: Int { items.count }

  /// Which files beside the models were passed over, and why, each with the model's name. A file beside several forms of a
  /// model is named for each, and once for a model that is compared with itself.
  public var notes: [String] {
    var notes: [String] = []
    for entry in entries {
      for note in entry.model.notes.map({ "\(entry.specification.name): \($0)" }) where !notes.contains(note)
      {
        notes.append(note)
      }
    }
    return notes
  }

  /// The same of each model by itself, without its name.
  package var notesByModel: [[String]] { entries.map { $0.model.notes } }

  /// What the models do.
  var task: ModelTask {
    if entries.contains(where: { $0.kind.task == .textClassification }) { return .textClassification }
    return entries.allSatisfy { $0.kind.task == .zeroShot } ? .zeroShot : .imageClassification
  }

  /// Runs all samples.
  /// - Parameter progress: called after each sample with how many are done, and how many there are.
  /// - Throws: ``ApusError`` of kind `cancelled`; of kind `file` when no sample could be answered.
  public func run(progress: (_ done: Int, _ total: Int) -> Void = { _, _ in }) throws(ApusError)
    -> ComparisonReport
  {
    let layers = try options.layerSamples.map { (count) throws(ApusError) in
      try LayerRun(comparison: self, sampleCount: count, findsDivergence: options.findsDivergence).reports()
    }
    let load = MachineLoad()
    var tally = ComparisonTally(modelCount: entries.count, classCount: space.names.count)
    for (index, item) in items.enumerated() {
      do throws(ApusError) {
        try answer(item, turn: index, into: &tally)
      } catch {
        if error.kind == .cancelled { throw error }
        tally.skip(SkippedSample(name: item.name, reason: "\(error)"))
      }
      progress(index + 1, items.count)
    }
    guard !tally.items.isEmpty else {
      throw ApusError(
        .file, "no sample could be answered", file: options.data, advice: tally.skipped.first?.reason)
    }
    try repeatRuns(&tally)
    let otherLoad = load.flatMap { MachineLoad()?.share(since: $0) }
    return try ReportWriter(
      comparison: self, tally: tally, layers: layers ?? [], date: start, otherLoad: otherLoad
    ).report()
  }

  /// A sample as the models are given it.
  func sample(_ item: DataSet.Item) throws(ApusError) -> Sample {
    try Sample(item.content, transparency: options.transparency)
  }

  private func answer(
    _ item: DataSet.Item, turn: Int, into tally: inout ComparisonTally
  ) throws(ApusError) {
    let sample = try sample(item)
    var answers = [ComparisonTally.Answer?](repeating: nil, count: entries.count)
    for index in RunOrder.models(entries.count, turn: turn) {
      let model = entries[index].model
      let outputs = try naming(item.name) { () throws(ApusError) in
        try model.outputs(for: sample, preparedBy: nil)
      }
      let own =
        outputs.values.allSatisfy { !$0.isNaN && $0 != .infinity }
        ? try model.scores(of: outputs) : nil
      answers[index] = ComparisonTally.Answer(
        outputs: outputs, own: own, scores: space.scores(own ?? [], of: index),
        meaning: model.meaning, reason: own.flatMap { model.reason($0, outputs) })
    }
    tally.add(
      item, answers.compactMap(\.self), truth: item.label.flatMap { matching?.classes[ExactText($0)] },
      likeness: SampleLikeness(sample))
  }

  /// Runs the samples again where they are few, so that a time is not that of one run.
  private func repeatRuns(_ tally: inout ComparisonTally) throws(ApusError) {
    let rounds = RunOrder.repeats(samples: tally.items.count)
    guard rounds > 0 else { return }
    for (position, item) in tally.items.enumerated() {
      let sample = try sample(item)
      var times = [[Double]](repeating: [], count: entries.count)
      for round in 1...rounds {
        for index in RunOrder.models(entries.count, turn: position + round) {
          times[index].append(try entries[index].model.outputs(for: sample, preparedBy: nil).run)
        }
      }
      for index in entries.indices {
        tally.add(repeats: times[index], ofSample: position, model: index)
      }
    }
  }
}

extension DataSet.Item {
  /// The path or the text.
  package var name: String { SampleReport(content: content, label: nil).name }
}
