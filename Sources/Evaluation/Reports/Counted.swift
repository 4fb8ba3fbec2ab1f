extension Int {
  /// `1 sample`, `3 samples`, in plain digits as terminals and errors have them.
  package func counted(_ one: String, _ many: String? = nil) -> String {
    "\(self) " + (self == 1 ? one : many ?? one + "s")
  }
}
