import type { KeptLonger } from '../../../ground/model/kept-longer.ts'
import type { KeptTable } from '../../../ground/model/service-tables.ts'
import type { RetentionDeps } from '../deps.ts'
import type { Holds } from '../holds/holds.ts'
import type { HoldRow } from '../holds/store.ts'
import {
  dropDayStatement,
  type KeptKind,
  keepErrorsStatement,
  keepSessionsStatement,
  keptCondition,
  type Pass,
  passSessionsStatement,
  pastDaysStatement,
} from './store.ts'

const dayMs = 24 * 60 * 60_000
/** What is deleted by age lay there for a day at least: what was looked up is looked up again after this. */
const passMs = 60_000
/** A deletion that was begun is done, or begun anew, by then. */
const rememberedDays = 3
const requestsTable = 'requests'

/** What holds and rules keep longer, looked up before rows are deleted. */
export function createKeptLonger(
  { clickhouse, tables, settings, now, newId }: RetentionDeps,
  holds: Pick<Holds, 'open'>,
): KeptLonger {
  const byName = new Map(tables.map((table) => [table.name, table]))
  let last: { readonly of: string; readonly pass: Pass } | null = null

  const insert = (pass: Pass, kind: KeptKind, values: readonly string[]): Promise<void> =>
    clickhouse.insert(
      'kept_longer',
      values.map((value) => ({ pass: pass.id, at: Math.floor(pass.at.getTime() / 1000), kind, value })),
    )

  async function lookUp(open: readonly HoldRow[]): Promise<Pass> {
    const at = now()
    const spans = open.flatMap(({ fromAt, toAt }) => (fromAt === null ? [] : [{ from: fromAt, to: toAt }]))
    const pass = { id: newId(), at, spans }
    const ids = [...new Set(open.flatMap((hold) => hold.ids))]
    await insert(pass, 'id', ids)
    await insert(
      pass,
      'session',
      open.flatMap(({ sessionId }) => sessionId ?? []),
    )
    if (ids.length > 0 || spans.length > 0)
      for (const [table, session] of withSessions(tables))
        if (spans.length > 0 || table.ties.ids !== undefined)
          await clickhouse.command(keepSessionsStatement(table, session, pass))
    const { sessionsWithErrorsDays: days } = settings
    if (days !== null) {
      const since = new Date(at.getTime() - days * dayMs)
      for (const [table, session] of withSessions(tables))
        if (table.isError !== undefined)
          await clickhouse.command(keepErrorsStatement(table, { session, isError: table.isError }, pass, since))
    }
    // Last: without it nothing is deleted, and what broke off is no pass.
    await insert(pass, 'mark', [''])
    const past = new Date(at.getTime() - rememberedDays * dayMs)
    for (const { id } of await clickhouse.query<{ id: string }>(pastDaysStatement(past)))
      await clickhouse.command(dropDayStatement(id))
    return pass
  }

  /** Null where nothing is kept longer. */
  async function current(): Promise<Pass | null> {
    const open = await holds.open()
    if (open.length === 0 && settings.sessionsWithErrorsDays === null) return null
    const of = JSON.stringify(open.map(({ id, ids }) => [id, ids]))
    if (last?.of !== of || now().getTime() - last.pass.at.getTime() > passMs) last = { of, pass: await lookUp(open) }
    return last.pass
  }

  return {
    async condition(name) {
      const table = byName.get(name)
      const pass = table === undefined ? null : await current()
      return table === undefined || pass === null ? null : keptCondition(table, byName.get(requestsTable), pass)
    },
    async sessions() {
      const pass = await current()
      if (pass === null) return []
      const rows = await clickhouse.query<{ value: string }>(passSessionsStatement(pass))
      return rows.map(({ value }) => value)
    },
  }
}

const withSessions = (tables: readonly KeptTable[]): readonly (readonly [KeptTable, string])[] =>
  tables.flatMap((table) => (table.ties.session === undefined ? [] : [[table, table.ties.session] as const]))
