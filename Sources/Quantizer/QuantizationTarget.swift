/// The form in which weights are to be stored.
public enum QuantizationTarget: String, Sendable, CaseIterable {
  case int8, f16, bf16
}
