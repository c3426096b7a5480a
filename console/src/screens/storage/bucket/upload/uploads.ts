/** A file on its way to a bucket. */
export interface Upload {
  readonly id: number
  readonly key: string
  readonly file: File
  readonly sentBytes: number
  readonly state: 'waiting' | 'sending' | 'stored' | 'failed' | 'canceled'
  /** Why it failed. */
  readonly problem: string | null
}

/** Sends a file; rejects with an error whose message is for the operator. */
export type SendFile = (upload: Upload, signal: AbortSignal, onProgress: (sentBytes: number) => void) => Promise<void>

/** The uploads of a screen, a few at a time. */
export interface Uploads {
  readonly list: () => readonly Upload[]
  readonly subscribe: (changed: () => void) => () => void
  add(files: readonly { readonly file: File; readonly key: string }[]): void
  cancel(id: number): void
  retry(id: number): void
  /** Forgets those that have ended. */
  clear(): void
}

const atOnce = 3

/** @param onStored called after each file that was stored */
export function createUploads(send: SendFile, onStored: () => void): Uploads {
  let uploads: readonly Upload[] = []
  let lastId = 0
  const watchers = new Set<() => void>()
  const aborts = new Map<number, AbortController>()
  const set = (next: readonly Upload[]): void => {
    uploads = next
    for (const changed of watchers) changed()
  }
  const change = (id: number, facts: Partial<Upload>): void =>
    set(uploads.map((upload) => (upload.id === id ? { ...upload, ...facts } : upload)))
  const start = (): void => {
    for (const upload of uploads) {
      if (aborts.size >= atOnce) return
      if (upload.state === 'waiting') void run(upload)
    }
  }
  const run = async (upload: Upload): Promise<void> => {
    const { id } = upload
    const abort = new AbortController()
    aborts.set(id, abort)
    change(id, { state: 'sending', sentBytes: 0, problem: null })
    try {
      await send(upload, abort.signal, (sentBytes) => change(id, { sentBytes }))
      change(id, { state: 'stored', sentBytes: upload.file.size })
      onStored()
    } catch (error) {
      if (abort.signal.aborted) change(id, { state: 'canceled' })
      else change(id, { state: 'failed', problem: error instanceof Error ? error.message : String(error) })
    } finally {
      aborts.delete(id)
      start()
    }
  }
  return {
    list: () => uploads,
    subscribe(changed) {
      watchers.add(changed)
      return () => watchers.delete(changed)
    },
    add(files) {
      const added = files.map(({ file, key }): Upload => {
        lastId += 1
        return { id: lastId, key, file, sentBytes: 0, state: 'waiting', problem: null }
      })
      set([...uploads, ...added])
      start()
    },
    cancel(id) {
      const abort = aborts.get(id)
      if (abort === undefined) change(id, { state: 'canceled' })
      else abort.abort()
    },
    retry(id) {
      change(id, { state: 'waiting', problem: null })
      start()
    },
    clear: () => set(uploads.filter(({ state }) => state === 'waiting' || state === 'sending')),
  }
}
