import CommandSupport
import Apus

extension LoadMilliseconds {
  /// `loaded in 312 ms: open 3, tokenizer 41, text 120, image 148`: the parts that the model has.
  var line: String {
    let parts = LoadStage.allCases.filter { self[$0] > 0 }.map {
      "\($0.rawValue) \(Format.decimal(self[$0], 0))"
    }
    return "loaded in \(Format.decimal(total, 0)) ms: \(parts.joined(separator: ", "))"
  }
}
