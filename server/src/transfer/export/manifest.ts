/** A file of an export. */
export interface ExportedFile {
  readonly path: string
  readonly bytes: number
  /** In hexadecimal. */
  readonly sha256: string
  readonly rows: number
}

/** A stored object without its file. */
export interface MissingFile {
  /** `bucket/key`. */
  readonly object: string
  readonly reason: string
}

/** `manifest.json`: what an export holds. It is written last, so that an export without it is not complete. */
export interface ExportManifest {
  readonly createdAt: string
  /** The release that wrote it. */
  readonly clew: string
  readonly files: readonly ExportedFile[]
  /** Rows of each table in `dump.sql`. */
  readonly tables: Readonly<Record<string, number>>
  /** The files of stored objects, which `storage.ndjson` lists with their checksums; null where they are left out. */
  readonly storage: { readonly files: number; readonly bytes: number } | null
  /** Stored objects whose files could not be had. */
  readonly missing: readonly MissingFile[]
  /** What is left out. */
  readonly notes: readonly string[]
}
