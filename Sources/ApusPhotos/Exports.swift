// What an index speaks of: errors, pictures, precision.
@_exported import Apus

#if !Photos
  #error("ApusPhotos needs the trait 'Photos' of the package: leave out 'traits: []', or name it there.")
#endif
