/** What an archive came to. */
export interface Archive {
  readonly name: string
  readonly files: number
  readonly sizeBytes: number
  /** Of those, what no earlier backup had. */
  readonly newBytes: number
  /** The pieces that the index is cut into. */
  readonly index: readonly string[]
}

/**
 * The index of an archive: what its pieces are, in order, a JSON value a line. Read from its beginning it puts the archive
 * together without holding it.
 */
export type IndexLine =
  | { readonly kind: 'folder'; readonly path: string; readonly mode: number }
  | { readonly kind: 'link'; readonly path: string; readonly to: string }
  | PieceLine

/** A piece, and the files whose bytes it holds one after another. */
export interface PieceLine {
  readonly kind: 'piece'
  readonly sha256: string
  readonly parts: readonly FilePart[]
}

/** Some bytes of a file. */
export interface FilePart {
  /** Relative to the archive's folder, with slashes. */
  readonly path: string
  /** Of the whole file. */
  readonly fileBytes: number
  readonly mode: number
  readonly modifiedMs: number
  /** Where the part begins in its file. */
  readonly offset: number
  readonly sizeBytes: number
}
