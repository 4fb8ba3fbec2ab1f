import JSONCoding
import TensorCore

/// The raw files of vocabularies.
enum VocabularyFiles {
  /// Reads `vocab.txt`: a piece per line, whose number is its id. Of equal lines the last counts; space at the
  /// end of a line does not.
  static func lines(_ path: String) throws(ApusError) -> Vocabulary {
    do throws(ApusError) {
      var vocabulary = Vocabulary()
      for (number, line) in try text(path).enumerated() {
        do throws(ApusError) {
          try vocabulary.insertOrReplace(line.span, id: number)
        } catch {
          throw error.at("line \(number + 1)")
        }
      }
      guard vocabulary.count > 0 else { throw ApusError(.configuration, "has no pieces") }
      return vocabulary
    } catch {
      throw error.inFile(path)
    }
  }

  /// Reads `vocab.json`: an object of pieces and their ids.
  static func json(_ path: String) throws(ApusError) -> Vocabulary {
    do throws(ApusError) {
      var parser = JSONReader(try FileBytes.read(path, limit: TokenizerFile.maximumByteCount)[...])
      let vocabulary = try Vocabulary(reading: &parser)
      try parser.end()
      return vocabulary
    } catch {
      throw error.inFile(path)
    }
  }

  /// Reads `merges.txt`: a pair per line, in order of rank.
  static func merges(_ path: String) throws(ApusError) -> MergeList {
    do throws(ApusError) {
      var merges = MergeList()
      for line in try text(path, trimming: false) { try merges.append(line: line.span) }
      return merges
    } catch {
      throw error.inFile(path)
    }
  }

  /// The lines of a file.
  private static func text(_ path: String, trimming: Bool = true) throws(ApusError) -> [[UInt8]] {
    let bytes = try FileBytes.read(path, limit: TokenizerFile.maximumByteCount)
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw ApusError(.configuration, "is not UTF-8")
    }
    var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    if lines.last?.isEmpty == true { lines.removeLast() }
    return lines.map { line in
      var end = line.span.count
      let span = line.span
      if trimming {
        while end > 0 {
          let (character, length) = span.scalar(before: end)
          guard CharacterProperties(character).contains(.whitespace) else { break }
          end -= length
        }
      } else if line.last == 0x0D {
        end -= 1
      }
      return Array(line.prefix(end))
    }
  }
}
