import FuzzBodies
import TensorCore
import TestSupport
import Testing

@testable import Formats

/// The metadata of a model, and labels in an archive behind it.
struct TFLiteMetadataTests {
  private typealias Node = FlatBufferNode

  private func metadata(
    mean: [Float] = [127.5], deviation: [Float] = [127.5], threshold: Float = 0.25,
    file: String = "labels.txt"
  ) -> Node {
    let image = Node.table([
      0: .uint8(2), 1: .table([0: .int8(1), 1: .table([0: .uint32(224), 1: .uint32(192)])]),
    ])
    let input = Node.table([
      0: .string("image"), 1: .string("a photograph"), 2: .vector([.string("batch"), .string("height")]),
      3: image,
      4: .vector([.table([0: .uint8(1), 1: .table([0: .floats(mean), 1: .floats(deviation)])])]),
      5: .table([0: .floats([1]), 1: .floats([-1])]),
    ])
    let files = [("en.txt", "en"), (file, "")].map { name, locale in
      Node.table([0: .string(name), 1: .string("classes"), 2: .int8(2), 3: .string(locale)])
    }
    let output = Node.table([
      0: .string("scores"), 3: .table([0: .uint8(1), 1: .table([:])]),
      4: .vector([.table([0: .uint8(3), 1: .table([0: .float(threshold)])]), .table([0: .uint8(2)])]),
      6: .vector(files),
    ])
    let subgraph = Node.table([0: .string("main"), 2: .vector([input]), 3: .vector([output])])
    return .table([
      0: .string("Sorter"), 1: .string("sorts"), 2: .string("v1"), 3: .vector([subgraph]),
      4: .string("someone"),
      5: .string("Apache-2.0"), 6: .vector([.table([0: .string("readme.txt"), 2: .int8(1)])]),
    ])
  }

  private func model(_ metadata: Node, archive: [UInt8] = []) -> [UInt8] {
    var model = ModelSamples.addition
    model.metadata = [("TFLITE_METADATA", FlatBufferBuilder.build(metadata, identifier: "M001"))]
    return model.build() + archive
  }

  private func parse(_ bytes: [UInt8]) throws -> TFLiteMetadata? {
    try TFLiteMetadata(of: try TFLiteModel(bytes))
  }

  @Test func everyFieldArrives() throws {
    let parsed = try #require(try parse(model(metadata())))
    #expect([parsed.name, parsed.description, parsed.version] == ["Sorter", "sorts", "v1"])
    #expect([parsed.author, parsed.license] == ["someone", "Apache-2.0"])
    #expect(parsed.associatedFiles.map(\.kind) == [.descriptions])
    let input = try #require(parsed.subgraphs.first?.inputs.first)
    #expect(input.name == "image" && input.description == "a photograph")
    #expect(input.dimensionNames == ["batch", "height"])
    #expect(
      input.content == .image(.rgb, defaultSize: TFLiteTensorMetadata.ImageSize(width: 224, height: 192)))
    #expect(input.normalization?.mean == [127.5] && input.normalization?.standardDeviation == [127.5])
    #expect(input.minimum == [-1] && input.maximum == [1])
    let output = try #require(parsed.subgraphs.first?.outputs.first)
    #expect(output.content == .feature && output.scoreThreshold == 0.25)
    #expect(output.scoreCalibration == .init(transformation: .identity, defaultScore: 0))
    #expect(output.associatedFiles.map(\.locale) == ["en", ""])
    #expect(output.associatedFiles.map(\.kind) == [.axisLabels, .axisLabels])
  }

  @Test func modelsWithoutMetadata() throws {
    let bytes = ModelSamples.addition.build()
    #expect(try TFLiteMetadata(of: try TFLiteModel(bytes)) == nil)
  }

  @Test func labelsFromTheArchive() throws {
    let bytes = model(metadata(), archive: try fixture(FormatFixtures.archiveAlone))
    let parsed = try #require(try parse(bytes))
    #expect(try parsed.labels(ofOutput: 0, of: TFLiteModel(bytes))?.labels == (0..<300).map { "class \($0)" })
    #expect(try parsed.labels(ofOutput: 1, of: TFLiteModel(bytes)) == nil)
  }

  private func refusal(_ node: Node, archive: [UInt8] = []) -> String {
    do {
      let bytes = model(node, archive: archive)
      _ = try parse(bytes)?.labels(ofOutput: 0, of: TFLiteModel(bytes))
      return ""
    } catch {
      return "\(error)"
    }
  }

  @Test func numbersThatMakeNoSense() throws {
    #expect(
      refusal(metadata(deviation: [0]))
        .contains("(NormalizationOptions.std): standard deviations [0.0], expected positive finite numbers"))
    #expect(refusal(metadata(deviation: [.nan])).contains("NormalizationOptions.std"))
    #expect(refusal(metadata(mean: [.infinity])).contains("NormalizationOptions.mean"))
    #expect(refusal(metadata(mean: [])).contains("NormalizationOptions.mean"))
    #expect(refusal(metadata(mean: [1, 2], deviation: [1, 2, 3])).contains("NormalizationOptions.mean"))
    #expect(refusal(metadata(threshold: .nan)).contains("the threshold nan, expected a finite number"))
  }

  /// By hand from MediaPipe's rule; its logarithm goes on below 10⁻¹⁶.
  @Test func scoresAreCalibratedByASigmoidOfEachClass() throws {
    let lines = "0.5,1,0\n\n1, 3, -0.1 ,0.3\r\n2,1,-0.1\n"
    func calibrated(_ transformation: ScoreCalibration.Transformation) throws -> [Float] {
      let options = ScoreCalibration.Options(transformation: transformation, defaultScore: 0.125)
      let calibration = try ScoreCalibration(options, lines: Array(lines.utf8))
      #expect(calibration.classCount == 4)
      return calibration([0.2, 0.9, 0.25, 0.5])
    }
    func expect(_ found: [Float], _ expected: [Float]) {
      for (a, b) in zip(found, expected) { #expect(abs(a - b) < 1e-6, "\(found)") }
    }
    expect(try calibrated(.identity), [0.2749170, 0.125, 0.125, 1.1973753])
    expect(try calibrated(.logarithm), [0.0833333, 0.125, 0.125, 0.6229866])
    expect(try calibrated(.inverseLogistic), [0.1, 0.125, 0.125, 0.9500416])
    let logarithm = ScoreCalibration.Options(transformation: .logarithm, defaultScore: 0)
    let below = try ScoreCalibration(logarithm, lines: Array("1,0.01,0".utf8))([-1])
    expect(below, [0.3236983])
    for wrong in ["1,2", "1,2,3,4,5", "-1,2,3", "1,x,3", "1,2,inf"] {
      #expect(throws: ApusError.self) { try ScoreCalibration(logarithm, lines: Array(wrong.utf8)) }
    }
  }

  @Test func aScoreCalibrationWithoutItsFileIsRefused() throws {
    let bytes = model(metadata())
    let parsed = try #require(try parse(bytes))
    let error = #expect(throws: ApusError.self) {
      try parsed.scoreCalibration(ofOutput: 0, of: TFLiteModel(bytes))
    }
    #expect(error?.problem.contains("name no file") == true)
  }

  @Test func missingLabels() throws {
    #expect(refusal(metadata()).contains("names the label file 'labels.txt', but no archive is appended"))
    let archive = try fixture(FormatFixtures.archiveAlone)
    #expect(refusal(metadata(file: "other.txt"), archive: archive).contains("no file 'other.txt'"))
    #expect(
      refusal(metadata(file: "noise.bin"), archive: archive).contains(
        "label file 'noise.bin' in the model: line 1"))
  }

  @Test func everyByteFlipped() {
    let bytes = model(metadata())
    for position in bytes.indices {
      for value in [0, 0xFF, bytes[position] ^ 1] {
        var damaged = bytes
        damaged[position] = value
        Fuzzing.tflite(damaged)
      }
    }
  }
}
