import CommandSupport
import ArgumentParser
import Formats
import Models
import Networks
import TensorCore

struct List: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract:
      "Lists supported models and operators, and the configuration keys and environment variables Apus reads.",
    discussion: """
      Example: apus list models

      models         architectures by task, with the names that libraries use
      operators      operators of TensorFlow Lite, and why some are refused
      onnx           operators of ONNX
      configuration  keys of configuration files and how Apus treats them; all others are refused
      environment    environment variables and their defaults
      """)

  enum Topic: String, CaseIterable, ExpressibleByArgument {
    case models, operators, onnx, configuration, environment
  }

  @Argument(help: "models, operators, onnx, configuration or environment.")
  var topic: Topic

  @Flag(help: "Print one JSON object per line.")
  var json = false

  @Flag(help: .hidden)
  var markdown = false

  func run() throws {
    let list = try topic.list
    for line in json ? list.json : markdown ? try topic.markdown : list.text {
      StandardStreams.printLine(line)
    }
  }
}

/// Rows of cells under the names of their columns.
private struct Listing {
  let columns: [String]
  let rows: [[String]]

  var text: [String] {
    var table = Table(columns.map { ($0, .left) })
    for row in rows { table.append(row.map { $0.replacing("`", with: "") }) }
    return table.lines
  }

  var json: [String] {
    rows.map { row in
      let members = zip(columns, row).map {
        ($0.replacing(" ", with: "_"), JSON.string($1.replacing("`", with: "")))
      }
      return JSON.object(members + [JSON.madeBy]).text()
    }
  }

  var markdown: [String] {
    let lines = [columns, columns.map { _ in "---" }] + rows
    return lines.map { "| \($0.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ")) |" }
  }
}

extension List.Topic {
  fileprivate var list: Listing {
    get throws(ApusError) {
      switch self {
      case .models:
        Listing(
          columns: ["family", "library", "name", "what it does"],
          rows: SupportedModel.all.map { [$0.family, $0.library, "`\($0.name)`", $0.uses.sentence] })
      case .operators:
        Listing(
          columns: ["operator", "number", "support"],
          rows: TFLiteBuiltin.allCases.map { [$0.name, "\($0.rawValue)", $0.support.description] })
      case .onnx:
        Listing(
          columns: ["operator", "domain"],
          rows: ONNXOperators.names.sorted { $0 < $1 }.map { [$0.name, $0.domain] })
      case .configuration:
        Listing(columns: ConfigurationTable.columns, rows: try ConfigurationKeys.table().rows)
      case .environment:
        Listing(
          columns: ["variable", "meaning", "when it is not set"],
          rows: EnvironmentVariable.allCases.map { ["`\($0.name)`", $0.meaning, $0.fallback] })
      }
    }
  }

  /// The list as it stands in the documentation: one row per task and family.
  fileprivate var markdown: [String] {
    get throws(ApusError) {
      switch self {
      case .models: models.markdown
      case .operators: operators.markdown
      case .onnx: onnx.markdown
      case .configuration, .environment: try list.markdown
      }
    }
  }

  private var models: Listing {
    let rows = ModelTask.listed.flatMap { use in
      let families = Dictionary(grouping: SupportedModel.all.enumerated().filter { $1.uses.contains(use) }) {
        $1.family
      }
      let inOrder = families.sorted { $0.value[0].offset < $1.value[0].offset }
      return inOrder.map { [use.phrase, $0, Self.mentions($1.map(\.element)).joined(separator: ", ")] }
    }
    return Listing(columns: ["what it does", "family", "names in its library"], rows: rows)
  }

  /// Models of one family; of many that one library has, the first and the last.
  private static func mentions(_ models: [SupportedModel]) -> [String] {
    let libraries = models.map(\.library)
    return libraries.enumerated().filter { libraries.firstIndex(of: $1) == $0 }.flatMap { _, library in
      let own = models.filter { $0.library == library }
      guard library != "transformers", own.count > 3, let first = own.first, let last = own.last else {
        return own.map(\.mention)
      }
      return ["\(own.count) of \(library) (`\(first.name)` to `\(last.name)`)"]
    }
  }

  private var operators: Listing {
    let groups = Dictionary(grouping: TFLiteBuiltin.allCases, by: \.support)
    let rows = groups.sorted { $0.value[0].rawValue < $1.value[0].rawValue }.map { support, operators in
      ["\(support) (\(operators.count))", operators.map(\.name).sorted().joined(separator: ", ")]
    }
    return Listing(columns: ["what Apus does", "operators"], rows: rows)
  }
}

extension List.Topic {
  private var onnx: Listing {
    let domains = Dictionary(grouping: ONNXOperators.names, by: \.domain)
    let rows = domains.sorted { $0.key < $1.key }.map { domain, operators in
      ["`\(domain)` (\(operators.count))", operators.map(\.name).sorted().joined(separator: ", ")]
    }
    return Listing(columns: ["domain", "operators"], rows: rows)
  }
}

extension SupportedModel {
  fileprivate var mention: String { "`\(name)`" + (library == "transformers" ? "" : " of \(library)") }
}

extension [ModelTask] {
  fileprivate var sentence: String { map(\.phrase).joined(separator: ", ") }
}
