import Formats
import Graph
import Models
import TensorCore
import Text

/// The form in which a model is stored. Defaults say nothing.
package protocol ModelForm: Sendable {
  /// What reports call it.
  var name: String { get }
  /// The file or folder.
  var path: String { get }
  /// How the names of files in this form end; nil of a folder.
  var fileEnding: String? { get }
  /// The path that opens the model: the same, or the folder whose list of modules names a folder inside.
  var outerPath: String { get }
  var outputs: ModelOutputs { get }
  /// The model of which it is one tower in a folder of its own, with embeddings in the space of both, or what keeps it from
  /// being one; nil of every other.
  var pair: Result<TowerPair, ApusError>? { get }
  /// Those that can be run, the main one of a file first; of a folder those for pictures and texts.
  var networks: [Network] { get }
  var preparation: Preparation { get }

  /// Whether it is computed in numbers that it states, whatever precision is asked for.
  var statesNumbers: Bool { get }
  /// Bytes of the file, or of the tensors in the folder.
  var byteCount: Int { get }
  /// What it says of itself, or else what it is.
  var description: String { get }
  /// The keys of its signatures.
  var signatures: [String] { get }
  var subgraphCount: Int { get }
  /// What makes a classifier of an encoder beside the network, where it cannot be read, in a sentence.
  var unreadClasses: String? { get }
  /// The element type and the bytes of each stored weight.
  func weightSizes() throws(ApusError) -> [(type: String, byteCount: Int)]
  /// What configuration files come to for networks, tokenizer and pictures, with what the absence of a key means.
  func settings() -> [ConfigurationRecord.Setting]
  /// The tensors of a folder.
  var tensors: (folder: ModelFolder, weights: SafetensorsCollection)? { get }

  /// The network that takes pictures, or texts; nil when there is none.
  /// - Parameter output: the position of the output that a network for texts has first.
  func network(for part: ModelPart, readingFirst output: Int) throws(ApusError) -> Network?
  /// The network of that name; nil means the main or only one.
  /// - Throws: ``ApusError`` of kind `argument` when there is no such one, or none is named of several.
  func network(named name: String?) throws(ApusError) -> Network
  /// Where packed weights of a network are shared with all that have it open; nil where each packs its own.
  func packedWeights(of network: Network, _ options: CompileOptions) -> PackedWeightStore?

  /// The tokenizer that the model was trained with.
  func tokenizer() throws(ApusError) -> Tokenizer
  /// The names of the classes that it brings.
  /// - Parameter output: the position of the scores among the outputs.
  func labels(ofOutput output: Int) throws(ApusError) -> LabelFile?
  /// The positions of those outputs whose elements it names.
  func labelledOutputs() throws(ApusError) -> [Int]
  /// The names that it gives its outputs, beside those of their tensors.
  func outputNames() throws(ApusError) -> [String]
  /// What is made of the scores of classes; nil when they are left as they are.
  func scoreCalibration(ofOutput output: Int) throws(ApusError) -> ScoreCalibration?
  /// The score below which a class is not worth showing; nil when nothing is said.
  func scoreThreshold(ofOutput output: Int) throws(ApusError) -> Float?
}

extension ModelForm {
  package var outerPath: String { path }
  package var fileEnding: String? { nil }
  package var pair: Result<TowerPair, ApusError>? { nil }
  package var statesNumbers: Bool { false }
  package var signatures: [String] { [] }
  package var subgraphCount: Int { 1 }
  package var unreadClasses: String? { nil }
  package var tensors: (folder: ModelFolder, weights: SafetensorsCollection)? { nil }
  package func settings() -> [ConfigurationRecord.Setting] { [] }
  package func packedWeights(of network: Network, _ options: CompileOptions) -> PackedWeightStore? { nil }
  package func labels(ofOutput output: Int) throws(ApusError) -> LabelFile? { nil }
  package func labelledOutputs() throws(ApusError) -> [Int] { [] }
  package func outputNames() throws(ApusError) -> [String] { [] }
  package func scoreCalibration(ofOutput output: Int) throws(ApusError) -> ScoreCalibration? { nil }
  package func scoreThreshold(ofOutput output: Int) throws(ApusError) -> Float? { nil }
}
