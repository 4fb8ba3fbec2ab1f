import Formats

/// Operators that Apus refuses by design.
struct TFLiteRefusedFamily: Sendable {
  /// What stands before their names in errors; nil for none.
  let kind: String?
  let reason: String
  let operators: Set<TFLiteBuiltin>

  static let all = [
    TFLiteRefusedFamily(
      kind: "stateful", reason: "keeps values from one run to the next",
      operators: [
        .LSTM, .RNN, .SVDF, .UNIDIRECTIONAL_SEQUENCE_LSTM, .UNIDIRECTIONAL_SEQUENCE_RNN,
        .BIDIRECTIONAL_SEQUENCE_LSTM, .BIDIRECTIONAL_SEQUENCE_RNN, .CALL_ONCE, .VAR_HANDLE, .READ_VARIABLE,
        .ASSIGN_VARIABLE,
      ]),
    TFLiteRefusedFamily(
      kind: "control flow", reason: "decides during a run what runs next",
      operators: [.IF, .WHILE, .CALL, .STABLEHLO_WHILE, .STABLEHLO_CASE]),
    TFLiteRefusedFamily(
      kind: "string table", reason: "works on text and tables of it",
      operators: [
        .HASHTABLE, .HASHTABLE_FIND, .HASHTABLE_IMPORT, .HASHTABLE_SIZE, .HASHTABLE_LOOKUP, .LSH_PROJECTION,
        .SKIP_GRAM,
      ]),
    TFLiteRefusedFamily(
      kind: "complex", reason: "computes with complex numbers",
      operators: [.RFFT2D, .IMAG, .REAL, .COMPLEX_ABS]),
    TFLiteRefusedFamily(
      kind: "random", reason: "gives other results in every run",
      operators: [.RANDOM_STANDARD_NORMAL, .RANDOM_UNIFORM, .MULTINOMIAL, .STABLEHLO_RNG_BIT_GENERATOR]),
    TFLiteRefusedFamily(
      kind: nil, reason: "is code that the file does not contain",
      operators: [.CUSTOM, .DELEGATE, .PLACEHOLDER_FOR_GREATER_OP_CODES]),
  ]

  static func of(_ builtin: TFLiteBuiltin) -> TFLiteRefusedFamily? {
    all.first { $0.operators.contains(builtin) }
  }
}
