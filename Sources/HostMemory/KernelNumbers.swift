import TensorCore

/// A table of the kernel, a name and a number on each line: `MemTotal:  1024 kB`, or `inactive_file 4096`.
package struct KernelNumbers {
  private let numbers: [Substring: Int]

  /// So that a few of them can be added, in bytes too.
  private static let range = 0..<(1 << 50)

  /// Lines that are no name and number are passed over.
  package init(_ text: String) {
    numbers = Dictionary(
      text.split(separator: "\n").compactMap { line in
        let words = line.split(whereSeparator: \.isWhitespace)
        guard words.count == 2 || words.count == 3, let value = Int(words[1]), Self.range.contains(value)
        else { return nil }
        let name = words[0].hasSuffix(":") ? words[0].dropLast() : words[0]
        return (name, words.last == "kB" ? value << 10 : value)
      }, uniquingKeysWith: { first, _ in first })
  }

  /// The number of a name, in bytes where the table has a unit.
  package subscript(name: String) -> Int? { numbers[name[...]] }
}
