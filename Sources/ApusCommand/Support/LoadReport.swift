import Apus

extension LoadMilliseconds {
  /// `loaded in 312 ms: open 3, tokenizer 41, weights 268`.
  var line: String {
    let rounded = { (value: Double) in Format.decimal(value, 0) }
    return "loaded in \(rounded(total)) ms: open \(rounded(open)), tokenizer \(rounded(tokenizer)), "
      + "weights \(rounded(compile))"
  }
}
