import Evaluation
import TestSupport
import Testing

/// A model that was broken in one of the usual ways is named, with what is wrong with it.
@Suite struct CulpritTests {
  private let folder: TemporaryFolder
  private let pictures: String
  private let sound: String

  init() throws {
    folder = try TemporaryFolder()
    pictures = try ColourClassifier.writePictures(6, in: folder)
    sound = try folder.write("sound.tflite", ColourClassifier().bytes)
  }

  private func report(_ broken: ColourClassifier, labelled: Bool = true) throws -> ComparisonReport {
    let file = try folder.write("broken.tflite", broken.bytes)
    var options = Comparison.Options(models: [sound, file], data: pictures)
    if !labelled {
      let names = ColourClassifier.colours.flatMap { colour in
        (0..<6).map { "pictures/\(colour.name)/\($0).png" }
      }
      options.data = try folder.write("list.txt", names.joined(separator: "\n"))
    }
    return try Comparison(options).run()
  }

  @Test func nothingIsFoundInASoundPair() throws {
    let report = try report(ColourClassifier(steepness: 5))
    #expect(report.culprits == [])
    #expect(report.models.allSatisfy { $0.accuracy?.top1.value == 1 })
    #expect(report.pairs[0].flips == [])
  }

  @Test(arguments: [true, false])
  func normalization(labelled: Bool) throws {
    // Trained on bytes: all that it is given is black.
    let report = try report(ColourClassifier(scale: 1, offset: 0, steepness: 0.001), labelled: labelled)
    let culprit = try #require(report.culprits.first)
    #expect(culprit.kind == .normalization && culprit.model == 1 && culprit.certainty == .found)
    #expect(culprit.statement.contains("x in place of x/127.5-1"))
    #expect(culprit.advice.contains("the option normalization (bytes)"))
    #expect(report.culprits.count == 1)
  }

  @Test(arguments: [true, false])
  func channelOrder(labelled: Bool) throws {
    let culprits = try report(ColourClassifier(isBGR: true), labelled: labelled).culprits
    #expect(culprits.map(\.kind) == [.channelOrder])
    #expect(culprits.first?.model == 1)
  }

  @Test(arguments: [1, -1, 3], [true, false])
  func labelOffset(places: Int, labelled: Bool) throws {
    let order = (0..<9).map { ($0 + places + 9) % 9 }
    let culprits = try report(ColourClassifier(order: order), labelled: labelled).culprits
    #expect(culprits.map(\.kind) == [.labelOffset])
    #expect(culprits.first?.evidence.first { $0.name == "places" }?.value == Double(places))
    #expect(culprits.first?.certainty == .found)
  }

  @Test func permutedLabels() throws {
    let culprits = try report(ColourClassifier(order: [4, 0, 7, 2, 8, 1, 3, 6, 5])).culprits
    #expect(culprits.map(\.kind) == [.permutedLabels])
    #expect(culprits.first?.model == 1)
  }

  @Test func softmaxTwice() throws {
    let report = try report(ColourClassifier(softmaxes: 2))
    #expect(report.culprits.map(\.kind) == [.softmaxTwice])
    #expect(report.culprits.first?.model == 1)
    // Answers stay the same; what they are worth does not.
    #expect(report.models[1].accuracy?.top1.value == 1)
    #expect(report.models[1].confidences.allSatisfy { $0 < 0.26 })
  }

  @Test func oneClassForEverything() throws {
    let report = try report(ColourClassifier(damage: 1e6))
    let kinds = report.culprits.map(\.kind)
    #expect(kinds.contains(.constantAnswer))
    #expect(report.culprits.allSatisfy { $0.model == 1 })
  }

  @Test func numbersThatAreNone() throws {
    let report = try report(ColourClassifier(damage: .nan))
    #expect(report.culprits.map(\.kind) == [.weights, .notFinite])
    #expect(report.culprits.first?.statement.contains("1 of the 9 numbers of") == true)
    #expect(report.data.classes.last == "no answer")
    #expect(report.models[1].accuracy?.top1.successes == 0)
    #expect(Set(report.models[1].answers) == [9])
    // Of no answer there is no confidence that could be right.
    #expect(report.models.map(\.hasAnswers) == [true, false])
    let accuracy = try #require(report.models[1].accuracy)
    #expect(accuracy.calibration.bins.allSatisfy { $0.count == 0 } && accuracy.calibrationError == nil)
  }

  @Test func aLookForCulpritsCanBeLeftOut() throws {
    var options = Comparison.Options(
      models: [sound, try folder.write("bgr.tflite", ColourClassifier(isBGR: true).bytes)], data: pictures)
    options.looksForCulprits = false
    #expect(try Comparison(options).run().culprits == [])
  }
}
