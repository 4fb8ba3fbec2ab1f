import Apus
import TestSupport
import Testing

/// A program that tokenizes texts itself, and gives their ids to a model.
@Suite struct TokenizerSessionTests {
  @Test(arguments: ["bert-classifier", "distilbert-classifier"])
  func aBatchGivesTheClassifiersLogits(_ name: String) throws {
    let fixture = try FolderFixture(name)
    let tokenizer = try Tokenizer(fixture.path)
    let encodings = tokenizer.encode(
      fixture.expected.texts, truncation: try tokenizer.truncation(to: 16), padding: try tokenizer.padding())
    #expect(Set(encodings.map(\.ids.count)).count == 1)
    let session = try InferenceSession(fixture.path)
    let outputs = try session.blocking.run([
      "input_ids": encodings.tensor(\.ids), "attention_mask": encodings.tensor(\.attentionMask),
    ])
    expectClose(try outputs[0].tensor.elements(), try #require(fixture.expected.logits))
    let ids = encodings.map { encoding in Array(encoding.ids[encoding.content]) }
    #expect(ids == fixture.expected.ids)
    #expect(encodings[0].tokens.count == encodings[0].ids.count)
    #expect(tokenizer.decode(encodings[0].ids) != "")
  }

  @Test func textsOfSeveralLengthsAreNoTensor() throws {
    let tokenizer = try Tokenizer(Checkout.modelFolder("bert-classifier"))
    let encodings = tokenizer.encode(["one", "one two three four"])
    #expect { try encodings.tensor(\.ids) } throws: { ($0 as? ApusError)?.kind == .argument }
    #expect { try [Encoding]().tensor(\.ids) } throws: { ($0 as? ApusError)?.kind == .argument }
  }
}
