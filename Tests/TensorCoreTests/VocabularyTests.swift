import TensorCore
import Testing

@Suite struct VocabularyTests {
  /// A process that says nothing is a program in Swift.
  @Test func messagesSpeakSwiftUnlessTold() {
    #expect(Door.current == .library)
    #expect("\(Setting.textModel)" == "the option textModel" && "\(Setting.model)" == "the model")
    #expect(Setting.preprocessing.given("clip") == "the option preprocessing (clip)")
    #expect("\(Doing.embedText)" == "TextEmbedder" && "\(Doing.calibrate)" == "'apus calibrate'")
  }

  @Test func eachDoorHasItsWords() {
    #expect(Setting.textModel.spelled(for: .command) == "--text-model")
    #expect(Setting.precision.spelled(for: .command, "bf16") == "--precision bf16")
    #expect(Setting.textModel.spelled(for: .server) == "--text-model, 'text_model' in the file of --models")
    #expect(Setting.pixelLimit.spelled(for: .server) == "--max-pixels")
    // No command has a flag for it.
    #expect(Setting.shapes.flag == nil && Setting.shapes.spelled(for: .command) == "'shapes'")
    #expect(Setting.scoring.spelled(for: .server) == "--score, 'score' in the file of --models")
    #expect(Setting.queryTextModel.spelled(for: .server) == "--photos-text-model")
    #expect(Doing.embedText.spelled(for: .command) == "'apus embed --text'")
    #expect(Setting.takesFloats.spelled(for: .command, "float") == "--io float")
    #expect(Setting.takesFloats.spelled(for: .binding) == "'take_floats'")
    #expect(Setting.pressureMargin.spelled(for: .library) == "the option MemoryPressure.Options.margin")
    #expect(Setting.timeToLive.spelled(for: .server) == "--keep-alive, 'keep_alive' in the file of --models")
    #expect(Setting.textModel.spelled(for: .binding, "clip") == "'text_model' (clip)")
    #expect(Doing.embedText.spelled(for: .binding) == "the task 'text-embedding'")
    #expect(Doing.calibrate.spelled(for: .binding) == "'apus calibrate'")
  }
}
