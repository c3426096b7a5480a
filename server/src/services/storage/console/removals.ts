import { LRUCache } from 'lru-cache'
import type { OpenTopic } from '../../../ground/model/topic.ts'

/** The deletions that can be undone, in the memory of every process: after a restart of all there is no undoing. */
export interface RecentRemovals {
  /** @returns the id by which `take` finds the rows */
  add(rows: string): string
  /** The rows, once; undefined when their time is over. */
  take(id: string): string | undefined
}

/** Files wait 60 seconds before they are removed; the rest is for requests that take long. */
const undoMs = 40_000
const mostCharacters = 64 * 1024 * 1024

/** @param newId names of deletions that cannot be guessed */
export function createRecentRemovals(newId: () => string, topic: OpenTopic): RecentRemovals {
  const others = topic<{ readonly id: string; readonly rows: string | null }>('storage.removals')
  const rowsById = new LRUCache<string, string>({
    ttl: undoMs,
    maxSize: mostCharacters,
    sizeCalculation: (rows) => rows.length,
  })
  others.hear(({ id, rows }) => void (rows === null ? rowsById.delete(id) : rowsById.set(id, rows)))
  return {
    add(rows) {
      const id = newId()
      rowsById.set(id, rows)
      others.tell({ id, rows })
      return id
    },
    take(id) {
      const rows = rowsById.get(id)
      rowsById.delete(id)
      others.tell({ id, rows: null })
      return rows
    },
  }
}
