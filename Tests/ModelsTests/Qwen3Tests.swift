import Formats
import Foundation
import TensorCore
import TestSupport
import Testing

@testable import Models

/// Qwen3 gives PyTorch's numbers as embedder, classifier and re-ranker, and refuses by name what it has no part for.
@Suite struct Qwen3Tests {
  @Test(arguments: ["qwen3-embedding", "qwen3"])
  func embeddersGiveThePooledFeaturesOfPyTorch(_ name: String) throws {
    let fixture = try ModelFixture(name)
    let model = try ModelArchitecture.load(fixture.folder)
    guard case .encoder(normalizes: true) = model.outputs, let tower = model.text else {
      throw ApusError(.unsupportedModel, "no text encoder")
    }
    #expect(tower.maximumTokens == 64 && tower.vocabularySize == 333)
    expectClose(try ModelFixture.run(tower, fixture.ids()), try fixture.numbers("embeddings"), name)
  }

  @Test func thePromptsAreThoseOfTheModules() throws {
    let model = try ModelArchitecture.load(ModelFixture("qwen3-embedding").folder)
    #expect(model.textPreparation.promptNames == ["query", "document"])
    let prompted = try model.textPreparation.prompted(by: "query")
    #expect(prompted("x") == "Instruct: find a text\nQuery:x")
    #expect(model.textPreparation("x") == "x")
    let error = try #require(throws: ApusError.self) { try model.textPreparation.prompted(by: "passage") }
    #expect(error.kind == .argument && error.expected == "query, document")
  }

  /// A decoder of which no module says anything, as sentence-transformers pools it.
  @Test func aDecoderWithoutModulesIsPooledByItsLastToken() throws {
    let fixture = try ModelFixture("qwen3-embedding")
    let folder = try TemporaryFolder(copying: fixture.folder.path)
    try FileManager.default.removeItem(atPath: "\(folder.path)/modules.json")
    let tower = try #require(try ModelArchitecture.load(ModelFolder(folder.path)).text)
    expectClose(try ModelFixture.run(tower, fixture.ids()), try fixture.numbers("embeddings"))
  }

  @Test func textsThatAreTooLongAreRefused() throws {
    let tower = try #require(try ModelArchitecture.load(ModelFixture("qwen3-embedding").folder).text)
    let error = try #require(throws: ApusError.self) {
      try tower.inputs([[Int32](repeating: 1, count: 65)])
    }
    #expect(error.kind == .argument && error.expected == "1 to 64")
  }

  /// What a text ends with that is padding does not count; of padding alone the first token does.
  @Test func aClassifierReadsTheLastTokenThatIsNoPadding() throws {
    let fixture = try ModelFixture("qwen3-classifier")
    let tower = try #require(try ModelArchitecture.load(fixture.folder).text)
    let ids = try fixture.ids()
    let padding = try #require(ids.first { $0.count == 1 && $0[0] > 300 })[0]
    let plain = try ModelFixture.run(tower, [ids[0], [padding]])
    let filled = try ModelFixture.run(tower, [ids[0] + [padding, padding], [padding, padding]])
    #expect(plain == filled)
  }

  @Test func anAnswerWithoutARowIsRefused() throws {
    let folder = try TemporaryFolder(copying: ModelFixture("qwen3-reranker").folder.path)
    try folder.write("1_LogitScore/config.json", #"{"true_token_id": 999, "false_token_id": null}"#)
    let tower = try #require(try ModelArchitecture.load(ModelFolder(folder.path)).text)
    let error = try #require(throws: ApusError.self) { try tower.graph(tokens: 4, sequences: 1) }
    #expect(error.kind == .configuration && error.problem.contains("999"))
  }

  @Test(arguments: [
    (#"{"true_token_id": 3, "false_token_id": 4, "module_input_name": "logits"}"#, "module_input_name"),
    (#"{"true_token_id": 3, "threshold": 4}"#, "threshold"), (#"{"false_token_id": 3}"#, "true_token_id"),
  ])
  func settingsOfTheScoreAreReadOrRefused(_ text: String, _ says: String) throws {
    let folder = try TemporaryFolder(copying: ModelFixture("qwen3-reranker").folder.path)
    try folder.write("1_LogitScore/config.json", text)
    let error = try #require(throws: ApusError.self) { try ModelArchitecture.load(ModelFolder(folder.path)) }
    #expect("\(error)".contains(says), "\(error)")
  }
}

/// Chat templates of re-rankers.
@Suite struct PairTemplateTests {
  private func text(_ source: String, generates: Bool = true, instruction: String? = nil) throws -> String {
    try PairTemplate(source, generates: generates).text(instruction: instruction, query: "Q", document: "D")
  }

  private let query = #"messages | selectattr("role", "eq", "query") | map(attribute="content") | first"#
  private let document = #"messages|selectattr('role','==','document')|map(attribute='content')|first"#

  @Test func spacesAreLeftOutAsJinjaDoes() throws {
    let source =
      "a \n {%- set q = \(query) -%} \n b {{ q }} c\n  {% if add_generation_prompt %}\nd\n  {% endif %}\n{{ \(document) }}\n"
    #expect(try text(source) == "ab Q c\nd\nD")
    #expect(try text(source, generates: false) == "ab Q c\nD")
    #expect(try text("{{ \(query) -}}  {# none #}\nx{{- '\\n\\'' + \(document) }}\n\n") == "Qx\n'D\n")
  }

  @Test func anInstructionTakesThePlaceOfTheUsualOne() throws {
    let system = #"messages | selectattr("role", "eq", "system") | map(attribute="content") | first"#
    let source = "{{ \(system) | default(\"usual\") }} {{ \(query) }}{{ \(document) }}"
    #expect(try text(source) == "usual QD")
    #expect(try text(source, instruction: "other") == "other QD")
  }

  @Test func otherTemplatesAreRefused() throws {
    for source in [
      "{{ \(query) }}", "{{ \(document) }}", "{% for m in messages %}{% endfor %}",
      "{{ messages[0].content }}",
      "{{ \(query) | upper }}", "{% if x %}{% endif %}", "{{ unknown }}", "{{ 'a }}", "{{ \(query)",
      "{% endif %}",
      "{% if add_generation_prompt %}", "{% set = 1 %}", "{{ 'a' ~ 'b' }}", "{{}}", "{", "{%", "",
      #"{{ messages | selectattr("role", "eq", "user") | map(attribute="content") | first }}"#,
    ] {
      let error = try #require(throws: ApusError.self) { try text(source) }
      #expect(error.kind == .unsupportedModel, "\(source): \(error)")
    }
  }
}
