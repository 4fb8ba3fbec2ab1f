import Evaluation
import Formats
import Networks
import TensorCore

/// The samples that a model folder can take, every other one kept to judge by.
struct CalibrationSamples {
  /// Those from which the sizes of activations are taken.
  private(set) var looked: [PreparedSample] = []
  private(set) var judged: [PreparedSample] = []
  let description: String
  /// Notes for people on files beside the model that were ignored as samples were prepared.
  let notes: [String]

  /// Pictures and texts that are used, at most, of each: their tensors are in memory together.
  private static let limit = 256

  /// - Throws: ``ApusError`` of kind `file` when there are not two that the model takes.
  init(_ model: OpenedModel, _ folder: CalibrationFolder) throws(ApusError) {
    let pictures = CalibrationFolder.spread(folder.pictures, limit: Self.limit)
    // Lists that lie beside pictures need not be texts.
    let takesTexts = try model.network(for: .text) != nil
    let texts = CalibrationFolder.spread(takesTexts ? try folder.texts() : [], limit: Self.limit)
    let prepared = try model.samples(pictures: pictures.map { "\(folder.path)/\($0)" }, texts: texts)
    let samples = prepared.content
    notes = prepared.notes
    for part in ModelPart.allCases {
      for (place, sample) in samples.filter({ $0.part == part }).enumerated() {
        if place % 2 == 0 { looked.append(sample) } else { judged.append(sample) }
      }
    }
    guard !judged.isEmpty else {
      throw ApusError(
        .file, samples.isEmpty ? "nothing that the model takes" : "one sample",
        expected: samples.isEmpty
          ? "pictures for a model of pictures, lines of .txt or .tsv files for one of texts"
          : "two or more: every other one is kept to judge by",
        file: folder.place)
    }
    let count = samples.count { $0.part == .image }
    let kinds = [
      count > 0 ? count.counted("picture") : "",
      count < samples.count ? (samples.count - count).counted("text") : "",
    ].filter { !$0.isEmpty }.joined(separator: " and ")
    description = "\(kinds) of \(folder.place), every other one kept to judge by"
  }
}
