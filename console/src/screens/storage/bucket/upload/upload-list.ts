import type { Upload } from './upload.ts'

/** Uploads in the order in which they were added. Watchers hear of changes with `publish`, of many at once. */
export interface UploadList {
  readonly all: () => readonly Upload[]
  readonly find: (id: number) => Upload | undefined
  readonly subscribe: (changed: () => void) => () => void
  readonly countSending: () => number
  /** @returns the upload's id */
  add(file: Pick<Upload, 'key' | 'file'>): number
  change(id: number, facts: Partial<Upload>): void
  remove(id: number): void
  publish(): void
}

/** An empty list. */
export function createUploadList(): UploadList {
  const uploads = new Map<number, Upload>()
  const watchers = new Set<() => void>()
  let listed: readonly Upload[] | null = null
  let sending = 0
  let lastId = 0
  return {
    all: () => {
      listed ??= [...uploads.values()]
      return listed
    },
    find: (id) => uploads.get(id),
    subscribe(changed) {
      watchers.add(changed)
      return () => watchers.delete(changed)
    },
    countSending: () => sending,
    add({ key, file }) {
      lastId += 1
      uploads.set(lastId, { id: lastId, key, file, sentBytes: 0, state: 'waiting', problem: null })
      return lastId
    },
    change(id, facts) {
      const upload = uploads.get(id)
      if (upload === undefined) return
      const next = { ...upload, ...facts }
      sending += Number(next.state === 'sending') - Number(upload.state === 'sending')
      uploads.set(id, next)
    },
    remove: (id) => void uploads.delete(id),
    publish() {
      listed = null
      for (const changed of watchers) changed()
    },
  }
}
