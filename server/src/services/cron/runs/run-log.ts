import type { Sql } from '../../../engines/postgres/index.ts'
import { type RunChange, updateRunsStatement } from '../store.ts'

/** Writes the changes of runs, many in one statement: while one is written, others gather. */
export interface RunLog {
  add(change: RunChange): void
  /** Resolves when what was added is written, or could not be written. */
  flush(): Promise<void>
}

const mergedWith = (earlier: RunChange | undefined, later: RunChange): RunChange => ({
  ...later,
  processId: later.processId ?? earlier?.processId ?? null,
  startedAt: later.startedAt ?? earlier?.startedAt ?? null,
})

/** What the writer of runs tells of. */
export interface RunLogOptions {
  readonly onError: (error: unknown) => void
  readonly onWritten: () => void
  readonly mostKept?: number
}

/** What cannot be written is kept for the next change, up to `mostKept` runs. */
export function createRunLog(
  sql: Pick<Sql, 'query'>,
  { onError, onWritten, mostKept = 10_000 }: RunLogOptions,
): RunLog {
  let waiting = new Map<string, RunChange>()
  let writing: Promise<void> | null = null

  const write = async (): Promise<void> => {
    while (waiting.size > 0) {
      const changes = waiting
      waiting = new Map()
      try {
        await sql.query(updateRunsStatement([...changes.values()]))
        onWritten()
      } catch (error) {
        onError(error)
        const later = waiting
        waiting = changes
        for (const change of later.values()) waiting.set(change.runId, mergedWith(waiting.get(change.runId), change))
        for (const runId of [...waiting.keys()].slice(0, Math.max(0, waiting.size - mostKept))) waiting.delete(runId)
        return
      }
    }
  }

  const flush = (): Promise<void> => {
    writing ??= write().finally(() => {
      writing = null
    })
    return writing
  }

  return {
    add(change) {
      waiting.set(change.runId, mergedWith(waiting.get(change.runId), change))
      // In the next turn, with what else this one adds.
      setImmediate(() => void flush())
    },
    flush,
  }
}
