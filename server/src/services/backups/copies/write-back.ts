import { open } from 'node:fs/promises'

/** So much is written before the disk is asked to take it. */
const leastBytes = 64 * 1024 * 1024

/** Has the disk take large files while others are written: a flush of all at the end would come on top. */
export interface WriteBack {
  /** Says that so many bytes more of a file were written. */
  wrote(path: string, bytes: number): void
  /** Resolves when no file is open any more. @throws what the disk said */
  end(): Promise<void>
}

/** Begins with the files at hand whenever enough of them waits, one after another. */
export function createWriteBack(): WriteBack {
  let paths = new Set<string>()
  let waitingBytes = 0
  let working: Promise<void> | null = null
  let problem: { readonly error: unknown } | null = null

  const work = async (): Promise<void> => {
    while (waitingBytes >= leastBytes && problem === null) {
      const taken = paths
      paths = new Set()
      waitingBytes = 0
      for (const path of taken) await flushFile(path)
    }
  }
  return {
    wrote(path, bytes) {
      paths.add(path)
      waitingBytes += bytes
      if (waitingBytes < leastBytes) return
      working ??= work()
        .catch((error: unknown) => {
          problem = { error }
        })
        .finally(() => {
          working = null
        })
    },
    async end() {
      waitingBytes = 0
      await working
      if (problem !== null) throw problem.error
    },
  }
}

async function flushFile(path: string): Promise<void> {
  const file = await open(path, 'r')
  try {
    await file.datasync()
  } finally {
    await file.close()
  }
}
