import CommandSupport
import Apus

extension LoadTimes {
  /// `loaded in 312 ms: open 3, tokenizer 41, text 120, image 148`: the parts that the model has.
  var line: String {
    let parts = LoadStage.allCases.filter { self[$0] > .zero }.map {
      "\($0.rawValue) \(Format.decimal(self[$0].milliseconds, 0))"
    }
    return "loaded in \(Format.decimal(total.milliseconds, 0)) ms: \(parts.joined(separator: ", "))"
  }
}
