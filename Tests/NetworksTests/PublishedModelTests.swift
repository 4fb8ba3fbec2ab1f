import Formats
import Images
import JSONCoding
import Models
import Networks
import TensorCore
import TestSupport
import Testing

/// Folders as they are published open up to their weights: all that their small files say is known.
struct PublishedModelTests {
  private static let opened = PublishedModel.all.filter { $0.refused == nil }

  @Test func theCollectionIsThere() {
    #expect(PublishedModel.all.count == 300 && PublishedModel.versions.count == 20)
  }

  @Test(arguments: opened) func itOpens(_ model: PublishedModel) throws {
    let folder = try model.folder()
    let opened: OpenedModel
    do throws(ApusError) {
      opened = try OpenedModel(folder.path)
    } catch {
      // Convolutions of timm are counted in the weights, which are the first thing that is missing.
      #expect(model.name.hasPrefix("timm/") && error.file?.hasSuffix("model.safetensors") == true, "\(error)")
      return
    }
    #expect(!opened.networks.isEmpty)
    #expect(opened.preparation.notes.isEmpty)
    if let classes = model.content["library"]?["classes"]?.int,
      case .classifier(let labels?, _) = opened.outputs
    {
      #expect(labels.count == classes)
    }
  }

  @Test(arguments: PublishedModel.all.filter { $0.refused != nil })
  func itIsRefusedForWhatItIs(_ model: PublishedModel) throws {
    let folder = try model.folder()
    let error = try #require(throws: ApusError.self) { try OpenedModel(folder.path) }
    #expect([.unsupportedModel, .configuration].contains(error.kind))
    let reason = try #require(model.refused)
    #expect("\(error)".contains(reason), "\(error)")
  }

  /// What a class of the library assumes where a file says nothing.
  @Test(arguments: opened.filter { $0.content["library"]?["assumed"] != nil })
  func whatIsNotStatedIsAsInTheLibrary(_ model: PublishedModel) throws {
    guard case .object(let assumed)? = model.content["library"]?["assumed"] else { return }
    let folder = try model.folder()
    let record = ConfigurationRecord()
    _ = try ModelArchitecture.load(try ModelFolder(folder.path).recording(in: record))
    let settings = record.settings.filter { $0.file == "config.json" }
    #expect(!settings.isEmpty)
    for setting in settings {
      guard let known = assumed.first(where: { $0.key == ExactText(setting.key) })?.value else { continue }
      // The library has two names for GELU by the hyperbolic tangent.
      let value = setting.value == .string("gelu_new") ? .string("gelu_pytorch_tanh") : setting.value
      let isSame = known.double.map { $0 == value.double } ?? (known == value)
      #expect(isSame, "\(setting.key) is \(setting.text), in the library \(JSONText.text(of: known))")
    }
  }

  @Test(arguments: opened.filter { $0.content["library"]?["pixels"] != nil })
  func picturesArePreparedAsByTheLibrary(_ model: PublishedModel) throws {
    let pixels = try #require(model.content["library"]?["pixels"])
    guard case .array(let size)? = pixels["size"], case .array(let grey)? = pixels["grey"] else { return }
    let folder = try model.folder()
    let processor = try #require(try ImageProcessor.find(in: try ModelFolder(folder.path)))
    let extents = try #require(processor.size)
    #expect([extents.height, extents.width] == size.compactMap(\.int))
    let input = TensorType(.float32, try Shape([1, extents.height, extents.width, 3]))
    let image = try RGBImage(width: 300, height: 260, pixels: [UInt8](repeating: 131, count: 300 * 260 * 3))
    let values = try Preprocessor(processor.profile, input: input).tensor(image).elements(of: Float.self)
    let middle = ((extents.height / 2) * extents.width + extents.width / 2) * 3
    for (channel, expected) in grey.compactMap(\.double).enumerated() {
      let value = Double(values[middle + channel])
      #expect(abs(value - expected) < 1e-5, "channel \(channel): \(value), in the library \(expected)")
    }
  }

  /// What the modules of sentence-transformers come to.
  @Test(arguments: opened.filter { $0.content["sentences"] != nil })
  func sentencesArePooledAsTheModulesSay(_ model: PublishedModel) throws {
    let sentences = try #require(model.content["sentences"])
    let folder = try model.folder()
    let opened = try OpenedModel(folder.path)
    guard case .encoder(let normalizes) = opened.outputs else {
      Issue.record("no encoder")
      return
    }
    #expect(JSONValue.bool(normalizes) == sentences["normalizes"])
    #expect(opened.preparation.texts.maximumTokens == sentences["length"]?.int)
    let tower = try #require(try opened.network(for: .text)?.textTower)
    // The first token is what a model looks at that classes are made of by it alone.
    #expect((tower.pooledToken(of: [5, 6, 7]) == 0) == (sentences["mode"]?.string == "cls"))
  }

  /// What each version of transformers writes for the defaults of its classes, those for writing text among it.
  @Test(arguments: PublishedModel.versions)
  func theDefaultsOfAllVersionsAreKnown(_ model: PublishedModel) throws {
    let folder = try model.folder()
    let opened = try OpenedModel(folder.path)
    #expect(opened.preparation.notes.isEmpty)
  }
}
