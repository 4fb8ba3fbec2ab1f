import CommandSupport
import Apus

extension Classification: Reportable {
  func headline(_ input: String) -> String {
    "\(input.printable) (\(Format.decimal(times.total.milliseconds, 1)) ms\(uncertainty.map { ", \($0.words)" } ?? ""))"
  }

  var lines: [String] { PredictionTable.lines(predictions.map(\.named), isUncertain: isUncertain) }

  var members: [JSON.Member] {
    let novelty = novelty.map { [("novelty", JSON.float($0))] } ?? []
    return [
      ("predictions", PredictionTable.json(predictions)), ("uncertain", .bool(isUncertain)),
      ("reason", uncertainty.map { JSON.string($0.rawValue) } ?? .null),
      ("preprocess", .string(preprocessing)),
      ("milliseconds", PredictionTable.milliseconds(times.total.milliseconds)),
      ("stages", PredictionTable.stages(times)),
    ] + novelty
  }
}

extension Uncertainty {
  /// As people read it.
  var words: String {
    switch self {
    case .foreign: "uncertain: unlike all that the model knows"
    case .lowScore: "uncertain"
    }
  }
}
