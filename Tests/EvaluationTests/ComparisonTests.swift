import Apus
import Evaluation
import Statistics
import TestSupport
import Testing

/// A report says what the models answered.
@Suite struct ComparisonTests {
  private let folder: TemporaryFolder
  private let pictures: String
  private let sound: String
  /// Takes what is yellow for white.
  private let blind: String

  init() throws {
    folder = try TemporaryFolder()
    pictures = try ColourClassifier.writePictures(4, in: folder)
    sound = try folder.write("sound.tflite", ColourClassifier().bytes)
    blind = try folder.write("blind.tflite", ColourClassifier(order: [0, 1, 2, 3, 4, 5, 6, 8, 7]).bytes)
  }

  private func options(_ models: [String], data: String? = nil) -> Comparison.Options {
    var options = Comparison.Options(models: models, data: data ?? pictures)
    options.looksForCulprits = false
    options.resamples = 200
    return options
  }

  @Test func figuresFollowFromTheAnswers() throws {
    let report = try Comparison(options([sound, blind])).run()
    #expect(report.data.samples.count == 36 && report.data.classes == ColourClassifier.colours.map(\.name))
    #expect(report.data.matching?.contains("order of the folders") == true)
    let (a, b) = (report.models[0], report.models[1])
    #expect(a.accuracy?.top1 == Proportion(36, of: 36))
    #expect(b.accuracy?.top1 == Proportion(28, of: 36))
    #expect(b.accuracy?.top5?.successes == 36)
    #expect(b.accuracy?.classes.filter { $0.metrics.hits == 0 }.map(\.label) == [7, 8])
    #expect(
      b.accuracy?.confusion.filter { $0.truth != $0.answer } == [
        Confusion(truth: 7, answer: 8, count: 4), Confusion(truth: 8, answer: 7, count: 4),
      ])
    #expect(b.sweep.first?.coverage == 1)
    #expect(b.sweep.first?.precision == 28.0 / 36)
    let pair = try #require(report.pairs.first)
    #expect(pair.agreement == Proportion(28, of: 36))
    #expect(pair.flips.count == 8 && pair.flips.allSatisfy { $0.kind == .becameWrong })
    #expect(pair.flips.first.map { report.data.samples[$0.sample].name.contains("white") } == true)
    #expect(pair.accuracy?.onlyBaselineRight == 8 && pair.accuracy?.onlyOtherRight == 0)
    #expect(abs((pair.accuracy?.pValue ?? 0) - 0.004677734981047266) < 1e-12)
    #expect(pair.accuracy?.isSignificant == true)
    #expect(pair.accuracy?.interval.contains(-8.0 / 36) == true)
    #expect(pair.classes.prefix(2).map(\.recallChange) == [-1, -1])
    #expect(pair.verdict.contains("the difference is -22.2 points"))
    #expect(pair.divergence.greatest > 1 && pair.cosine.least < 0.9)
  }

  /// The model with its classes in an order, beside names for them; `cranes` are called alike.
  private func named(
    _ folder: String, _ order: [Int], cranes: Set<Int> = [], _ rename: [String: String] = [:]
  ) throws -> String {
    let names = order.map { ColourClassifier.colours[$0].name }
    let labels = zip(order, names).map { cranes.contains($0) ? "crane" : rename[$1] ?? $1 }
    try self.folder.write("\(folder)/labels.txt", labels.joined(separator: "\n"))
    return try self.folder.write("\(folder)/model.tflite", ColourClassifier(order: order).bytes)
  }

  /// The pictures with the indices of their classes, four of each.
  private func indexed() throws -> String {
    let rows = ColourClassifier.colours.enumerated().flatMap { index, colour in
      (0..<4).map { "pictures/\(colour.name)/\($0).png,\(index)\n" }
    }
    return try folder.write("indexed.csv", "path,label\n" + rows.joined())
  }

  @Test func classesOfOneNameInAnotherOrderAreTheSame() throws {
    let (a, b) = (
      try named("a", Array(0..<9), cranes: [3, 7]),
      try named("b", [1, 2, 3, 4, 5, 6, 7, 8, 0], cranes: [3, 7])
    )
    let report = try Comparison(options([a, b], data: try indexed())).run()
    #expect(report.pairs[0].agreement == Proportion(36, of: 36) && report.culprits == [])
    #expect(report.models[1].accuracy?.top1.value == 1)
  }

  /// Where the order of two classes of one name is another, nothing but their samples shows it.
  @Test func anOrderThatCannotBeKnownIsSaid() throws {
    let (a, b) = (
      try named("a", Array(0..<9), cranes: [3, 7]),
      try named("b", [1, 2, 7, 4, 5, 6, 3, 8, 0], cranes: [3, 7])
    )
    let report = try Comparison(options([a, b], data: try indexed())).run()
    let culprit = try #require(report.culprits.first)
    #expect(report.culprits.count == 1 && culprit.kind == .classNames && culprit.certainty == .suspected)
    #expect(culprit.model == 1 && culprit.statement.contains("called 'crane'"))
    #expect(culprit.statement.contains("8 of the 36 samples"))
    #expect(culprit.statement.contains("of the others B is right for 100.0 %, A for 100.0 %"))
  }

  @Test(arguments: [true, false])
  func classesWithoutACounterpartAreNamed(_ isLabelled: Bool) throws {
    let (a, b) = (try named("a", Array(0..<9)), try named("b", Array(0..<9), ["red": "crimson"]))
    let list = try folder.write(
      "list.txt", (0..<9).map { "pictures/\(ColourClassifier.colours[$0].name)/0.png\n" }.joined())
    let report = try Comparison(options([a, b], data: isLabelled ? try indexed() : list)).run()
    let culprit = try #require(report.culprits.first)
    #expect(culprit.kind == .classNames && culprit.certainty == .found && culprit.model == 1)
    #expect(culprit.statement.contains("'red' of A, or 'crimson' of B"))
    #expect(culprit.statement.contains(isLabelled ? "4 of the 36 samples" : "1 of the 9 samples"))
    #expect(culprit.statement.contains(isLabelled ? "A for 100.0 %" : "B and A agree for 100.0 %"))
    #expect(report.pairs[0].advice == nil)
  }

  @Test func anotherOrderOfTheModelsTurnsTheSigns() throws {
    let report = try Comparison(options([blind, sound])).run()
    #expect(report.pairs[0].accuracy?.difference == 8.0 / 36)
    #expect(report.pairs[0].flips.allSatisfy { $0.kind == .becameRight })
  }

  @Test func aModelIsLikeItself() throws {
    let report = try Comparison(options([sound, sound, sound])).run()
    #expect(report.pairs.count == 2 && report.models.map(\.letter) == ["A", "B", "C"])
    for pair in report.pairs {
      #expect(pair.agreement.value == 1 && pair.kappa == 1 && pair.flips == [])
      #expect(pair.divergence.greatest == 0 && abs(pair.cosine.least - 1) < 1e-12)
      #expect(pair.accuracy?.pValue == 1 && pair.accuracy?.interval.contains(0.09) == true)
      #expect(pair.verdict.contains("the same answer"))
    }
  }

  @Test func theSameSeedGivesTheSameSamplesAndIntervals() throws {
    func run(_ seed: UInt64) throws -> ComparisonReport {
      var options = options([sound, blind])
      options.limit = 20
      options.seed = seed
      return try Comparison(options).run()
    }
    let (first, again, other) = (try run(4), try run(4), try run(5))
    #expect(first.data.samples == again.data.samples && first.data.samples != other.data.samples)
    #expect(first.data.samples.count == 20 && first.data.available == 36)
    #expect(first.pairs[0].accuracy == again.pairs[0].accuracy)
    #expect(first.models[1].confidences == again.models[1].confidences)
    #expect(first.provenance.seed == 4 && first.provenance.limit == 20)
  }

  @Test func allPairsAreComparedAndCorrectedForTheirNumber() throws {
    let report = try Comparison(options([sound, blind, sound])).run()
    #expect(report.pairs.map(\.other) == [1, 2])
    #expect(report.furtherPairs.map { [$0.first, $0.second] } == [[1, 2]])
    let further = try #require(report.furtherPairs.first)
    #expect(further.agreement.successes == 28 && further.accuracy?.difference == 8.0 / 36)
    // What B lost against A, C has again.
    #expect(further.flips.map(\.sample) == report.pairs[0].flips.map(\.sample) && further.flips.count == 8)
    #expect(further.flips.allSatisfy { $0.kind == .becameRight && $0.baseline.label != $0.other.label })
    #expect(report.pairs[0].flips.map(\.other) == further.flips.map(\.baseline))
    #expect(further.speed != nil)
    for accuracy in report.pairs.map(\.accuracy) + [further.accuracy] { #expect(accuracy?.comparisons == 3) }
    // Of 0.0046777 twice and 1, Holm's procedure makes 3 times the smallest, and no less of the next, held to 5 % / 2.
    #expect(abs((further.accuracy?.pValue ?? 0) - 3 * 0.004677734981047266) < 1e-12)
    #expect(further.verdict.contains("97.5 % interval") && further.verdict.contains("corrected for 3 pairs"))
  }

  @Test func aMarginIsHeldAgainstTheInterval() throws {
    var options = options([sound, blind])
    options.margin = 0.4
    let within = try Comparison(options).run().pairs[0]
    #expect(within.margin?.outcome == .within)
    #expect(within.marginSentence?.hasPrefix("Within the margin of 40 points: B loses at most 3") == true)
    options.margin = 0.05
    let beyond = try Comparison(options).run().pairs[0]
    #expect(beyond.margin?.outcome == .beyond)
    #expect(beyond.marginSentence?.hasPrefix("Beyond the margin of 5 points: B loses at least") == true)
    options.margin = 0.2
    let open = try Comparison(options).run().pairs[0]
    #expect(open.margin?.outcome == .open && (open.margin?.furtherSamples ?? 0) > 100)
    #expect(open.marginSentence?.contains("more samples would probably tell") == true)
    options.margin = nil
    #expect(try Comparison(options).run().pairs[0].margin == nil)
  }

  /// Groups of the samples of a class: the four white and the four yellow pictures that are lost count as two.
  @Test func groupsMakeIntervalsWider() throws {
    var rows = ""
    for colour in ColourClassifier.colours {
      for index in 0..<4 { rows += "\(colour.name)/\(index).png,\(colour.name)\n" }
    }
    var options = options([sound, blind])
    let alone = try Comparison(options).run()
    options.groups = .file(try folder.write("groups.csv", rows))
    let grouped = try Comparison(options).run()
    #expect(alone.data.groups == nil && grouped.data.groups?.count == 9)
    #expect(
      grouped.pairs[0].accuracy?.designEffect == 4 && grouped.models[1].accuracy?.top1.designEffect == 4)
    #expect(
      alone.pairs[0].accuracy?.isSignificant == true && grouped.pairs[0].accuracy?.isSignificant == false)
    #expect(grouped.pairs[0].accuracy?.difference == alone.pairs[0].accuracy?.difference)
    #expect(grouped.data.remarkOnCopies?.contains("36 samples as 9 groups") == true)
  }

  @Test func copiesAreSaidOrCountedOnce() throws {
    let rows = (0..<3).map { _ in "pictures/red/0.png,red\npictures/white/1.png,white\n" }.joined()
    let list = try folder.write("list.csv", "path,label\n" + rows)
    let labels = try folder.write("labels.txt", ColourClassifier.colours.map(\.name).joined(separator: "\n"))
    var options = options([sound, blind], data: list)
    options.labels = .file(labels)
    let warned = try Comparison(options).run()
    #expect(warned.data.copies?.groups == [[0, 2, 4], [1, 3, 5]] && warned.data.copies?.distinct == 2)
    #expect(warned.data.remarkOnCopies?.hasPrefix("4 of the 6 samples look or read like others") == true)
    #expect(warned.pairs[0].accuracy?.designEffect == 1)
    options.groups = .copies
    let counted = try Comparison(options).run()
    #expect(counted.data.groups?.members == [0, 1, 0, 1, 0, 1])
    #expect(counted.pairs[0].accuracy?.designEffect == 3)
  }

  @Test func theSameModelCostsTheSameMemory() throws {
    let report = try Comparison(options([sound, blind, sound])).run()
    let memory = report.models.map(\.cost.memoryByteCount)
    #expect(memory[0] > 0 && memory.allSatisfy { $0 == memory[0] })
  }

  @Test func withoutLabelsThereIsAgreementOnly() throws {
    let list = try folder.write("list.csv", "path\npictures/red/0.png\npictures/white/1.png\n")
    let report = try Comparison(options([sound, blind], data: list)).run()
    #expect(!report.data.isLabelled && report.data.matching == nil)
    #expect(report.models.allSatisfy { $0.accuracy == nil })
    #expect(report.pairs[0].accuracy == nil && report.pairs[0].classes == [])
    #expect(report.pairs[0].flips.map(\.kind) == [.unlabelled])
    #expect(report.pairs[0].verdict.contains("agree on 1 of 2"))
  }

  @Test func aPictureThatCannotBeReadIsLeftOutForAll() throws {
    let list = try folder.write(
      "list.csv", "path,label\nmissing.png,red\npictures/red/0.png,red\nlist.csv,blue\n")
    let labels = try folder.write("labels.txt", ColourClassifier.colours.map(\.name).joined(separator: "\n"))
    var options = options([sound, blind], data: list)
    options.labels = .file(labels)
    let report = try Comparison(options).run()
    #expect(report.data.samples.count == 1 && report.data.matching == "by name")
    #expect(report.data.skipped.map { $0.name.hasSuffix("missing.png") } == [true, false])
    #expect(report.models.allSatisfy { $0.answers.count == 1 && $0.cost.runMilliseconds.count == 1 })
  }

  @Test func costIsMeasured() throws {
    let report = try Comparison(options([sound, blind])).run()
    for model in report.models {
      #expect(model.cost.byteCount > 500 && model.cost.workspaceByteCount > 0)
      #expect(model.cost.runMilliseconds.count == 36 && model.cost.median <= model.cost.p95)
      #expect(model.cost.throughput > 0 && model.cost.loadMilliseconds > 0)
      #expect(model.kind == "TFLite, float32 weights, computed in float32")
    }
  }

  @Test func optionsThatNoModelHeedsAreRefused() throws {
    func problem(_ options: Comparison.Options) -> String {
      do {
        _ = try Comparison(options)
        return ""
      } catch {
        return error.kind == .argument ? error.problem : ""
      }
    }
    let texts = Checkout.modelFolder("bert-classifier")
    let list = try folder.write("dev.tsv", "text\tlabel\na good film\t2 stars\n")
    var pictures = options([sound, blind])
    var reading = options([texts, texts], data: list)
    #expect(problem(pictures) == "" && problem(reading) == "")
    reading.normalization = NormalizationRule.zeroToOne.normalization
    #expect(problem(reading).contains("the option normalization"))
    reading.templates = ["a photo"]
    pictures.templates = ["a photo of {}"]
    #expect(
      problem(reading).contains("the option templates") && problem(pictures).contains("the option templates"))
  }

  @Test func refusesWhatCannotBeCompared() throws {
    func kind(_ models: [String], data: String? = nil) -> ApusError.Kind? {
      do {
        _ = try Comparison(options(models, data: data))
        return nil
      } catch {
        return error.kind
      }
    }
    #expect(kind([sound]) == .argument)
    #expect(kind([sound, folder.path + "/missing.tflite"]) == .file)
    for suffix in ["@int4", "@avx9", "@", "@avx9@int8"] {
      #expect(kind([sound, blind + suffix]) == .argument)
    }
    #expect(kind([sound, blind], data: folder.path + "/missing") == .file)
    #expect(kind([sound, Checkout.modelFolder("bert-classifier")]) == .argument)
    #expect(kind([sound, Checkout.modelFolder("bert-sentence")]) == .unsupportedModel)
    #expect(kind([sound, Checkout.modelFolder("clip")], data: pictures) == nil)
  }
}
