import type { Readable } from 'node:stream'
import { FileError } from './errors.ts'
import type { FileStore } from './file-store.ts'

/** A store that takes nothing (`NoSpace`) while there is no room for it; what is there is read and removed as ever. */
export function withReserve(store: FileStore, isFull: () => boolean): FileStore {
  /** The operation, refused before it has done anything. */
  const reserved =
    <Given extends readonly unknown[], Result>(write: (...given: Given) => Promise<Result>) =>
    async (...given: Given): Promise<Result> => {
      if (isFull()) throw new FileError('NoSpace')
      return write(...given)
    }
  const { putShort, partial } = store
  const put = reserved(store.put)
  const append = reserved(partial.append)
  return {
    ...store,
    put: (id, body, options) => put(id, left(body), options),
    putShort: putShort && reserved(putShort),
    copy: reserved(store.copy),
    join: reserved(store.join),
    partial: {
      ...partial,
      create: reserved(partial.create),
      append: (id, offset, body, options) => append(id, offset, left(body), options),
    },
  }
}

/** A body that is perhaps not read: it may fail later, which must not end the process. */
const left = (body: Readable): Readable => body.on('error', () => undefined)
