/** An object whose bytes are an image, as the caller may see it. */
export interface ImageSource {
  /** The name of its file, which is never changed. */
  readonly version: string
  /** Null where it is not known. */
  readonly sizeBytes: number | null
  /** Reads its first bytes, as many as there is memory for, and resolves with their number. */
  readonly read: (memory: Buffer) => Promise<number>
}

/** Memory for the files of images that are being changed. */
export interface SourceMemory {
  /** Reads a file, at most one byte beyond `maxBytes`, and holds it while it is worked on. */
  holding<T>(source: ImageSource, maxBytes: number, work: (bytes: Buffer) => Promise<T>): Promise<T>
}

/** Most files of images are shorter; memory for longer ones is given back. */
const keptBytes = 4 * 1024 * 1024

/**
 * Memory that is used again: new memory for each file has the collector go through the server's heap every few images, and
 * that takes half as long as changing them.
 */
export function createSourceMemory(): SourceMemory {
  const free: Buffer[] = []
  const take = (bytes: number): Buffer =>
    bytes > keptBytes ? Buffer.allocUnsafeSlow(bytes) : (free.pop() ?? Buffer.allocUnsafeSlow(keptBytes))
  const giveBack = (memory: Buffer): void => {
    if (memory.length === keptBytes) free.push(memory)
  }
  const holdIn = async <T>(
    { read }: ImageSource,
    bytes: number,
    work: (bytes: Buffer, isCut: boolean) => Promise<T>,
  ): Promise<T> => {
    const memory = take(bytes)
    try {
      const length = await read(memory)
      return await work(memory.subarray(0, length), length === memory.length)
    } finally {
      giveBack(memory)
    }
  }
  return {
    holding(source, maxBytes, work) {
      const most = maxBytes + 1
      const expected = Math.min(most, (source.sizeBytes ?? maxBytes) + 1)
      // A row may tell another size than its file has.
      return holdIn(source, expected, (bytes, isCut) =>
        isCut && bytes.length < most ? holdIn(source, most, work) : work(bytes),
      )
    },
  }
}
