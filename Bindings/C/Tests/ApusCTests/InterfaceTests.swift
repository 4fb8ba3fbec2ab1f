import CApus
import CLibrary
import Testing

/// The interface as a program in C sees it; `Tests/c/interface.c` has the rest.
@Suite struct InterfaceTests {
  /// A program of a later version has more fields in its structs, of which this library knows nothing.
  @Test func structsOfLaterProgramsAreRead() throws {
    struct Later {
      var image = apus_image()
      var more: (Int64, Int64) = (-1, -1)
    }
    let pixels = [UInt8](repeating: 7, count: 12)
    pixels.withUnsafeBytes { bytes in
      var images = [Later(), Later()]
      for index in images.indices {
        images[index].image.size = Int64(MemoryLayout<Later>.stride)
        images[index].image.kind = Int32(APUS_IMAGE_RGB.rawValue)
        images[index].image.data = bytes.baseAddress
        (images[index].image.width, images[index].image.height) = (2, 2)
      }
      images[1].image.width = -3
      images.withUnsafeBytes { images in
        var error: UnsafeMutablePointer<apus_error>?
        let first = images.baseAddress?.assumingMemoryBound(to: apus_image.self)
        // No model is named: the handle is what is refused first.
        #expect(apus_embed_images(nil, first, 2, nil, nil, 0, &error) == APUS_ARGUMENT)
        #expect(error.map { String(cString: $0.pointee.problem) } == "the model: NULL")
        apus_free(error)
      }
    }
  }

  @Test func anErrorSaysWhatWhereAndWhatToDo() throws {
    var (model, error): (OpaquePointer?, UnsafeMutablePointer<apus_error>?) = (nil, nil)
    #expect(apus_open("/no/model.tflite", "tensors", nil, nil, &model, &error) == APUS_FILE)
    let found = try #require(error)
    #expect(found.pointee.size == Int64(MemoryLayout<apus_error>.stride))
    #expect(String(cString: try #require(found.pointee.file)) == "/no/model.tflite")
    #expect(String(cString: try #require(found.pointee.message)).contains("/no/model.tflite"))
    apus_free(error)
    error = nil
    #expect(
      apus_open("/no/model.tflite", "tensors", "{\"presicion\": 1}", nil, &model, &error) == APUS_ARGUMENT)
    #expect(String(cString: try #require(error?.pointee.problem)).contains("'presicion'"))
    #expect(String(cString: try #require(error?.pointee.expected)).contains("precision"))
    apus_free(error)
    // Whoever wants the status alone passes no place for the error.
    #expect(apus_open(nil, nil, nil, nil, &model, nil) == APUS_ARGUMENT && model == nil)
  }

  @Test func everyTaskListsItsSettings() throws {
    var (json, error): (UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<apus_error>?) = (nil, nil)
    #expect(apus_library_json(&json, &error) == APUS_OK)
    let text = String(cString: try #require(json))
    for word in ["\"tensors\"", "\"text_model\"", "\"shapes\"", "\"precision\"", "\"threads\""] {
      #expect(text.contains(word))
    }
    apus_free(json)
  }
}
