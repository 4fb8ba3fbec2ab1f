/// The form in which weights are to be stored.
public enum QuantizationTarget: String, Sendable, CaseIterable {
  case int8
  /// Matrices of a folder in integers of 4 bits, with a scale for each group of columns in each row.
  case int4
  case f16, bf16
}
