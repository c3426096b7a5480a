/** Memory for the files of images that are being changed. */
export interface SourceMemory {
  /** Lends memory of a size while it is worked on. */
  holding<T>(sizeBytes: number, work: (memory: Buffer) => Promise<T>): Promise<T>
}

/** Most files of images are shorter; memory for longer ones is given back. */
const keptBytes = 4 * 1024 * 1024

/**
 * Memory that is used again: new memory for each file has the collector go through the heap every few images, and that
 * takes half as long as changing them.
 */
export function createSourceMemory(): SourceMemory {
  const free: Buffer[] = []
  return {
    async holding(sizeBytes, work) {
      if (sizeBytes > keptBytes) return work(Buffer.allocUnsafeSlow(sizeBytes))
      const memory = free.pop() ?? Buffer.allocUnsafeSlow(keptBytes)
      try {
        return await work(memory.subarray(0, sizeBytes))
      } finally {
        free.push(memory)
      }
    },
  }
}
