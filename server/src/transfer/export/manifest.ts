/** A file of an export. */
export interface ExportedFile {
  readonly path: string
  readonly bytes: number
  /** In hexadecimal. */
  readonly sha256: string
  readonly rows: number
}

/** `manifest.json`: what an export holds. It is written last, so that an export without it is not complete. */
export interface ExportManifest {
  readonly createdAt: string
  /** The release that wrote it. */
  readonly clew: string
  readonly files: readonly ExportedFile[]
  /** Rows of each table in `dump.sql`. */
  readonly tables: Readonly<Record<string, number>>
  /** What is left out. */
  readonly notes: readonly string[]
}
