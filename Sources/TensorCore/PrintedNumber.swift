import CLibrary

extension Double {
  /// The locale of C, where the decimal point is a full stop.
  nonisolated(unsafe) private static let plainLocale = newlocale(1 << LC_NUMERIC, "C", nil)

  /// The number as C's `printf` writes it, in every locale of the program the same. What rounds to nothing has no sign.
  /// - Parameter format: text with one conversion for a double, such as `%.2f`.
  package func printed(_ format: String) -> String {
    let text = written(format)
    let isZero = abs(self) < 1 && !text.contains { ("1"..."9").contains($0) }
    return isZero ? String(text.drop { $0 == "-" || $0 == "+" }) : text
  }

  private func written(_ format: String) -> String {
    let locale = uselocale(Self.plainLocale)
    defer { uselocale(locale) }
    let count = withVaList([self]) { Int(vsnprintf(nil, 0, format, $0)) }
    return String(unsafeUninitializedCapacity: count + 1) { bytes in
      bytes.withMemoryRebound(to: CChar.self) { text in
        withVaList([self]) { Int(vsnprintf(text.baseAddress, text.count, format, $0)) }
      }
    }
  }
}
