import KernelBenchmarks
import TensorCore
import Testing

/// The forms of shapes that help and errors state.
@Suite struct KernelShapeFormTests {
  @Test func everyFamilyIsNamedOnce() {
    let forms = KernelFamily.shapeForms
    let families = forms.split(separator: "; ").flatMap { form in
      form.prefix { $0 != ":" }.split(separator: ", ").map(String.init)
    }
    #expect(families.sorted() == KernelFamily.allCases.map(\.rawValue).sorted())
    #expect(forms.split(separator: "ROWSxWIDTH").count == 2)
  }

  @Test func aShapeOfTheStatedFormIsRead() throws {
    for family in KernelFamily.allCases {
      let text = family.shapeForm.replacing(/[A-Z]+(?:-[A-Z]+)*/, with: "3")
      #expect(try KernelShape(parsing: text).family == family, "\(text)")
      let error = #expect(throws: ApusError.self) { try KernelShape(parsing: "\(family.rawValue):0") }
      #expect(error?.expected?.hasPrefix(family.shapeForm) == true)
    }
  }
}
