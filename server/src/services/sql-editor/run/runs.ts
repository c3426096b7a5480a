import { setTimeout as delay } from 'node:timers/promises'
import type { ClickHouse } from '../../../engines/clickhouse/index.ts'
import type { Editor, EditorChanges, EditorConnection } from '../../../engines/postgres/index.ts'
import { isUuid } from '../../../ground/ids/uuidv7.ts'
import type { Log } from '../../../ground/model/log.ts'
import type { ClickHouseStatement } from '../../../ground/sql/clickhouse.ts'
import type { SqlEditorDeps } from '../deps.ts'
import { sqlEditorError } from '../errors.ts'
import { runInClickHouse } from './clickhouse-run.ts'
import { createHeldRuns, type Decision } from './held.ts'
import type { RunFailure, RunOutcome, StatementResult } from './outcome.ts'
import { planStatements, type RunMode } from './plan.ts'
import { runInPostgres } from './postgres-run.ts'

/** What an operator asks to be run. */
export interface RunRequest {
  /** A UUID of the asker's own. */
  readonly id: string
  readonly engine: 'postgres' | 'clickhouse'
  readonly text: string
  readonly mode: RunMode
  readonly role: string | null
  readonly claims: Readonly<Record<string, unknown>> | null
  readonly readOnly: boolean
}

/** Who asks. */
export interface Asker {
  /** E-mail address. */
  readonly operator: string
  /** The request's id: what the run changes names it. */
  readonly requestId: string
  /** Fires when the asker has left. */
  readonly signal: AbortSignal
}

/** What a run came to. */
export interface RunAnswer {
  readonly id: string
  /** `pending`: what it changed waits to be committed. */
  readonly state: 'done' | 'pending' | 'failed'
  readonly results: readonly StatementResult[]
  readonly failure: RunFailure | null
  readonly changes: EditorChanges | null
  /** When what is pending is rolled back. */
  readonly expiresAt: Date | null
  /** Whether it ran outside a transaction, and so is committed. */
  readonly alone: boolean
}

/** Runs of statements, bounded in number, time and size. */
export interface Runs {
  /** @throws CLEW_SQL_EMPTY, CLEW_SQL_ONE_STATEMENT, CLEW_SQL_RUN_TAKEN, CLEW_SQL_BUSY */
  start(request: RunRequest, asker: Asker): Promise<RunAnswer>
  /** @returns the database's message where it refused. @throws CLEW_SQL_NOT_HELD */
  decide(id: string, operator: string, decision: Decision): Promise<{ readonly failure: string | null }>
  /** Cancels what runs. @returns whether there was something */
  cancel(id: string): Promise<boolean>
  close(): Promise<void>
}

/** A run as it is remembered. */
export interface EndedRequest extends RunRequest, Pick<Asker, 'operator'> {
  readonly at: Date
  readonly durationMs: number
  readonly answer: RunAnswer
}

/** Where runs are remembered. */
export interface RunMemory {
  add(run: EndedRequest): Promise<void>
  /** What became of a change that waited. */
  end(id: string, state: 'committed' | 'rolled back' | 'failed', error: string | null): Promise<void>
}

export interface RunsDeps extends Pick<SqlEditorDeps, 'now' | 'settings' | 'topic' | 'log'> {
  readonly editor: Editor
  readonly clickhouse: Pick<ClickHouse, 'readTable' | 'command'>
  readonly history: RunMemory
}

/** The embedded engine knows the statement in this form alone. */
const killStatement = (id: string): ClickHouseStatement => {
  if (!isUuid(id)) throw new TypeError('The id of a run is a UUID.')
  return { text: `kill query where query_id = '${id}' async`, parameters: {} }
}
const mebibyte = 1024 * 1024
const nowMs = (): number => performance.now()
const cancelEveryMs = 200
/** Under which a run's connection is found in `pg_stat_activity`. */
const nameOf = (id: string): string => `clew sql ${id}`

export function createRuns({ editor, clickhouse, history, now, settings, topic, log }: RunsDeps): Runs {
  const holdMs = settings.holdSeconds * 1000
  const held = createHeldRuns(topic, holdMs)
  const taken = createTaken(settings.maxRuns)
  const cancel = async (id: string): Promise<boolean> => {
    // Between two statements the engine would find nothing to cancel.
    const wasHere = taken.cancel(id)
    // The engine that does not run it need not be there.
    await clickhouse.command(killStatement(id)).catch(() => undefined)
    const isElsewhere = await editor.cancel(nameOf(id))
    return wasHere || isElsewhere
  }
  const limits = {
    rows: settings.maxRows,
    bytes: settings.maxResultMib * mebibyte,
    timeoutMs: settings.statementSeconds * 1000,
  }
  const hold = (id: string, operator: string, connection: EditorConnection): Date => {
    held.add({
      ...{ id, operator, connection },
      ended(decision, failure) {
        taken.delete(id)
        const state = failure !== null ? 'failed' : decision === 'commit' ? 'committed' : 'rolled back'
        void remember(history.end(id, state, failure), log)
      },
    })
    return new Date(now().getTime() + holdMs)
  }
  const inClickHouse = async ({ id, text }: RunRequest, { signal }: Asker): Promise<RunAnswer> => {
    const outcome = await runInClickHouse(clickhouse, {
      ...{ id, nowMs, signal, statements: planStatements(text) },
      limits: {
        ...{ rows: limits.rows, bytes: limits.bytes, seconds: settings.statementSeconds },
        memoryBytes: settings.clickhouseMemoryMib * mebibyte,
      },
    })
    return { id, ...stateOf(outcome), changes: null, expiresAt: null, alone: false }
  }
  const inPostgres = async (request: RunRequest, { operator, requestId, signal }: Asker): Promise<RunAnswer> => {
    const { id } = request
    const connection = await editor.open(nameOf(id))
    let isHeld = false
    try {
      const statements = planStatements(request.text)
      const run = { ...request, ...limits, cause: requestId, nowMs, signal, statements }
      const running = runInPostgres(connection, run)
      const { changes, alone, ...outcome } = await cancelledBy(signal, running, () => editor.cancel(nameOf(id)))
      isHeld = changes !== null && !signal.aborted
      const expiresAt = isHeld ? hold(id, operator, connection) : null
      return { id, ...stateOf(outcome), ...(isHeld && { state: 'pending' as const }), changes, expiresAt, alone }
    } finally {
      if (!isHeld) await connection.close()
    }
  }
  return {
    cancel,
    async start(request, asker) {
      requireStatements(request)
      const signal = AbortSignal.any([asker.signal, taken.add(request.id)])
      const startMs = nowMs()
      let answer: RunAnswer | undefined
      try {
        answer = await (request.engine === 'postgres' ? inPostgres : inClickHouse)(request, { ...asker, signal })
        await remember(history.add({ ...request, ...asker, at: now(), durationMs: nowMs() - startMs, answer }), log)
        return answer
      } finally {
        if (answer?.state !== 'pending') taken.delete(request.id)
      }
    },
    async decide(id, operator, decision) {
      const decided = await held.decide(id, operator, decision)
      if (decided === null) throw sqlEditorError('CLEW_SQL_NOT_HELD')
      return decided
    },
    close: held.close,
  }
}

/**
 * The result of a run. Where the signal fires meanwhile, the run is cancelled until it has ended: a statement that was on its
 * way when it was cancelled begins nevertheless.
 */
async function cancelledBy<T>(signal: AbortSignal, running: Promise<T>, cancel: () => Promise<boolean>): Promise<T> {
  let hasEnded = false
  const leave = async (): Promise<void> => {
    while (!hasEnded) {
      await cancel().catch(() => false)
      await delay(cancelEveryMs, undefined, { ref: false })
    }
  }
  signal.addEventListener('abort', leave, { once: true })
  try {
    return await running
  } finally {
    hasEnded = true
    signal.removeEventListener('abort', leave)
  }
}

/** The runs that are under way or wait, by their ids. */
function createTaken(most: number) {
  const runs = new Map<string, AbortController>()
  return {
    /** @returns what fires when the run is cancelled */
    add(id: string): AbortSignal {
      if (runs.has(id)) throw sqlEditorError('CLEW_SQL_RUN_TAKEN')
      if (runs.size >= most) throw sqlEditorError('CLEW_SQL_BUSY')
      const cancelling = new AbortController()
      runs.set(id, cancelling)
      return cancelling.signal
    },
    /** @returns whether it is one of this process */
    cancel(id: string): boolean {
      runs.get(id)?.abort()
      return runs.has(id)
    },
    delete: (id: string) => runs.delete(id),
  }
}

function requireStatements({ engine, text, mode }: RunRequest): void {
  const { length } = planStatements(text)
  if (length === 0) throw sqlEditorError('CLEW_SQL_EMPTY')
  if (length > 1 && engine === 'postgres' && mode !== 'run') throw sqlEditorError('CLEW_SQL_ONE_STATEMENT')
}

const stateOf = (outcome: RunOutcome) => ({
  ...outcome,
  state: outcome.failure === null ? ('done' as const) : ('failed' as const),
})

/** A run is answered whether or not it could be remembered. */
function remember(writing: Promise<void>, log: Pick<Log, 'warn'>): Promise<void> {
  return writing.catch((error: unknown) => log.warn({ error }, 'a run of the SQL editor is not in its history'))
}
