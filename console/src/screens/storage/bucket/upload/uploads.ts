import { hasEnded, type OpenTransfer, type Upload } from './upload.ts'
import { createUploadList } from './upload-list.ts'
import { createUploadQueue } from './upload-queue.ts'

/** The uploads of a bucket, a few at a time. */
export interface Uploads {
  readonly list: () => readonly Upload[]
  readonly subscribe: (changed: () => void) => () => void
  add(files: readonly Pick<Upload, 'key' | 'file'>[]): void
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

/** @param onStored called after each file that was stored */
export function createUploads(open: OpenTransfer, onStored: () => void): Uploads {
  const list = createUploadList()
  const queue = createUploadQueue(list, open, onStored)
  const goOn = (): void => {
    queue.startNext()
    list.publish()
  }
  /** Changes those of the uploads that are in one of the states; then the next ones begin. */
  const each = (ids: readonly number[], states: readonly Upload['state'][], change: (id: number) => void): void => {
    const chosen = new Set<string | undefined>(states)
    for (const id of ids) if (chosen.has(list.find(id)?.state)) change(id)
    goOn()
  }
  return {
    list: list.all,
    subscribe: list.subscribe,
    add(files) {
      for (const file of files) queue.enqueue(list.add(file))
      goOn()
    },
    pause: (ids) =>
      each(ids, ['waiting', 'sending'], (id) => {
        if (list.find(id)?.state === 'sending') queue.transferOf(id)?.pause()
        list.change(id, { state: 'paused', problem: null })
      }),
    resume: (ids) => each(ids, ['paused'], queue.enqueue),
    cancel: (ids) =>
      each(ids, ['waiting', 'sending', 'paused', 'failed'], (id) => {
        queue.transferOf(id)?.cancel()
        queue.forget(id)
        list.change(id, { state: 'canceled', problem: null, sentBytes: 0 })
      }),
    retry: (ids) => each(ids, ['failed', 'canceled'], queue.enqueue),
    replace: (ids) =>
      each(ids, ['taken'], (id) => {
        queue.open(id, true)
        queue.enqueue(id)
      }),
    clear() {
      for (const upload of list.all().filter(hasEnded)) {
        list.remove(upload.id)
        queue.forget(upload.id)
      }
      list.publish()
    },
  }
}
