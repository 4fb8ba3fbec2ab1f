import Formats
import TensorCore
import Testing

/// An object of nothing but a list of labels is that list; a class may be named `labels` all the same.
struct ListedLabelTests {
  private func labels(_ text: String) throws -> [String] { try LabelFile(Array(text.utf8)).labels }

  @Test(
    arguments: [
      (#"{"labels": ["a", "b", "c"]}"#, ["a", "b", "c"]), (#"{"labels": ["a"]}"#, ["a"]),
      // Classes of that name.
      (#"{"labels": 0}"#, ["labels"]), (#"{"labels": 0, "other": 1}"#, ["labels", "other"]),
      (#"{"labels": {"advice": "Wait."}}"#, ["labels"]),
    ] as [(String, [String])])
  func theOnlyListUnderLabelsIsTaken(text: String, expected: [String]) throws {
    let found = try labels(text)
    #expect(found == expected)
  }

  @Test(arguments: [
    #"{"classes": ["a", "b"]}"#, #"{"labels": ["a", 5]}"#, #"{"labels": ["a", "b"], "version": 1}"#,
    #"{"labels": [{"label": "a"}]}"#,
  ])
  func otherListsAreToBeWrittenByThemselves(_ text: String) {
    let error = #expect(throws: ApusError.self) { try labels(text) }
    #expect(error?.expected?.contains("the list of labels by itself") == true, "\(text)")
  }

  @Test func anEmptyListHasNoLabel() {
    let error = #expect(throws: ApusError.self) { try labels(#"{"labels": []}"#) }
    #expect(error?.problem == "no label")
  }
}
