import { performance } from 'node:perf_hooks'
import pg from 'pg'
import { createWatch } from './abandoned.ts'
import { Flight, type Landing, type Prepared, type Step, type StepResult, unnamed } from './flight.ts'
import { createLanes, type Lane } from './lanes.ts'
import { isDeallocated, isRetyped, isStale } from './outdated.ts'
import type { Result, Session, SessionCall, SessionResult } from './postgres.ts'
import type { PreparedStatements } from './prepared-statements.ts'
import type { TypeNames } from './type-names.ts'

export interface SessionDeps {
  readonly pool: pg.Pool
  readonly typeNames: TypeNames
  /** Stops what a connection is running. */
  readonly cancel: (processId: number) => Promise<void>
  /** Whether statements are prepared once a connection; they are where nothing is said. */
  readonly keepsStatements?: boolean
}

type Call = SessionCall<Record<string, string | null>>

/** Runs callers' statements, each in one flight on a connection of the authenticator. */
export function createSession({ pool, typeNames, cancel, keepsStatements = true }: SessionDeps): Session {
  const lanes = createLanes(pool, keepsStatements)
  const watch = createWatch(cancel)
  const settingsTexts: SettingsTexts = new Map()

  async function attempt(
    lane: Lane,
    call: Call,
    secondTime: boolean,
  ): Promise<SessionResult<Record<string, string | null>>> {
    const { prepared } = lane
    const statement = prepared.get(call.statement.text, call.role)
    const wasKept = statement.parsed
    const plan = planFlight(call, statement, prepared, settingsTexts)
    const startedAt = new Date()
    const start = performance.now()
    const landing = await fly(lane, plan.steps)
    if (landing.kind === 'failed') {
      forgetFailed(plan.steps, landing.step, prepared)
      if (!landing.lost && plan.explicit) await endFailed(lane)
      if (!secondTime && (isStale(landing.error) || (wasKept && isRetyped(landing.error)))) {
        // One statement's columns changed, or somebody deallocated all of them.
        if (isDeallocated(landing.error)) prepared.clear()
        else
          for (const step of plan.steps.slice(plan.at)) if (step.prepared.role !== own) prepared.forget(step.prepared)
        return attempt(lane, call, true)
      }
      record(call, startedAt, start, statement, null, landing.error, typeNames)
      throw landing.error
    }
    const outcome = landing.results[plan.at] ?? { rows: [], rowCount: 0 }
    record(call, startedAt, start, statement, outcome.rowCount, null, typeNames)
    const result: Result<Record<string, string | null>> = { rows: outcome.rows, rowCount: outcome.rowCount }
    if (call.check !== undefined) await endChecked(lane, call, result)
    return {
      ...result,
      settings: readSettings(call, plan.readBackAt === null ? undefined : landing.results[plan.readBackAt]),
      after: plan.afterAt === null ? noRows : (landing.results[plan.afterAt]?.rows ?? noRows),
    }
  }

  return {
    async run<Row extends Record<string, string | null>>(call: SessionCall<Row>): Promise<SessionResult<Row>> {
      const taken = lanes.take()
      const lane = taken instanceof Promise ? await taken : taken
      const { client } = lane
      const watched = call.work === null ? null : watch.begin(processIdOf(client), call.work)
      let stopped: Promise<void> | null = null
      try {
        // The rows have the shape that the statement's writer says; their values are text in any case.
        const untyped = call as unknown as Call
        return (await attempt(lane, untyped, false)) as unknown as SessionResult<Row>
      } finally {
        stopped = watched === null ? null : watch.end(watched)
        if (stopped !== null) await stopped
        // A cancellation may arrive late and would stop the next caller's statement.
        lanes.give(lane, stopped !== null || client.getTransactionStatus() !== 'I')
      }
    },
    refresh: () => lanes.refresh(),
    gauges: () => lanes.gauges(),
  }
}

function fly(lane: Lane, steps: readonly Step[]): Promise<Landing> {
  lane.flight = new Flight(steps, lane.prepared.takeDropped())
  lane.client.query(lane.flight)
  return lane.flight.landed
}

// `pg` keeps it; its types leave it out.
const processIdOf = (client: pg.PoolClient): number => (client as unknown as { readonly processID: number }).processID

interface Plan {
  readonly steps: readonly Step[]
  /** Index of the caller's statement. */
  readonly at: number
  readonly afterAt: number | null
  readonly readBackAt: number | null
  /** Whether the flight begins a transaction that something must end. */
  readonly explicit: boolean
}

const own = 'clew'

const noRows: SessionResult<never>['after'] = []

function planFlight(call: Call, statement: Prepared, prepared: PreparedStatements, texts: SettingsTexts): Plan {
  const step = (text: string, values: readonly unknown[] = []): Step => ({ prepared: prepared.get(text, own), values })
  const isolation = call.isolation ?? null
  const explicit = call.end === 'rollback' || call.check !== undefined || isolation !== null
  const steps: Step[] = explicit ? [step(isolation === null ? 'begin' : `begin isolation level ${isolation}`)] : []
  steps.push(settingsStep(call, step, texts))
  const before = call.before ?? null
  if (before !== null) steps.push({ prepared: prepared.get(before.text, call.role), values: before.values })
  const at = steps.push({ prepared: statement, values: call.statement.values }) - 1
  const after = call.after ?? null
  const afterAt =
    after === null ? null : steps.push({ prepared: prepared.get(after.text, call.role), values: after.values }) - 1
  // Whatever a commit would have refused is refused before a rollback, too.
  if (call.end === 'rollback') steps.push(step('set constraints all immediate'))
  const names = call.readBack ?? []
  const readBackAt = names.length === 0 ? null : steps.push(readBackStep(names, step)) - 1
  if (explicit && call.check === undefined) steps.push(step(call.end))
  return { steps, at, afterAt, readBackAt, explicit }
}

type MakeStep = (text: string, values?: readonly unknown[]) => Step

function settingsStep(call: Call, step: MakeStep, texts: SettingsTexts): Step {
  const values: string[] = []
  const attributed = call.attribute && !call.readOnly && call.work !== null
  let names = attributed ? '+' : '-'
  if (attributed) values.push(call.work.id)
  const set = (name: string, value: string): void => {
    names += `${name}\n`
    values.push(value)
  }
  for (const [name, value] of call.settings) set(name, value)
  if (call.readOnly) set('transaction_read_only', 'on')
  set('role', call.role)
  if (call.roleSettings !== undefined) for (const [name, value] of call.roleSettings) set(name, value)
  let text = texts.get(names)
  if (text === undefined) {
    text = settingsText(names.slice(1, -1).split('\n'), attributed)
    if (texts.size >= textsKept) texts.clear()
    texts.set(names, text)
  }
  return step(text, values)
}

/** Texts by the names of their settings, those that attribute apart. */
type SettingsTexts = Map<string, string>

/** Requests differ little in the names of what they set. */
const textsKept = 200

/**
 * Sets in the order of the names, and answers with one number rather than with all that was set. The names are part of
 * the text: as parameters they would be as many again to write, to read and to keep.
 */
function settingsText(names: readonly string[], attributed: boolean): string {
  const first = attributed ? 2 : 1
  const parts = names.map((name, index) => `pg_catalog.set_config(${pg.escapeLiteral(name)}, $${first + index}, true)`)
  if (attributed) parts.unshift(`pg_catalog.pg_logical_emit_message(true, 'clew', $1)`)
  return `select pg_catalog.num_nulls(${parts.join(', ')})`
}

function readBackStep(names: readonly string[], step: MakeStep): Step {
  const columns = names.map((_, index) => `pg_catalog.current_setting($${index + 1}, true) as s${index}`)
  return step(`select ${columns.join(', ')}`, names)
}

function readSettings(call: Call, result: StepResult | undefined): (string | null)[] {
  const row = result?.rows[0] ?? {}
  // A custom setting that was set once in a connection reads as empty ever after.
  return (call.readBack ?? []).map((_, index) => row[`s${index}`] || null)
}

const unnamedStep = (text: string): Step => ({ prepared: unnamed(text, own), values: [] })

async function endFailed(lane: Lane): Promise<void> {
  await fly(lane, [unnamedStep('rollback')])
}

/** The second flight of a call that may still be refused after its result was seen. */
async function endChecked(lane: Lane, call: Call, result: Result<Record<string, string | null>>) {
  try {
    call.check?.(result)
  } catch (refusal) {
    await fly(lane, [unnamedStep('rollback')])
    throw refusal
  }
  const landing = await fly(lane, [unnamedStep(call.end)])
  if (landing.kind === 'failed') throw landing.error
}

/** What did not get through may or may not be known to the server. */
function forgetFailed(steps: readonly Step[], failedAt: number, prepared: PreparedStatements): void {
  for (const step of steps.slice(failedAt)) if (!step.prepared.parsed) prepared.forget(step.prepared)
}

function record(
  call: Call,
  startedAt: Date,
  start: number,
  statement: Prepared,
  rows: number | null,
  error: unknown,
  typeNames: TypeNames,
): void {
  call.work?.statements.push({
    startedAt,
    durationMs: performance.now() - start,
    text: call.statement.text,
    parameterTypes: statement.parameterTypeIds.map((id) => typeNames.name(id)),
    rows,
    role: call.role,
    errorCode: error instanceof pg.DatabaseError ? (error.code ?? null) : null,
  })
}
