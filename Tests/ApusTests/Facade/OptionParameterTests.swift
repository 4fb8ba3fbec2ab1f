import Foundation
import TestSupport
import Testing

/// All that can be set of options is a parameter of their initialiser.
@Suite struct OptionParameterTests {
  private struct Options: CustomTestStringConvertible {
    let file: String
    let body: Substring
    var testDescription: String { file }

    /// The properties that callers may set.
    var properties: [Substring] { body.matches(of: /\n +public var (\w+)(:| =)(?![^\n]*\{\n)/).map(\.1) }
    /// The parameters of all initialisers.
    var parameters: Set<Substring> {
      let lists = body.matches(of: /public init\(([\s\S]*?)\)( throws\(\w+\))? \{/).map(\.1)
      return Set(lists.flatMap { $0.matches(of: /(\w+):/).map(\.1) })
    }
  }

  /// The public structs of options in the sources, with what stands between their braces.
  private static let all: [Options] = {
    let sources = Checkout.file("Sources").path
    let files = FileManager.default.enumerator(atPath: sources)?.compactMap { $0 as? String } ?? []
    return files.sorted().filter { $0.hasSuffix(".swift") }.flatMap { file -> [Options] in
      guard let text = try? String(contentsOfFile: "\(sources)/\(file)", encoding: .utf8) else { return [] }
      return text.matches(of: /( *)public struct (\w*Options|ImageLimits|PhotoFilter|ModelRequirements)\b/)
        .map {
          Options(file: file, body: text[$0.range.upperBound...].prefix(upTo: "\n\($0.1)}\n"))
        }
    }
  }()

  @Test(.enabled(if: !all.isEmpty), arguments: all)
  private func propertiesAreParameters(_ options: Options) {
    #expect(!options.properties.isEmpty)
    for property in options.properties {
      #expect(options.parameters.contains(property), "\(options.file): \(property)")
    }
  }

  @Test(.enabled(if: !all.isEmpty)) private func theSourcesAreRead() { #expect(Self.all.count >= 12) }
}

extension Substring {
  fileprivate func prefix(upTo end: String) -> Substring {
    range(of: end).map { self[..<$0.lowerBound] } ?? self
  }
}
