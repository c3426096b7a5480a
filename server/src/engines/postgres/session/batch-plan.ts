import pg from 'pg'
import { causeSql } from '../cause.ts'
import type { SessionCall } from '../postgres.ts'
import { resetSettings } from '../wire/session-reset.ts'

export type Call = SessionCall<Record<string, string | null>>

/** A statement of a batch, and the role that it is prepared for. */
export interface PlannedStep {
  readonly text: string
  readonly role: string
  readonly values: readonly unknown[]
}

/** The statements of a call, on any connection. */
export interface BatchPlan {
  readonly steps: readonly PlannedStep[]
  /** Index of the caller's statement. */
  readonly at: number
  readonly afterAt: number | null
  readonly readBackAt: number | null
  /** Whether the batch begins a transaction with BEGIN. */
  readonly explicit: boolean
  /**
   * Whether the call ends with its batch, changes nothing and leaves nothing in its session: it may be cancelled and run
   * again. After every other call the session is cleared.
   */
  readonly isRepeatable: boolean
}

/** Texts of the settings statement by the names it sets, those with the request's id apart. */
export type SettingsTexts = Map<string, string>

/** In the place of a role, for Clew's own statements. */
export const own = 'clew'

const takeRole = "select pg_catalog.set_config('role', $1, true)"

/** Requests set few different combinations of names. */
const maxTexts = 200

/** The statements of a call in their order: BEGIN where one is needed, settings, the call's own, the end. */
export function planBatch(call: Call, texts: SettingsTexts): BatchPlan {
  const isolation = call.isolation ?? null
  const explicit = call.end === 'rollback' || call.check !== undefined || isolation !== null
  const steps: PlannedStep[] = []
  if (explicit) steps.push(ownStep(isolation === null ? 'begin' : `begin isolation level ${isolation}`))
  steps.push(settingsStep(call, texts))
  const { role } = call
  const before = call.before ?? null
  if (before !== null) steps.push({ text: before.text, role, values: before.values })
  const at = steps.push({ text: call.statement.text, role, values: call.statement.values }) - 1
  // A rollback refuses what the commit would have refused: deferred constraints, whose triggers run as the caller.
  if (call.end === 'rollback') steps.push(ownStep('set constraints all immediate'))
  const after = call.after ?? null
  const { afterRole = role } = call
  if (after !== null && afterRole !== role) steps.push(ownStep(takeRole, [afterRole]))
  const afterAt = after === null ? null : steps.push({ text: after.text, role: afterRole, values: after.values }) - 1
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
  const attributed = call.attribute && !call.readOnly && call.context !== null
  let names = attributed ? '+' : '-'
  if (attributed) values.push(call.context.id)
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
    if (texts.size >= maxTexts) texts.clear()
    texts.set(names, text)
  }
  return ownStep(text, values)
}

/**
 * Sets in the order of the names, and answers with one number rather than with all values. The names are part of the
 * text: as parameters, they would double what is sent with each call.
 */
function settingsText(names: readonly string[], attributed: boolean): string {
  const first = attributed ? 2 : 1
  const parts = names.map((name, index) => `pg_catalog.set_config(${pg.escapeLiteral(name)}, $${first + index}, true)`)
  if (attributed) parts.unshift(causeSql('$1'))
  return `select pg_catalog.num_nulls(${parts.join(', ')})`
}

function readBackStep(names: readonly string[]): PlannedStep {
  const columns = names.map((_, index) => `pg_catalog.current_setting($${index + 1}, true) as s${index}`)
  return ownStep(`select ${columns.join(', ')}`, names)
}
