import { constant, join, type SqlFragment, sql } from '../../../ground/sql/sql.ts'
import type { QualifiedName } from '../cache/schema-cache.ts'
import type { Condition, WritePlan } from '../plan/types.ts'
import { renderCondition, renderWhere } from './filter.ts'
import { columnOf, named, qualified, quoted, type Scope } from './names.ts'
import { body, payloadColumns, renderPayload } from './payload.ts'

type Insert = Extract<WritePlan, { kind: 'insert' }>
type Update = Extract<WritePlan, { kind: 'update' }>

const noEmbeds = (): SqlFragment => sql`true`

const conditionsOn = (scope: Scope, conditions: readonly Condition[]): readonly SqlFragment[] =>
  conditions.map((condition) => renderCondition(scope, condition, noEmbeds))

const returning = (into: QualifiedName, columns: readonly string[]): SqlFragment => {
  if (columns.length === 0) return sql` returning 1`
  const scope: Scope = { alias: null, relation: into }
  return sql` returning ${join(columns.map((name) => columnOf(scope, name)))}`
}

/** The setting that counts, in the transaction, the rows that were inserted rather than merged. */
export const insertedSetting = 'pgrst.inserted'

// Always true: it is there to count. A merge takes back what its insert counted.
const counting = (step: 1 | -1): SqlFragment =>
  sql`set_config('${constant(insertedSetting)}', (coalesce(nullif(current_setting('${constant(insertedSetting)}', true), '')::int, 0) + ${constant(`(${step})`)})::text, true) <> '${constant(step === 1 ? '0' : '-1')}'`

function conflict(plan: Insert): SqlFragment {
  if (plan.conflict === null) return sql``
  const target = join(plan.conflict.columns.map((name) => quoted(name)))
  if (!plan.conflict.merge || plan.columns.length === 0) return sql` on conflict (${target}) do nothing`
  const changes = join(plan.columns.map(({ name }) => sql`${quoted(name)} = excluded.${quoted(name)}`))
  return sql` on conflict (${target}) do update set ${changes} where ${counting(-1)}`
}

function renderInsert(plan: Insert): SqlFragment {
  const columns = plan.columns.length === 0 ? sql` ` : sql` (${join(plan.columns.map(({ name }) => quoted(name)))}) `
  const values = plan.columns.length === 0 ? sql`select` : sql`select ${payloadColumns(plan.columns)}`
  const rows = renderPayload(plan.payload, plan.columns, { withDefaults: plan.withDefaults, onlyFirst: false })
  const where = renderWhere([
    ...(plan.countsInserted ? [counting(1)] : []),
    ...conditionsOn(named(body), plan.conditions),
  ])
  return sql`insert into ${qualified(plan.into)}${columns}${values} ${rows}${where}${conflict(plan)}${returning(plan.into, plan.returning)}`
}

function renderUpdate(plan: Update): SqlFragment {
  const scope: Scope = { alias: null, relation: plan.into }
  if (plan.columns.length === 0) {
    // Nothing to set: no row, but the columns that the representation is read from.
    const columns = plan.returning.length === 0 ? sql`null` : join(plan.returning.map((name) => columnOf(scope, name)))
    return sql`select ${columns} from ${qualified(plan.into)} where false`
  }
  const changes = join(plan.columns.map(({ name }) => sql`${quoted(name)} = ${columnOf(named(body), name)}`))
  const rows = renderPayload(plan.payload, plan.columns, { withDefaults: plan.withDefaults, onlyFirst: false })
  return sql`update ${qualified(plan.into)} set ${changes} ${rows}${renderWhere(conditionsOn(scope, plan.conditions))}${returning(plan.into, plan.returning)}`
}

/** The statement that changes rows. */
export function renderWrite(plan: WritePlan): SqlFragment {
  switch (plan.kind) {
    case 'insert':
      return renderInsert(plan)
    case 'update':
      return renderUpdate(plan)
    case 'delete': {
      const scope: Scope = { alias: null, relation: plan.into }
      return sql`delete from ${qualified(plan.into)}${renderWhere(conditionsOn(scope, plan.conditions))}${returning(plan.into, plan.returning)}`
    }
  }
}
