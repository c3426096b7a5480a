import pg from 'pg'
import { toLost } from '../connection/connection-lost.ts'
import type { Result, Session, SessionCall, SessionResult } from '../postgres.ts'
import { createLanes, type Lane, processIdOf } from '../wire/connection-pool.ts'
import { encodeFlight, Flight, type Landing, type Step, type StepResult, unnamed } from '../wire/pipelined-batch.ts'
import type { PreparedStatements } from '../wire/prepared-statements.ts'
import { clearSession } from '../wire/session-reset.ts'
import { isMisnamed, isRetyped, isStale } from '../wire/stale-plan.ts'
import type { TypeNames } from '../wire/type-names.ts'
import { type Call, type FlightPlan, own, planFlight, type SettingsTexts } from './batch-plan.ts'
import { createWatch } from './cancel-on-disconnect.ts'
import { createQuickness, type Quickness } from './latency-estimate.ts'
import { createSharing } from './multiplexing.ts'

export interface SessionDeps {
  readonly pool: pg.Pool
  readonly typeNames: TypeNames
  /** Stops what a connection is running. */
  readonly cancel: (processId: number) => Promise<void>
  /** Processors that the server runs on. */
  readonly processors: number
  /** What is known of statements before they are run; what their runs tell, where nothing is said. */
  readonly quickness?: Quickness
  /** Whether statements are prepared once a connection; they are where nothing is said. */
  readonly keepsStatements?: boolean
  /** Whether a pooler hands each transaction another connection: there is no session to clear then. */
  readonly pooled?: boolean
}

/** What may follow an attempt: another, on the same lane where that is sound; none; or one on a lane of its own. */
type Chance = 'first' | 'last' | 'among others'

type Outcome = SessionResult<Record<string, string | null>>

/** Runs callers' statements, each in one flight on a connection of the authenticator. */
export function createSession(deps: SessionDeps): Session {
  const { typeNames, cancel, processors, quickness = createQuickness(processors) } = deps
  const lanes = createLanes(deps.pool, deps.keepsStatements)
  const sharing = createSharing(lanes, { processors, cancel })
  const watch = createWatch(cancel)
  const settingsTexts: SettingsTexts = new Map()

  /** @returns null where nothing was done, and the call may be tried again */
  async function attempt(lane: Lane, call: Call, plan: FlightPlan, chance: Chance): Promise<Outcome | null> {
    const { role, work } = call
    const { text } = call.statement
    const steps = plan.steps.map((step) => ({
      prepared: lane.prepared.get(step.text, step.role),
      values: step.values,
    }))
    const wasKept = steps[plan.at]?.prepared.parsed === true
    const startedAt = new Date()
    const landing = await fly(lane, steps)
    if (plan.isRepeatable) quickness.saw(text, role, landing.ms, lanes.gauges().busy)
    const failed = landing.kind === 'failed'
    if (failed) {
      const isPoisoned = isMisnamed(landing.error, steps[landing.step]?.prepared.parsed === true)
      if (isPoisoned) lane.broken = true
      forgetFailed(steps, landing.step, lane.prepared)
      if (landing.lost === null && plan.explicit) await endFailed(lane)
      const outdated = isStale(landing.error) || (wasKept && isRetyped(landing.error))
      if (outdated) forgetOutdated(steps.slice(plan.at), lane.prepared)
      if ((outdated || isPoisoned) && chance !== 'last') return null
      if (chance === 'among others' && (isCanceled(landing.error) || landing.lost === 'waiting')) return null
    }
    work?.statements.push({
      startedAt,
      durationMs: landing.ms,
      text,
      parameterTypes: steps[plan.at]?.prepared.parameterTypeIds.map((id) => typeNames.name(id)) ?? [],
      rows: failed ? null : countRows(call, landing.results[plan.at] ?? nothing),
      role,
      errorCode: failed && landing.error instanceof pg.DatabaseError ? (landing.error.code ?? null) : null,
    })
    if (failed) throw refusalOf(landing.error)
    const { rows, rowCount } = landing.results[plan.at] ?? nothing
    if (call.check !== undefined) await endChecked(lane, call, { rows, rowCount })
    return {
      rows,
      rowCount,
      settings: readSettings(call, plan.readBackAt === null ? undefined : landing.results[plan.readBackAt]),
      after: plan.afterAt === null ? nothing.rows : (landing.results[plan.afterAt]?.rows ?? nothing.rows),
    }
  }

  /** Behind other quick calls, where there is room. @returns null where the call had better run alone; nothing was done */
  async function runAmongOthers(call: Call, plan: FlightPlan, expectedMs: number): Promise<Outcome | null> {
    const shared = sharing.take(expectedMs, ({ prepared }) =>
      plan.steps.every(({ text, role }) => prepared.knows(text, role)),
    )
    if (shared === null) return null
    try {
      return await attempt(shared.lane, call, plan, 'among others')
    } finally {
      sharing.give(shared, expectedMs)
    }
  }

  /** @returns null where nothing was done, and another lane had better be tried */
  async function runOnLane(call: Call, plan: FlightPlan, chance: 'first' | 'last'): Promise<Outcome | null> {
    const taken = lanes.take()
    const lane = taken instanceof Promise ? await taken : taken
    const { client } = lane
    const watched = call.work === null ? null : watch.begin(processIdOf(client), call.work)
    let stopped: Promise<void> | null = null
    try {
      const outcome = await attempt(lane, call, plan, chance)
      return outcome === null && !lane.broken ? await attempt(lane, call, plan, 'last') : outcome
    } finally {
      stopped = watched === null ? null : watch.end(watched)
      if (stopped !== null) await stopped
      // A cancellation may arrive late and would stop the next caller's statement.
      const isUnfit = stopped !== null || client.getTransactionStatus() !== 'I'
      if (!isUnfit && !plan.isRepeatable && !lanes.isSpent(lane) && deps.pooled !== true) clearSession(lane)
      lanes.give(lane, isUnfit)
    }
  }

  async function runAlone(call: Call, plan: FlightPlan): Promise<Outcome> {
    const outcome = (await runOnLane(call, plan, 'first')) ?? (await runOnLane(call, plan, 'last'))
    if (outcome === null) throw new Error('The last attempt neither succeeded nor failed.')
    return outcome
  }

  async function run(call: Call): Promise<Outcome> {
    const plan = planFlight(call, settingsTexts)
    const expectedMs = plan.isRepeatable ? quickness.expect(call.statement.text, call.role) : null
    const outcome = expectedMs === null ? null : await runAmongOthers(call, plan, expectedMs)
    return outcome ?? runAlone(call, plan)
  }

  return {
    // The rows have the shape that the statement's writer says; their values are text in any case.
    run: <Row extends Record<string, string | null>>(call: SessionCall<Row>) =>
      run(call as unknown as Call) as unknown as Promise<SessionResult<Row>>,
    refresh: () => lanes.refresh(),
    gauges: () => lanes.gauges(),
  }
}

const nothing: StepResult = { rows: [], rowCount: 0 }

function fly(lane: Lane, steps: readonly Step[]): Promise<Landing> {
  const flight = new Flight(steps, encodeFlight(steps, lane.prepared.toClose))
  // Only now: a flight that cannot be encoded closes nothing.
  lane.prepared.takeDropped()
  lane.pipeline.add(flight)
  return flight.landed
}

const countRows = ({ countRows: count }: Call, result: StepResult): number =>
  count === undefined ? result.rowCount : count(result)

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
  if (landing.kind === 'failed') throw refusalOf(landing.error)
}

/** What the server said is for the caller to read, also as it goes away; that the connection ended, is ours to say. */
const refusalOf = (error: unknown): unknown => (error instanceof pg.DatabaseError ? error : toLost(error))

/** What did not get through may or may not be known to the server. */
function forgetFailed(steps: readonly Step[], failedAt: number, prepared: PreparedStatements): void {
  for (const step of steps.slice(failedAt)) if (!step.prepared.parsed) prepared.forget(step.prepared)
}

/** One statement's columns changed. */
function forgetOutdated(steps: readonly Step[], prepared: PreparedStatements): void {
  for (const step of steps) if (step.prepared.role !== own) prepared.forget(step.prepared)
}

/** The statement was stopped: by us, or by the time that its role is given. */
const isCanceled = (error: unknown): boolean => error instanceof pg.DatabaseError && error.code === '57014'
