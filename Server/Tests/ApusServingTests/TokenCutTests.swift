import Apus
import ServingTestSupport
import Testing

@testable import ApusServing

/// Tokens that clients made are cut as texts are, or fail as those do.
@Suite struct TokenCutTests {
  private let model: ServedModel
  private let server: ModelServer

  init() throws {
    let sentence = ServedModelOptions(Checkout.modelFolder("bert-sentence"), name: "sentence")
    server = try ModelServer([sentence], limits: .patient)
    model = try server.model("sentence")
  }

  /// Two more than the model takes; each end is another.
  private func long() async throws -> [Int32] {
    let most = try #require(try await model.facts().maximumTokens)
    return [98] + [Int32](repeating: 5, count: most) + [105]
  }

  private func embed(
    _ ids: [Int32], truncates: Bool, _ side: TextSide? = nil
  ) async throws -> Result<TextEmbedding, ServingError> {
    let outcomes = try await model.embed([.tokens(ids)], truncates: truncates, cutting: side)
    return outcomes[0]
  }

  @Test(arguments: [nil, TextSide.left, TextSide.right])
  func tokensAreCutAtTheEndThatIsNamed(_ side: TextSide?) async throws {
    let ids = try await long()
    let cut = try await embed(ids, truncates: true, side).get()
    let rest = side == .left ? ids.dropFirst(2) : ids.dropLast(2)
    let whole = try await embed(Array(rest), truncates: false).get()
    #expect(cut.values == whole.values && cut.tokenCount == rest.count)
    #expect(cut.wasTruncated && !whole.wasTruncated)
  }

  @Test func tooManyTokensAreTooLarge() async throws {
    let ids = try await long()
    let error = try await embed(ids, truncates: false).error
    #expect(error?.kind == .tooLarge && error?.message.contains("\(ids.count - 2) tokens") == true)
  }
}
