import CommandSupport
import Apus

extension Classification: Reportable {
  func headline(_ input: String) -> String {
    "\(input) (\(Format.decimal(milliseconds.total, 1)) ms\(isUncertain ? ", uncertain" : ""))"
  }

  var lines: [String] { PredictionTable.lines(predictions, isUncertain: isUncertain) }

  var members: [(String, JSON)] {
    [
      ("predictions", PredictionTable.json(predictions)), ("uncertain", .bool(isUncertain)),
      ("preprocess", .string(preprocessing)),
      ("milliseconds", PredictionTable.milliseconds(milliseconds.total)),
      ("stages", PredictionTable.stages(milliseconds)),
    ]
  }
}
