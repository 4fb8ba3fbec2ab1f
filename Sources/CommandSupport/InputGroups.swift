import TensorCore

/// Arguments of a command, `-` among them for the lines on standard input, in groups that are worked on together. A group
/// ends where the next line has not come yet, so that nobody waits for the end of a list to see its first results.
package struct InputGroups: Sequence, IteratorProtocol {
  package enum Input {
    case argument(String)
    case line([UInt8])
  }

  private var arguments: ArraySlice<String>
  private let lines: InputLines
  private let size: Int
  private var readsLines = false

  /// - Parameter size: of a group, at most.
  package init(_ arguments: [String], _ list: ListArguments, size: Int = .max) {
    (self.arguments, lines, self.size) = (arguments[...], list.lines, size)
  }

  package mutating func next() -> [Input]? {
    var group: [Input] = []
    while group.count < size {
      if readsLines {
        if !group.isEmpty, lines.isWaiting { break }
        // What came before a line that ends the program is worked on first.
        if let line = lines.next(refusesLongLine: group.isEmpty) {
          group.append(.line(line))
        } else if lines.holdsLongLine {
          break
        } else {
          readsLines = false
        }
      } else if let argument = arguments.popFirst() {
        if argument == "-" { readsLines = true } else { group.append(.argument(argument)) }
      } else {
        break
      }
    }
    return group.isEmpty ? nil : group
  }

  /// The groups as texts; bytes that are no UTF-8 read as U+FFFD.
  package var texts: some Sequence<[String]> {
    lazy.map { group in
      group.map { input in
        switch input {
        case .argument(let text): FileName.readable(text)
        case .line(let bytes): String(decoding: bytes, as: UTF8.self)
        }
      }
    }
  }
}
