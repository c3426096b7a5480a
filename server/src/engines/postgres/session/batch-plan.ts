import pg from 'pg'
import type { SessionCall } from '../postgres.ts'
import { resetSettings } from '../wire/session-reset.ts'

export type Call = SessionCall<Record<string, string | null>>

/** A statement of a flight, and who it is kept for. */
export interface PlannedStep {
  readonly text: string
  readonly role: string
  readonly values: readonly unknown[]
}

/** What a call comes to, on whichever connection. */
export interface FlightPlan {
  readonly steps: readonly PlannedStep[]
  /** Index of the caller's statement. */
  readonly at: number
  readonly afterAt: number | null
  readonly readBackAt: number | null
  /** Whether the flight begins a transaction that something must end. */
  readonly explicit: boolean
  /**
   * Whether it is over with its flight, changes nothing and leaves nothing in its session: it may be stopped, and run
   * again. After any other the session is to be cleared.
   */
  readonly isRepeatable: boolean
}

/** Texts by the names of their settings, those that attribute apart. */
export type SettingsTexts = Map<string, string>

/** Who our own statements are kept for. */
export const own = 'clew'

/** Requests differ little in the names of what they set. */
const textsKept = 200

/** The statements of a call in their order: what holds for its transaction, then its own. */
export function planFlight(call: Call, texts: SettingsTexts): FlightPlan {
  const isolation = call.isolation ?? null
  const explicit = call.end === 'rollback' || call.check !== undefined || isolation !== null
  const steps: PlannedStep[] = []
  if (explicit) steps.push(ownStep(isolation === null ? 'begin' : `begin isolation level ${isolation}`))
  steps.push(settingsStep(call, texts))
  const { role } = call
  const before = call.before ?? null
  if (before !== null) steps.push({ text: before.text, role, values: before.values })
  const at = steps.push({ text: call.statement.text, role, values: call.statement.values }) - 1
  const after = call.after ?? null
  const afterAt = after === null ? null : steps.push({ text: after.text, role, values: after.values }) - 1
  // Whatever a commit would have refused is refused before a rollback, too.
  if (call.end === 'rollback') steps.push(ownStep('set constraints all immediate'))
  const names = call.readBack ?? []
  const readBackAt = names.length === 0 ? null : steps.push(readBackStep(names)) - 1
  if (explicit && call.check === undefined) steps.push(ownStep(call.end))
  const isRepeatable = call.readOnly && !explicit && before === null && call.isVolatile !== true
  if (isRepeatable) steps.push(ownStep(resetSettings))
  return { steps, at, afterAt, readBackAt, explicit, isRepeatable }
}

const ownStep = (text: string, values: readonly unknown[] = []): PlannedStep => ({ text, role: own, values })

function settingsStep(call: Call, texts: SettingsTexts): PlannedStep {
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
  return ownStep(text, values)
}

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

function readBackStep(names: readonly string[]): PlannedStep {
  const columns = names.map((_, index) => `pg_catalog.current_setting($${index + 1}, true) as s${index}`)
  return ownStep(`select ${columns.join(', ')}`, names)
}
