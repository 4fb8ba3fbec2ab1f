import TensorCore
import Testing

@testable import Apus

/// A template is a sentence with a place for the label.
@Suite struct PromptTemplateTests {
  @Test func theLabelGoesWhereTheBracesAre() throws {
    let templates = try PromptTemplates(["a photo of {}.", "{} and {}"])
    #expect(templates.prompts("a swift") == ["a photo of a swift.", "a swift and a swift"])
  }

  @Test func bracesInALabelStay() throws {
    #expect(try PromptTemplates(["<{}>"]).prompts("{}") == ["<{}>"])
    #expect(try PromptTemplates(["{}{}"]).prompts("{}") == ["{}{}"])
  }

  @Test(arguments: [[], ["no place"], ["{}", "{ }"]])
  func aTemplateWithoutAPlaceIsRefused(templates: [String]) {
    #expect { try PromptTemplates(templates) } throws: { ($0 as? ApusError)?.kind == .argument }
  }
}
