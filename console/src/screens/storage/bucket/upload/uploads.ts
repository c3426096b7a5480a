/** A file on its way to a bucket. */
export interface Upload {
  readonly id: number
  readonly key: string
  readonly file: File
  readonly sentBytes: number
  /** `taken`: another object has its key. */
  readonly state: 'waiting' | 'sending' | 'paused' | 'stored' | 'taken' | 'failed' | 'canceled'
  /** Why it failed, or does not move on. */
  readonly problem: string | null
}

/** What becomes of a transfer. */
export interface TransferEvents {
  readonly onProgress: (sentBytes: number) => void
  /** It does not move on for now, and is tried again by itself. */
  readonly onStall: (problem: string) => void
  readonly onStored: () => void
  /** Another object has the key. */
  readonly onTaken: () => void
  readonly onFailed: (problem: string) => void
}

/** The bytes of a file on their way: what is stopped goes on where it was. */
export interface Transfer {
  start(): void
  pause(): void
  /** Stops it; what the server has of it is removed. */
  cancel(): void
}

/** Prepares a transfer, which begins with `start`. */
export type OpenTransfer = (
  what: Pick<Upload, 'key' | 'file'> & { readonly replaces: boolean },
  events: TransferEvents,
) => Transfer

/** The uploads of a bucket, a few at a time. */
export interface Uploads {
  readonly list: () => readonly Upload[]
  readonly subscribe: (changed: () => void) => () => void
  add(files: readonly { readonly file: File; readonly key: string }[]): void
  pause(ids: readonly number[]): void
  resume(ids: readonly number[]): void
  cancel(ids: readonly number[]): void
  /** Sends them again: those that failed from where they were. */
  retry(ids: readonly number[]): void
  /** Sends those whose key is taken, in place of the objects there. */
  replace(ids: readonly number[]): void
  /** Forgets those that have ended. */
  clear(): void
}

/** Whether nothing more happens to an upload by itself. */
export const hasEnded = ({ state }: Upload): boolean =>
  state === 'stored' || state === 'taken' || state === 'failed' || state === 'canceled'

const atOnce = 4

/** @param onStored called after each file that was stored */
export function createUploads(open: OpenTransfer, onStored: () => void): Uploads {
  const uploads = new Map<number, Upload>()
  const transfers = new Map<number, Transfer>()
  const watchers = new Set<() => void>()
  let listed: readonly Upload[] | null = null
  let waiting: number[] = []
  let sending = 0
  let lastId = 0

  const publish = (): void => {
    listed = null
    for (const changed of watchers) changed()
  }
  const stateOf = (id: number) => uploads.get(id)?.state
  const set = (id: number, facts: Partial<Upload>): void => {
    const upload = uploads.get(id)
    if (upload === undefined) return
    const next = { ...upload, ...facts }
    sending += Number(next.state === 'sending') - Number(upload.state === 'sending')
    uploads.set(id, next)
  }
  const enqueue = (id: number): void => {
    set(id, { state: 'waiting', problem: null })
    waiting.push(id)
  }
  const openFor = (id: number, replaces: boolean): void => {
    const upload = uploads.get(id)
    if (upload === undefined) return
    // What a transfer says after it was stopped counts no more.
    const whileSending = (facts: Partial<Upload>): boolean => {
      if (stateOf(id) !== 'sending') return false
      set(id, facts)
      if (facts.state !== undefined) startNext()
      publish()
      return true
    }
    const transfer = open(
      { key: upload.key, file: upload.file, replaces },
      {
        onProgress: (sentBytes) => whileSending({ sentBytes, problem: null }),
        onStall: (problem) => whileSending({ problem }),
        onTaken: () => whileSending({ state: 'taken' }),
        onFailed: (problem) => whileSending({ state: 'failed', problem }),
        onStored: () => {
          if (!whileSending({ state: 'stored', sentBytes: upload.file.size, problem: null })) return
          transfers.delete(id)
          onStored()
        },
      },
    )
    transfers.set(id, transfer)
  }
  const startNext = (): void => {
    while (sending < atOnce) {
      const id = waiting.shift()
      if (id === undefined) return
      if (stateOf(id) !== 'waiting') continue
      if (!transfers.has(id)) openFor(id, false)
      set(id, { state: 'sending' })
      transfers.get(id)?.start()
    }
  }
  /** Changes those of the uploads that are in one of the states; then the next ones begin. */
  const each = (ids: readonly number[], states: readonly Upload['state'][], change: (id: number) => void): void => {
    const chosen = new Set<string | undefined>(states)
    for (const id of ids) if (chosen.has(stateOf(id))) change(id)
    waiting = waiting.filter((id) => stateOf(id) === 'waiting')
    startNext()
    publish()
  }
  return {
    list: () => {
      listed ??= [...uploads.values()]
      return listed
    },
    subscribe(changed) {
      watchers.add(changed)
      return () => watchers.delete(changed)
    },
    add(files) {
      for (const { file, key } of files) {
        lastId += 1
        uploads.set(lastId, { id: lastId, key, file, sentBytes: 0, state: 'waiting', problem: null })
        waiting.push(lastId)
      }
      startNext()
      publish()
    },
    pause: (ids) =>
      each(ids, ['waiting', 'sending'], (id) => {
        if (stateOf(id) === 'sending') transfers.get(id)?.pause()
        set(id, { state: 'paused', problem: null })
      }),
    resume: (ids) => each(ids, ['paused'], enqueue),
    cancel: (ids) =>
      each(ids, ['waiting', 'sending', 'paused', 'failed'], (id) => {
        transfers.get(id)?.cancel()
        transfers.delete(id)
        set(id, { state: 'canceled', problem: null, sentBytes: 0 })
      }),
    retry: (ids) => each(ids, ['failed', 'canceled'], enqueue),
    replace: (ids) =>
      each(ids, ['taken'], (id) => {
        openFor(id, true)
        enqueue(id)
      }),
    clear() {
      for (const upload of uploads.values()) {
        if (!hasEnded(upload)) continue
        uploads.delete(upload.id)
        transfers.delete(upload.id)
      }
      publish()
    },
  }
}
