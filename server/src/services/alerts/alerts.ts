import { type NoticePorts, sendNotice } from '../../engines/mail/index.ts'
import type { Sql } from '../../engines/postgres/index.ts'
import { messageOf } from '../../ground/errors/message.ts'
import type { Log } from '../../ground/model/log.ts'
import { repeatedly } from '../../ground/retry/repeatedly.ts'
import { storableText } from '../../ground/text/storable.ts'
import { type AlertState, decide, isFiring, type Reading } from './decide.ts'
import { type Notice, renderNotices } from './message.ts'
import { createReading } from './reading.ts'
import { planRules, type Rule, type RuleId } from './rules.ts'
import type { AlertsSettings } from './settings.ts'
import {
  forgetNoticesStatement,
  insertNoticesStatement,
  type NoticeRow,
  notSentStatement,
  replaceStatesStatement,
  type StateRow,
  selectNoticesStatement,
  selectOwedStatement,
  selectStatesStatement,
  sentStatement,
  takeTurnStatement,
} from './store.ts'

/** What alerts read, and how their notices leave. */
export interface AlertsDeps {
  readonly sql: Sql
  readonly settings: AlertsSettings
  readonly notices: NoticePorts
  /** The project's name. */
  readonly project: string
  /** Without a slash at its end. */
  readonly consoleUrl: string
  /** What each rule reads; nothing where what it is about is not there. */
  readonly measures: Readonly<Record<RuleId, () => Promise<readonly Reading[]>>>
  readonly now: () => Date
  readonly log: Log
  /** Called when something of the alerts is another. */
  readonly changed: () => void
}

/** Alerts and what was told of them. */
export interface AlertsState {
  readonly rules: readonly Rule[]
  readonly states: readonly StateRow[]
  readonly notices: readonly NoticeRow[]
}

/** Looks at how the instance is, and tells the team when it needs them. */
export interface Alerts {
  state(): Promise<AlertsState>
  /** Looks at everything now, and sends what is owed. */
  look(): Promise<void>
  /** Sends a notice that is none. @throws what sending throws */
  sendTest(): Promise<void>
  /** Alerts that have begun and not ended, of this process and of the instance as it knows it. */
  firing(): number
  start(): void
  close(): Promise<void>
}

type States = ReadonlyMap<string, StateRow>

const keyOf = ({ rule, subject }: Pick<StateRow, 'rule' | 'subject'>): string => JSON.stringify([rule, subject])
const listed = 100
const dayMs = 24 * 3_600_000
const rememberedDays = 90
/** A process whose clock is a little late has its turn nonetheless. */
const turnShare = 0.9

/** Opens the room; its tables must have been migrated. */
export function createAlerts(deps: AlertsDeps): Alerts {
  const { sql, settings, now, log, changed } = deps
  const rules = planRules(settings)
  const everyMs = settings.everySeconds * 1000
  const evaluate = createEvaluate(deps, rules)
  let own: States = new Map()
  let ofInstance: States = new Map()

  async function lookAtInstance(): Promise<void> {
    const at = now()
    const turn = takeTurnStatement(at, new Date(at.getTime() - everyMs * turnShare))
    if ((await sql.query(turn)).rows.length === 0) {
      ofInstance = await readStates(sql)
      return
    }
    const { states, notices } = await evaluate('instance', await readStates(sql))
    await sql.transaction(async (tx) => {
      await tx.query(replaceStatesStatement([...states.values()]))
      if (notices.length > 0) await tx.query(insertNoticesStatement(notices))
      await tx.query(forgetNoticesStatement(new Date(at.getTime() - rememberedDays * dayMs)))
    })
    ofInstance = states
    if (notices.length > 0) changed()
  }
  async function lookAtProcess(): Promise<void> {
    const { states, notices } = await evaluate('process', own)
    // Kept before they are known to be told: a database that is down may be what they are about.
    own = states
    if (notices.length === 0) return
    changed()
    await sql.query(insertNoticesStatement(notices)).catch(async (error: unknown) => {
      log.warn({ err: error }, 'alerts: they could not be kept, and are sent at once')
      await send(deps, rules, notices)
    })
  }
  async function look(): Promise<void> {
    const steps = [lookAtProcess, lookAtInstance, () => sendOwed(deps, rules)]
    for (const step of steps)
      await step().catch((error: unknown) => log.warn({ err: error }, 'alerts: a look failed, and is taken again'))
  }
  const looking = repeatedly(look, everyMs)

  return {
    async state() {
      const [states, { rows: notices }] = await Promise.all([
        readStates(sql),
        sql.query<NoticeRow>(selectNoticesStatement(listed)),
      ])
      return { rules, states: [...own.values(), ...states.values()], notices }
    },
    look,
    sendTest: () =>
      send(deps, rules, [
        {
          ...{ rule: 'component', subject: 'a test', kind: 'fired', value: 1, at: now() },
          detail: 'Nothing is down: this is the test that was asked for in the console.',
        },
      ]),
    firing: () => [...own.values(), ...ofInstance.values()].filter(({ state }) => isFiring(state)).length,
    start: looking.start,
    close: looking.close,
  }
}

/** Reads what rules are about, all at once, and decides how their alerts go on. */
function createEvaluate({ measures, settings, now, log }: AlertsDeps, rules: readonly Rule[]) {
  const read = createReading(measures, settings.readSeconds * 1000)
  const readNow = (rule: Rule): Promise<readonly Reading[] | null> =>
    read(rule.id).catch((error: unknown) => {
      log.warn({ err: error, rule: rule.id }, 'alerts: something could not be read')
      return null
    })
  /** The next states of the rules; a rule that cannot be read keeps its own. */
  return async function evaluate(
    of: Rule['of'],
    before: States,
  ): Promise<{ readonly states: States; readonly notices: readonly Notice[] }> {
    const states = new Map<string, StateRow>()
    const notices: Notice[] = []
    const at = now()
    const asked = rules.filter((each) => each.of === of)
    const found = await Promise.all(asked.map(readNow))
    for (const [index, rule] of asked.entries()) {
      const readings = found[index] ?? null
      if (readings === null) {
        for (const state of before.values()) if (state.rule === rule.id) states.set(keyOf(state), state)
        continue
      }
      for (const { subject, ...reading } of readings.map(storable)) {
        const key = keyOf({ rule: rule.id, subject })
        const { state, notice } = decide(
          rule,
          before.get(key)?.state,
          reading,
          at.getTime(),
          settings.repeatHours * 3_600_000,
        )
        states.set(key, { rule: rule.id, subject, state })
        if (notice !== null) notices.push({ rule: rule.id, subject, kind: notice, at, ...lastOf(state) })
      }
    }
    return { states, notices }
  }
}

/** A reading as the database keeps it: texts of engines and of errors may hold anything. */
const storable = ({ subject, value, detail }: Reading): Reading => ({
  subject: storableText(subject),
  value,
  detail: detail === null ? null : storableText(detail),
})

const lastOf = ({ value, detail }: AlertState) => ({ value, detail })

async function readStates(sql: Pick<Sql, 'query'>): Promise<States> {
  const { rows } = await sql.query<StateRow>(selectStatesStatement())
  return new Map(rows.map((row) => [keyOf(row), row]))
}

async function send(deps: AlertsDeps, rules: readonly Rule[], notices: readonly Notice[]): Promise<void> {
  const { mails, webhookUrl } = deps.settings
  const unitOf = (id: RuleId): Rule['unit'] => rules.find((rule) => rule.id === id)?.unit ?? 'down'
  await sendNotice(deps.notices, { mails, webhookUrl }, renderNotices(notices, unitOf, deps))
}

/** Sends what is owed in one message; what could not be sent for a day is given up. The lock is held while it leaves. */
async function sendOwed(deps: AlertsDeps, rules: readonly Rule[]): Promise<void> {
  const { sql, settings, now, log, changed } = deps
  await sql.transaction(async (tx) => {
    const { rows } = await tx.query<NoticeRow>(selectOwedStatement(listed))
    if (rows.length === 0) return
    const ids = (notices: readonly NoticeRow[]): readonly string[] => notices.map(({ id }) => id)
    if (settings.mails.length === 0 && settings.webhookUrl === null) {
      // What happened while no one was to be told is no news later.
      await tx.query(sentStatement(ids(rows), now(), null))
      return
    }
    try {
      await send(deps, rules, rows)
      await tx.query(sentStatement(ids(rows), now(), null))
    } catch (error) {
      const problem = messageOf(error)
      log.warn({ err: error }, 'alerts: they could not be sent yet')
      const [old, young] = [true, false].map((isOld) =>
        rows.filter(({ at }) => now().getTime() - at.getTime() > dayMs === isOld),
      )
      if (old !== undefined && old.length > 0) await tx.query(sentStatement(ids(old), now(), problem))
      if (young !== undefined && young.length > 0) await tx.query(notSentStatement(ids(young), problem))
    }
    changed()
  })
}
