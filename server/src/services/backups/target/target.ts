/**
 * Where backups are kept: pieces under names of letters, digits, dots, dashes and slashes. A piece is whole or not there, also
 * one that takes the place of another.
 */
export interface BackupTarget {
  /** For people: a folder, or a bucket's address. */
  readonly name: string
  /** @throws CLEW_BACKUP_TARGET where it cannot be written, or is full */
  put(name: string, bytes: Buffer): Promise<void>
  has(name: string): Promise<boolean>
  /** @throws CLEW_BACKUP_DAMAGED where it is not there */
  get(name: string): Promise<Buffer>
  /** The file that a piece is in, for another thread to read; null where pieces are no files. */
  fileOf(name: string): string | null
  list(prefix: string): AsyncIterable<ListedPiece>
  remove(name: string): Promise<void>
  /** Resolves when what was put outlives a power cut. */
  settle(): Promise<void>
  close(): void
}

export interface ListedPiece {
  readonly name: string
  readonly sizeBytes: number
}
