/** What the caller must tell apart of a store's failures; every other error is a fault of the disk or the network. */
export type FileErrorCode = 'FileMissing' | 'FileTooLarge' | 'NoSpace' | 'Unavailable' | 'WrongOffset'

export class FileError extends Error {
  override readonly name = 'FileError'
  readonly code: FileErrorCode

  constructor(code: FileErrorCode, options?: ErrorOptions) {
    super(messages[code], options)
    this.code = code
  }
}

const messages: Readonly<Record<FileErrorCode, string>> = {
  FileMissing: 'The file is not in the store.',
  FileTooLarge: 'The file is longer than its limit.',
  NoSpace: 'The store has no space left.',
  Unavailable: 'The store cannot be reached.',
  WrongOffset: 'The file does not end at the given offset.',
}
