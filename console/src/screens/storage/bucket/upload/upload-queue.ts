import type { OpenTransfer, Transfer, Upload } from './upload.ts'
import type { UploadList } from './upload-list.ts'

/** Sends uploads of a list in turn, a few at a time. */
export interface UploadQueue {
  /** Puts an upload behind those that wait; it begins with `startNext`. */
  enqueue(id: number): void
  /** Opens a transfer for an upload, in place of an earlier one. */
  open(id: number, replaces: boolean): void
  /** The transfer of an upload, once it was opened. */
  readonly transferOf: (id: number) => Transfer | undefined
  /** Forgets an upload's transfer: the next attempt begins anew. */
  forget(id: number): void
  /** Begins the next uploads while there is room. */
  startNext(): void
}

const atOnce = 4

/** @param onStored called after each file that was stored */
export function createUploadQueue(list: UploadList, openTransfer: OpenTransfer, onStored: () => void): UploadQueue {
  const transfers = new Map<number, Transfer>()
  let waiting: number[] = []
  /** What a transfer says after it was stopped counts no more. @returns whether it counted */
  const changeWhileSending = (id: number, facts: Partial<Upload>): boolean => {
    if (list.find(id)?.state !== 'sending') return false
    list.change(id, facts)
    if (facts.state !== undefined) startNext()
    list.publish()
    return true
  }
  const open = (id: number, replaces: boolean): void => {
    const upload = list.find(id)
    if (upload === undefined) return
    const { key, file } = upload
    const transfer = openTransfer(
      { key, file, replaces },
      {
        onProgress: (sentBytes) => changeWhileSending(id, { sentBytes, problem: null }),
        onStall: (problem) => changeWhileSending(id, { problem }),
        onTaken: () => changeWhileSending(id, { state: 'taken' }),
        onFailed: (problem) => changeWhileSending(id, { state: 'failed', problem }),
        onStored: () => {
          if (!changeWhileSending(id, { state: 'stored', sentBytes: file.size, problem: null })) return
          transfers.delete(id)
          onStored()
        },
      },
    )
    transfers.set(id, transfer)
  }
  const startNext = (): void => {
    waiting = waiting.filter((id) => list.find(id)?.state === 'waiting')
    while (list.countSending() < atOnce) {
      const id = waiting.shift()
      if (id === undefined) return
      if (!transfers.has(id)) open(id, false)
      list.change(id, { state: 'sending' })
      transfers.get(id)?.start()
    }
  }
  return {
    enqueue(id) {
      list.change(id, { state: 'waiting', problem: null })
      waiting.push(id)
    },
    open,
    transferOf: (id) => transfers.get(id),
    forget: (id) => void transfers.delete(id),
    startNext,
  }
}
