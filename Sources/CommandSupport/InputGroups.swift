import TensorCore

/// Arguments of a command, `-` among them for the lines on standard input, in groups that are worked on together. A group
/// ends where the next line has not arrived, so that the first results of a list do not wait for its end.
package struct InputGroups {
  package enum Input {
    case argument(String)
    case line([UInt8])
  }

  private var arguments: ArraySlice<String>
  private let lines: InputLines
  private let size: Int
  private var readsLines = false
  /// Why the list cannot be read on.
  private var failure: ApusError?

  /// - Parameter size: of a group, at most.
  package init(_ arguments: [String], _ list: ListArguments, size: Int = .max) {
    (self.arguments, lines, self.size) = (arguments[...], list.lines, size)
  }

  /// The next group; nil at the end.
  /// - Throws: ``ApusError`` when standard input cannot be read on, after a group of what came before.
  package mutating func next() throws(ApusError) -> [Input]? {
    if let failure { throw failure }
    var group: [Input] = []
    do throws(ApusError) {
      while group.count < size, let input = try nextInput(waits: group.isEmpty) { group.append(input) }
    } catch {
      guard !group.isEmpty else { throw error }
      failure = error
    }
    return group.isEmpty ? nil : group
  }

  /// The next group as texts, in which bytes that are no UTF-8 read as U+FFFD; nil at the end.
  /// - Throws: ``ApusError`` as ``next()`` does.
  package mutating func nextTexts() throws(ApusError) -> [String]? {
    guard let group = try next() else { return nil }
    return group.map { input in
      switch input {
      case .argument(let text): FileName.readable(text)
      case .line(let bytes): String(decoding: bytes, as: UTF8.self)
      }
    }
  }

  /// Nil at the end.
  /// - Parameter waits: whether it waits for a line; else there is none where the next has not come yet.
  private mutating func nextInput(waits: Bool) throws(ApusError) -> Input? {
    while true {
      if readsLines {
        if !waits, lines.isWaiting { return nil }
        if let line = try lines.next() { return .line(line) }
        readsLines = false
      } else if let argument = arguments.popFirst() {
        guard argument == "-" else { return .argument(argument) }
        readsLines = true
      } else {
        return nil
      }
    }
  }
}
