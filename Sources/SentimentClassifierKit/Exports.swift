// What results, options and errors are called belongs to the kit: it is imported alone.
@_exported import Apus
