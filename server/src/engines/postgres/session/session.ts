import type pg from 'pg'
import { toConnectionLost } from '../connection/connection-lost.ts'
import { processIdOf } from '../connection/connections.ts'
import type { Session, SessionCall, SessionResult } from '../postgres.ts'
import { isDatabaseError, sqlStateOf } from '../sqlstate.ts'
import { type ConnectionPool, createConnectionPool } from '../wire/connection-pool.ts'
import {
  type BatchResult,
  encodeBatch,
  PipelinedBatch,
  type Step,
  type StepResult,
  unnamed,
} from '../wire/pipelined-batch.ts'
import type { PooledConnection } from '../wire/pooled-connection.ts'
import type { PreparedStatements } from '../wire/prepared-statements.ts'
import { addAndClear } from '../wire/session-reset.ts'
import { isMisnamed, isRetyped, isStale } from '../wire/stale-plan.ts'
import type { TypeNames } from '../wire/type-names.ts'
import { type BatchPlan, type Call, own, planBatch, type SettingsTexts } from './batch-plan.ts'
import { createDisconnectWatch } from './cancel-on-disconnect.ts'
import { createLatencyEstimate, type LatencyEstimate } from './latency-estimate.ts'
import { createMultiplexer } from './multiplexing.ts'

export interface SessionDeps {
  readonly pool: pg.Pool
  readonly typeNames: TypeNames
  /** Cancels what a connection is running. */
  readonly cancel: (processId: number) => Promise<void>
  /** Processors that the server runs on. */
  readonly processors: number
  /** How long statements take; estimated from their last runs where it is left out. */
  readonly latency?: LatencyEstimate
  /** Whether statements are prepared once a connection; true where it is left out. */
  readonly preparesStatements?: boolean
  /** Prepared statements that a connection keeps; the least recently used is closed first. */
  readonly statementsPerConnection?: number
  /** Whether a pooler gives each transaction another connection: there is no session to clear then. */
  readonly pooled?: boolean
}

/** Which attempt this is: a call alone has two, and one that shares its connection may be run alone after it. */
type Attempt = 'first' | 'last' | 'shared'

type Outcome = SessionResult<Record<string, string | null>>

/** What an attempt needs of the session. */
interface Shared {
  readonly pool: ConnectionPool
  readonly latency: LatencyEstimate
  readonly typeNames: TypeNames
  /** Whether sessions are cleared after what may leave something in them. */
  readonly clears: boolean
}

/** Runs callers' statements, each in one batch on a connection of the authenticator. */
export function createSession(deps: SessionDeps): Session {
  const { typeNames, cancel, processors, latency = createLatencyEstimate(processors) } = deps
  const pool = createConnectionPool(deps.pool, deps.preparesStatements === false ? 0 : deps.statementsPerConnection)
  const multiplexer = createMultiplexer(pool, { processors, cancel })
  const watch = createDisconnectWatch(cancel)
  const settingsTexts: SettingsTexts = new Map()
  const shared: Shared = { pool, latency, typeNames, clears: deps.pooled !== true }

  /** Behind other quick calls. @returns null when nothing was run, and the call should run alone */
  async function runBehindOthers(call: Call, plan: BatchPlan, expectedMs: number): Promise<Outcome | null> {
    const place = multiplexer.acquire(expectedMs, ({ prepared }) =>
      plan.steps.every(({ text, role }) => prepared.knows(text, role)),
    )
    if (place === null) return null
    try {
      return await attempt(shared, place.connection, call, plan, 'shared')
    } finally {
      multiplexer.release(place, expectedMs)
    }
  }

  /** @returns null when nothing was run, and another connection should be tried */
  async function runOnConnection(call: Call, plan: BatchPlan, which: 'first' | 'last'): Promise<Outcome | null> {
    const acquired = pool.acquire()
    const connection = acquired instanceof Promise ? await acquired : acquired
    const { client } = connection
    const watched = call.context === null ? null : watch.begin(processIdOf(client), call.context)
    let cancelled: Promise<void> | null = null
    try {
      const outcome = await attempt(shared, connection, call, plan, which)
      return outcome === null && !connection.broken ? await attempt(shared, connection, call, plan, 'last') : outcome
    } finally {
      cancelled = watched === null ? null : watch.end(watched)
      if (cancelled !== null) await cancelled
      // A cancel request may arrive late and would stop the next caller's statement.
      const isUnfit = cancelled !== null || client.getTransactionStatus() !== 'I'
      pool.release(connection, isUnfit)
    }
  }

  async function runAlone(call: Call, plan: BatchPlan): Promise<Outcome> {
    const outcome = (await runOnConnection(call, plan, 'first')) ?? (await runOnConnection(call, plan, 'last'))
    if (outcome === null) throw new Error('The last attempt neither succeeded nor failed.')
    return outcome
  }

  async function run(call: Call): Promise<Outcome> {
    const plan = planBatch(call, settingsTexts)
    const expectedMs = plan.isRepeatable ? latency.expectMs(call.statement.text, call.role) : null
    const outcome = expectedMs === null ? null : await runBehindOthers(call, plan, expectedMs)
    return outcome ?? runAlone(call, plan)
  }

  return {
    // The rows have the shape that the statement's writer says; their values are text in any case.
    run: <Row extends Record<string, string | null>>(call: SessionCall<Row>) =>
      run(call as unknown as Call) as unknown as Promise<SessionResult<Row>>,
    refresh: () => pool.refresh(),
    gauges: () => pool.gauges(),
  }
}

/** @returns null when nothing was run, and the call may be tried again */
async function attempt(
  { pool, latency, typeNames, clears }: Shared,
  connection: PooledConnection,
  call: Call,
  plan: BatchPlan,
  which: Attempt,
): Promise<Outcome | null> {
  const { role, context } = call
  const { text } = call.statement
  const steps = plan.steps.map((step) => ({
    prepared: connection.prepared.get(step.text, step.role),
    values: step.values,
  }))
  const wasPrepared = steps[plan.at]?.prepared.parsed === true
  const startedAt = new Date()
  const leaves = clears && !plan.isRepeatable
  const endsHere = call.check === undefined
  const result = await sendBatch(connection, steps, leaves && endsHere)
  if (plan.isRepeatable) latency.observe(text, role, result.ms, pool.gauges().busy)
  if (result.kind === 'failed') {
    const isUntrusted = isMisnamed(result.error, steps[result.step]?.prepared.parsed === true)
    if (isUntrusted) connection.broken = true
    forgetFailed(steps, result.step, connection.prepared)
    // A transaction that failed is still open: it refused to be cleared.
    if (result.lost === null && plan.explicit) await sendBatch(connection, [unnamedStep('rollback')], leaves)
    const stale = isStale(result.error) || (wasPrepared && isRetyped(result.error))
    if (stale) forgetStale(steps.slice(plan.at), connection.prepared)
    if ((stale || isUntrusted) && which !== 'last') return null
    if (which === 'shared' && (sqlStateOf(result.error) === queryCanceled || result.lost === 'queued')) return null
  }
  context?.statements.push({
    startedAt,
    durationMs: result.ms,
    text,
    parameterTypes: steps[plan.at]?.prepared.parameterTypeIds.map((id) => typeNames.name(id)) ?? [],
    rows: result.kind === 'failed' ? null : countRows(call, result.results[plan.at] ?? nothing),
    role,
    errorCode: result.kind === 'failed' ? sqlStateOf(result.error) : null,
  })
  if (result.kind === 'failed') throw toCallersError(result.error)
  const { rows, rowCount } = result.results[plan.at] ?? nothing
  const { rows: after } = (plan.afterAt === null ? undefined : result.results[plan.afterAt]) ?? nothing
  const settings = readSettings(call, plan.readBackAt === null ? undefined : result.results[plan.readBackAt])
  const outcome = { rows, rowCount, settings, after }
  if (!endsHere) await endChecked(connection, call, outcome, leaves)
  return outcome
}

/** The statement was cancelled: by us, or by the statement timeout of its role. */
const queryCanceled = '57014'

const nothing: StepResult = { rows: [], rowCount: 0 }

/** @param thenClears whether the session is cleared behind it: what the transaction leaves is not for the next caller */
function sendBatch(connection: PooledConnection, steps: readonly Step[], thenClears: boolean): Promise<BatchResult> {
  const batch = new PipelinedBatch(steps, encodeBatch(steps, connection.prepared.toClose))
  // Only now: a batch that cannot be encoded closes nothing.
  connection.prepared.takeDropped()
  if (thenClears) addAndClear(connection, batch)
  else connection.pipeline.add(batch)
  return batch.result
}

const countRows = ({ countRows: count }: Call, result: StepResult): number =>
  count === undefined ? result.rowCount : count(result)

function readSettings(call: Call, result: StepResult | undefined): (string | null)[] {
  const row = result?.rows[0] ?? {}
  // A custom setting that was set once in a connection reads as empty ever after.
  return (call.readBack ?? []).map((_, index) => row[`s${index}`] || null)
}

const unnamedStep = (text: string): Step => ({ prepared: unnamed(text, own), values: [] })

/** The second batch of a call that may still be refused after its result was seen. */
async function endChecked(connection: PooledConnection, call: Call, outcome: Outcome, leaves: boolean) {
  try {
    await call.check?.(outcome, outcome.after)
  } catch (error) {
    await sendBatch(connection, [unnamedStep('rollback')], leaves)
    throw error
  }
  const ended = await sendBatch(connection, [unnamedStep(call.end)], leaves)
  if (ended.kind === 'failed') throw toCallersError(ended.error)
}

/** The server's own error as it is, also when it shuts down; POSTGRES_CONNECTION_LOST for a connection that ended. */
const toCallersError = (error: unknown): unknown => (isDatabaseError(error) ? error : toConnectionLost(error))

/** The server may or may not know the statements that were to be prepared from the failed step on. */
function forgetFailed(steps: readonly Step[], failedAt: number, prepared: PreparedStatements): void {
  for (const step of steps.slice(failedAt)) if (!step.prepared.parsed) prepared.forget(step.prepared)
}

/** The columns of one of the caller's statements changed. */
function forgetStale(steps: readonly Step[], prepared: PreparedStatements): void {
  for (const step of steps) if (step.prepared.role !== own) prepared.forget(step.prepared)
}
