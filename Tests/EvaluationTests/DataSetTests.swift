import Apus
import Foundation
import TestSupport
import Testing

@testable import Evaluation

/// What lies in a folder or stands in a list becomes samples and labels.
@Suite struct DataSetTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Files that are there; nothing of them is read.
  private func touch(_ names: String...) throws { for name in names { try folder.write(name, "x") } }

  private func items(_ set: DataSet) -> [String] {
    set.items.map { item in
      let name = item.name.replacingOccurrences(of: folder.path + "/", with: "")
      return "\(name) \(item.label ?? "-")"
    }
  }

  @Test func aFolderForEachClass() throws {
    try touch(
      "set/dog/b.jpg", "set/cat/a.PNG", "set/cat/deep/c.jpeg", "set/.hidden/d.jpg", "set/cat/notes.txt")
    let set = try DataSet(folder.path + "/set/", kind: .pictures)
    #expect(set.form == .folderPerClass && set.isLabelled)
    #expect(items(set) == ["set/cat/a.PNG cat", "set/cat/deep/c.jpeg cat", "set/dog/b.jpg dog"])
    #expect(set.labels == ["cat", "dog"])
  }

  @Test func aFolderOfPicturesHasNoLabels() throws {
    try touch("set/b.jpg", "set/a.jpg")
    let set = try DataSet(folder.path + "/set", kind: .pictures)
    #expect(set.form == .pictures && !set.isLabelled && items(set) == ["set/a.jpg -", "set/b.jpg -"])
  }

  @Test func picturesNamedBySynset() throws {
    try touch("set/images/n00000002_dog.JPEG", "set/images/n00000001_a_cat.JPEG")
    try folder.write("set/classes.tsv", "0\tn00000001\tcat\n1\tn00000002\tdog\n")
    for path in ["/set", "/set/images"] {
      let set = try DataSet(folder.path + path, kind: .pictures)
      #expect(set.form == .synsetNames && set.labels == ["n00000001", "n00000002"])
      #expect(set.table?.names == ["cat", "dog"])
    }
    // Without classes nothing says what the synsets are.
    try FileManager.default.removeItem(atPath: folder.path + "/set/classes.tsv")
    let bare = try DataSet(folder.path + "/set/images", kind: .pictures)
    #expect(bare.form == .pictures && !bare.isLabelled)
    let other = try folder.write("other.txt", "n00000002 dog, hound\nn00000001 cat\n")
    let named = try DataSet(folder.path + "/set/images", kind: .pictures, classes: other)
    #expect(named.form == .synsetNames && named.table?.names == ["dog, hound", "cat"])
  }

  @Test(arguments: [
    "path,label\na.png,cat\n\"b, c.png\",\"the \"\"best\"\" dog\"\n",
    "label,path\ncat,a.png\n\"the \"\"best\"\" dog\",\"b, c.png\"\n",
    "a.png,cat\r\n\"b, c.png\",\"the \"\"best\"\" dog\"\r\n",
    "cat,a.png\n\"the \"\"best\"\" dog\",\"b, c.png\"",
    "\u{FEFF}id,label,filename\n7,cat,a.png\n8,\"the \"\"best\"\" dog\",\"b, c.png\"\n",
  ])
  func listsOfPictures(text: String) throws {
    let list = try folder.write("lists/list.csv", text)
    let set = try DataSet(list, kind: .pictures)
    #expect(items(set) == ["lists/a.png cat", "lists/b, c.png the \"best\" dog"])
    #expect(set.form == .pictureList && set.path == list)
  }

  @Test func pathsMayBeAbsolute() throws {
    let list = try folder.write("list.txt", "/pictures/a.png, cat\nb.png, dog\n")
    #expect(items(try DataSet(list, kind: .pictures)) == ["/pictures/a.png cat", "b.png dog"])
    let bare = try folder.write("bare.txt", "a.png\n\nb.png\n")
    #expect(items(try DataSet(bare, kind: .pictures)) == ["a.png -", "b.png -"])
  }

  @Test func listsOfTexts() throws {
    let tabs = try folder.write("dev.tsv", "sentence\tlabel\nit 's \"good\", really\t1\n\"odd\t0\n")
    #expect(items(try DataSet(tabs, kind: .texts)) == ["it 's \"good\", really 1", "\"odd 0"])
    let lines = try folder.write("lines.txt", "one, two\nthree\n")
    #expect(items(try DataSet(lines, kind: .texts)) == ["one, two -", "three -"])
    let quoted = try folder.write("quoted.csv", "\"two\nlines\",1\n")
    #expect(items(try DataSet(quoted, kind: .texts)) == ["two\nlines 1"])
  }

  /// As spreadsheets write them where a comma stands in decimals.
  @Test(arguments: ["text;label\ngood;1\n\"bad; worse\";0\n", "good;1\r\n\"bad; worse\";0\r\n"])
  func valuesBetweenSemicolons(text: String) throws {
    let list = try folder.write("list.csv", text)
    #expect(items(try DataSet(list, kind: .texts)) == ["good 1", "bad; worse 0"])
  }

  @Test func textsMayHaveSemicolons() throws {
    let list = try folder.write("list.csv", "one; two\nthree\n")
    #expect(items(try DataSet(list, kind: .texts)) == ["one; two -", "three -"])
  }

  @Test(arguments: [
    ("a.csv", "\"a.png,cat\n", "a quote without end", "line 1"),
    ("a.csv", "a.png,cat\n\"b.png\"x,dog\n", "something behind a closing quote", "line 2"),
    ("a.csv", "a.png,cat\nb.png,\n", "no label", "line 2"),
    ("a.csv", "a.png,cat\nb.png\n", "no label", "line 2"),
    ("a.csv", "path,label\na.png,cat,\nb, c.png,dog\n", "3 values", "line 3"),
    ("a.tsv", "a.png\tcat\nb.png\tdog\tbig\n", "3 values", "line 2"),
    ("a.csv", "a.png,cat,3\n", "3 columns", "line 1"), ("a.csv", "\n\n", "no row", ""),
    ("a.csv", "path,label\n", "no sample", ""),
  ])
  func listsThatMakeNoSense(name: String, text: String, problem: String, place: String) throws {
    let list = try folder.write(name, text)
    #expect { try DataSet(list, kind: .pictures) } throws: { error in
      let error = error as? ApusError
      return error?.kind == .configuration && error?.file == list && error?.problem.contains(problem) == true
        && (error?.location ?? "") == place
    }
  }

  @Test func bytesThatAreNotUTF8() throws {
    let list = try folder.write("latin.tsv", Array("fine\t1\nna".utf8) + [0xEF] + Array("ve\t0\n".utf8))
    #expect { try DataSet(list, kind: .texts) } throws: {
      ($0 as? ApusError)?.location == "line 2" && ($0 as? ApusError)?.expected == "UTF-8"
    }
  }

  @Test(arguments: [DataSet.Kind.pictures, .texts]) func textInUTF16(_ kind: DataSet.Kind) throws {
    let text = "path,label\na.png,cat\n".utf16
    let little = text.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    let big = text.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    let cases: [(bytes: [UInt8], problem: String)] = [
      ([0xFF, 0xFE] + little, "is in UTF-16"), ([0xFE, 0xFF] + big, "is in UTF-16"),
      (little, "has bytes of 0, as UTF-16 has"),
    ]
    for (bytes, problem) in cases {
      let list = try folder.write("list.csv", bytes)
      let error = #expect(throws: ApusError.self) { try DataSet(list, kind: kind) }
      #expect(error?.kind == .configuration && error?.problem == problem && error?.file == list)
      #expect(error?.expected == "UTF-8")
    }
  }

  /// By its content or, where that is damaged, by its name.
  @Test func aPictureIsNoList() throws {
    let picture = PNGFile.bytes(width: 2, height: 1, pixels: [1, 2, 3, 4, 5, 6])
    let paths = try [
      folder.write("picture.png", picture), folder.write("picture", picture),
      folder.write("damaged.png", picture.prefix(12)),
    ]
    for path in paths {
      let error = #expect(throws: ApusError.self) { try DataSet(path, kind: .pictures) }
      #expect(error?.kind == .file && error?.problem == "is one picture" && error?.file == path)
      #expect(error?.expected == "a folder or a list")
      let texts = #expect(throws: ApusError.self) { try DataSet(path, kind: .texts) }
      #expect(texts?.problem == "is one picture" && texts?.expected == "a list of texts")
    }
  }

  @Test func aPictureHasOneLabel() throws {
    let list = try folder.write("list.csv", "path,label\na.png,cat\nb.png,dog\na.png,cat\na.png,dog\n")
    let error = #expect(throws: ApusError.self) { try DataSet(list, kind: .pictures) }
    #expect(error?.kind == .configuration && error?.problem == "'a.png' with the label 'dog'")
    #expect(error?.expected == "'cat', as line 2 says" && error?.location == "line 5" && error?.file == list)
    // A text may mean several things.
    let texts = try DataSet(list, kind: .texts)
    #expect(texts.items.count == 4)
  }

  /// An accent may be composed or not: these are two files.
  @Test func namesOfPicturesAreTheirBytes() throws {
    let list = try folder.write("list.csv", "path,label\n\u{E9}.png,cat\ne\u{301}.png,dog\n")
    let set = try DataSet(list, kind: .pictures)
    #expect(set.items.map(\.label) == ["cat", "dog"])
  }

  @Test func labelsAreTheirBytes() throws {
    try touch("set/\u{E9}/a.jpg", "set/e\u{301}/a.jpg")
    let set = try DataSet(folder.path + "/set", kind: .pictures)
    #expect(set.labels.map { ExactText($0) } == ["e\u{301}", "\u{E9}"])
    let list = try folder.write("twice.csv", "path,label\na.png,\u{E9}\na.png,e\u{301}\n")
    #expect(throws: ApusError.self) { try DataSet(list, kind: .pictures) }
  }

  /// Groups of pictures, by names that differ by composition alone.
  @Test func groupsAreOfTheBytesOfNames() throws {
    let names = ["caf\u{E9}.png", "cafe\u{301}.png", "a/\u{301}x.png"]
    let list = try folder.write("list.csv", "path\n" + names.joined(separator: "\n") + "\n")
    let rows = zip(names, ["A", "B", "C"]).map { "\($0),\($1)\n" }.joined()
    let groups = try SampleGroups(contentsOf: try folder.write("groups.csv", "path,group\n" + rows))
    let set = try DataSet(list, kind: .pictures).grouped(by: groups)
    #expect(set.items.map(\.group) == ["A", "B", "C"])
  }

  @Test func foldersThatMakeNoSense() throws {
    try touch("mixed/a.jpg", "mixed/cat/b.jpg", "empty/notes.txt", "set/cat/a.jpg")
    for path in ["/mixed", "/empty", "/nothing"] {
      #expect { try DataSet(folder.path + path, kind: .pictures) } throws: {
        ($0 as? ApusError)?.kind == .file
      }
    }
    #expect { try DataSet(folder.path + "/set", kind: .texts) } throws: {
      ($0 as? ApusError)?.expected?.contains(".tsv") == true
    }
  }
}

/// Files that name classes.
@Suite struct ClassTableTests {
  private func table(_ text: String) throws(ApusError) -> ClassTable { try ClassTable(Array(text.utf8)) }

  @Test(arguments: [
    "0\tn00000001\tcat\n1\tn00000002\tdog\n", "index\tsynset\tname\n1\tn00000002\tdog\n0\tn00000001\tcat\n",
    "n00000001\tcat\nn00000002\tdog\n", "n00000001 cat\nn00000002 dog\n", "cat\tn00000001\ndog\tn00000002\n",
  ])
  func rowsOfAnyOrder(text: String) throws {
    let table = try table(text)
    #expect(table.names == ["cat", "dog"])
    #expect(table.entries.map(\.synset) == ["n00000001", "n00000002"])
  }

  @Test func namesAlone() throws {
    #expect(try table("cat\ndog\n").entries.allSatisfy { $0.synset == nil })
    #expect(try table("[\"cat\", \"dog\"]").names == ["cat", "dog"])
  }

  @Test(arguments: ["index\tsynset\tname\n", "index\tname", "index,synset,name\n", "name\r\n", "Class ID\n"])
  func namesOfColumnsAloneAreNoClass(text: String) throws {
    let error = #expect(throws: ApusError.self) { try table(text) }
    #expect(error?.kind == .configuration && error?.problem == "no class below the names of columns")
  }

  @Test func oneClassIsATable() throws {
    let rows = try ["0\tn00000001\tcat\n", "n00000001\tcat\n", "index\tsynset\tname\n0\tn00000001\tcat\n"]
      .map(table)
    for row in rows { #expect(row.entries == [ClassTable.Entry(synset: "n00000001", name: "cat")]) }
    let name = try table("cat\n")
    #expect(name.names == ["cat"])
  }

  /// It may be a list of classes, or one whose name holds commas.
  @Test func oneLineWithCommasIsRefused() throws {
    let error = #expect(throws: ApusError.self) { try table("cat, dog, bird\n") }
    #expect(error?.kind == .configuration && error?.problem.contains("'cat, dog, bird'") == true)
    let single = try table(#"["cat, dog"]"#)
    #expect(single.names == ["cat, dog"])
  }

  @Test func textInUTF16IsNoTable() throws {
    let bytes = "0\tcat\n1\tdog\n".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    let error = #expect(throws: ApusError.self) { try ClassTable(bytes) }
    #expect(error?.kind == .configuration && error?.expected == "UTF-8")
  }

  @Test func indicesMustBeAll() {
    #expect(throws: ApusError.self) { try table("0\tcat\n0\tdog\n") }
    #expect(throws: ApusError.self) { try table("0\tcat\n2\tdog\n") }
  }
}
