import { LRUCache } from 'lru-cache'

/** The deletions that can be undone, in memory: after a restart there is no undoing. */
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
export function createRecentRemovals(newId: () => string): RecentRemovals {
  const rowsById = new LRUCache<string, string>({
    ttl: undoMs,
    maxSize: mostCharacters,
    sizeCalculation: (rows) => rows.length,
  })
  return {
    add(rows) {
      const id = newId()
      rowsById.set(id, rows)
      return id
    },
    take(id) {
      const rows = rowsById.get(id)
      rowsById.delete(id)
      return rows
    },
  }
}
