import CLibrary
import Kernels
import Statistics
import TensorCore

/// Makes the report of what was counted.
struct ReportWriter {
  let comparison: Comparison
  let tally: ComparisonTally
  let layers: [LayerReport]
  /// When the comparison began.
  let date: String
  /// The share of the machine's processors that others used.
  let otherLoad: Double?

  /// Thresholds for "uncertain" that are tried.
  static let thresholds = stride(from: 0, through: 95, by: 5).map { Double($0) / 100 } + [0.99]

  func report() throws(ApusError) -> ComparisonReport {
    let likeness = CopySearch.groups(tally.likenesses)
    let groups = groups(likeness)
    let certainty = CertaintyWriter(
      tally, comparison.entries.map(\.model.certaintyRule), groups: groups?.members)
    let models = comparison.entries.indices.map { index in
      var model = model(index, groups?.members)
      model.certainty = certainty?.report(of: index)
      return model
    }
    let family = PairFamily(tally, groups: groups?.members, hasTop5: hasTop5)
    var findings =
      comparison.options.looksForCulprits
      ? try CulpritSearch(comparison, tally, family, layers: layers).findings() : CulpritSearch.Findings()
    let classes = ClassCulprits(comparison.space, tally)
    findings.culprits = models.indices.dropFirst().flatMap(classes.culprits) + findings.culprits
    return ComparisonReport(
      task: comparison.task, data: data(groups, CopyReport(groups: likeness)), models: models,
      pairs: models.indices.dropFirst().map {
        PairWriter(
          tally, models, other: $0, family, margin: comparison.options.margin, findings,
          hasLayers: !layers.isEmpty, certainty: certainty?.change(of: $0)
        ).report
      },
      culprits: findings.culprits, layers: layers, provenance: provenance,
      furtherPairs: family.furtherPairs(models))
  }

  private var hasTop5: Bool { comparison.space.names.count > 5 }

  /// Which samples go together, as the file of groups or their likeness says.
  private func groups(_ likeness: [Int]) -> GroupReport? {
    switch comparison.options.groups {
    case nil: return nil
    case .copies: return GroupReport(source: GroupReport.found, members: likeness)
    case .file(let path):
      var numbers: [ExactText: Int] = [:]
      let members = tally.items.map { item in
        let name = ExactText(item.group ?? "")
        let number = numbers[name] ?? numbers.count
        numbers[name] = number
        return number
      }
      return GroupReport(source: path, members: members)
    }
  }

  private func data(_ groups: GroupReport?, _ copies: CopyReport?) -> DataReport {
    let isAnswerMissing = tally.models.contains { $0.answers.contains($0.noAnswer) }
    return DataReport(
      path: comparison.data.path, form: comparison.data.form.rawValue,
      samples: zip(tally.items, tally.truths).map { SampleReport(content: $0.content, label: $1) },
      classes: comparison.space.names + (isAnswerMissing ? ["no answer"] : []),
      isLabelled: tally.isLabelled, matching: comparison.matching?.method,
      available: comparison.data.items.count,
      skipped: tally.skipped, groups: groups, copies: copies,
      transparency: comparison.options.transparency)
  }

  private func model(_ index: Int, _ groups: [Int]?) -> ModelReport {
    let (entry, counted) = (comparison.entries[index], tally.models[index])
    let isRight = tally.isLabelled ? tally.isRight(index) : []
    let sweep = Self.thresholds.map { threshold in
      let certain = counted.confidences.indices.filter { Double(counted.confidences[$0]) >= threshold }
      return ThresholdPoint(
        threshold: threshold, certain: certain.count,
        right: certain.count { isRight.isEmpty ? false : isRight[$0] },
        count: counted.confidences.count)
    }
    return ModelReport(
      name: entry.specification.name, letter: Self.letter(index), path: entry.model.path,
      kind: entry.description, computation: entry.model.computation, classCount: entry.model.classCount,
      preprocessing: preprocessing(entry.model),
      cost: cost(entry, counted), accuracy: tally.isLabelled ? accuracy(index, isRight, groups) : nil,
      sweep: sweep,
      confidences: counted.confidences, answers: counted.answers, hasAnswers: counted.hasAnswers)
  }

  /// Behind what is the model's own, what all are given.
  private func preprocessing(_ model: any ComparedModel) -> String {
    let transparency = comparison.options.transparency
    return model.preprocessing + (transparency == .ignored ? "" : ", transparency over \(transparency)")
  }

  private func cost(_ entry: ModelEntry, _ counted: ModelTally) -> CostReport {
    let sorted = counted.runs.sorted()
    let mean = counted.runs.mean + counted.preparations.mean
    return CostReport(
      byteCount: entry.kind.byteCount, memoryByteCount: entry.model.memory.total,
      workspaceByteCount: counted.workspaceByteCount, loadMilliseconds: entry.model.loadMilliseconds,
      runMilliseconds: counted.runs, median: sorted.quantileOfSorted(0.5), p95: sorted.quantileOfSorted(0.95),
      preparationMedian: counted.preparations.quantile(0.5), throughput: mean > 0 ? 1000 / mean : 0)
  }

  private func accuracy(_ index: Int, _ isRight: [Bool], _ groups: [Int]?) -> AccuracyReport {
    let counted = tally.models[index]
    let truths = tally.truths.compactMap(\.self)
    // A model without one answer has no confidence that could be right or wrong.
    let confidences = counted.hasAnswers ? counted.confidences.map(Double.init) : []
    let matrix = ConfusionMatrix(truths: truths, answers: counted.answers)
    let cells = matrix.counts.sorted { $0.key < $1.key }
    return AccuracyReport(
      top1: rate(isRight, groups),
      top5: hasTop5 ? rate(tally.isWithin(5, index), groups) : nil, macroF1: matrix.macroF1,
      classes: matrix.metrics.map { ClassReport(label: $0.label, metrics: $0.metrics) },
      confusion: cells.map { Confusion(truth: $0.key.truth, answer: $0.key.answer, count: $0.value) },
      calibration: Calibration(confidences: confidences, isRight: isRight),
      macroF1Interval: resampled(
        ResampledMacroF1(truths: truths, answers: counted.answers).callAsFunction, groups),
      calibrationError: CalibrationError(
        confidences: confidences, isRight: isRight, groups: groups, draws: comparison.options.resamples,
        seed: comparison.options.seed))
  }

  private func resampled(_ statistic: ([Int]) -> Double, _ groups: [Int]?) -> Interval? {
    Bootstrap.interval(
      of: tally.items.count, groups: groups, resamples: comparison.options.resamples,
      seed: comparison.options.seed,
      statistic: statistic)
  }

  private func rate(_ isRight: [Bool], _ groups: [Int]?) -> Proportion {
    Proportion(
      isRight.count(where: \.self), of: isRight.count,
      designEffect: PairFamily.designEffect(isRight.map { $0 ? 1 : 0 }, groups))
  }

  private var provenance: Provenance {
    let options = comparison.options
    return Provenance(
      date: date, arguments: options.arguments, seed: options.seed, resamples: options.resamples,
      limit: options.limit, threads: min(options.threads ?? HostLimits.threads, HostLimits.threads),
      processor: ProcessorFeatures.host.model, kernelSet: KernelSet.best.name,
      isOptimized: ApusVersion.isOptimized,
      versions: HostVersions.all, otherLoad: otherLoad)
  }

  /// `A`, `B`, … `Z`, `A1`, ….
  static func letter(_ index: Int) -> String {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    return "\(letters[index % letters.count])\(index < letters.count ? "" : "\(index / letters.count)")"
  }
}
