import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { constant, type SqlFragment, sql, typed } from '../../../ground/sql/sql.ts'
import type { Routine } from '../cache/schema-cache.ts'
import type { MediaType } from '../parse/headers/media-type.ts'
import type { Preferences } from '../parse/headers/prefer.ts'
import { isUnbounded } from '../parse/query/ranges.ts'
import type { RowRange } from '../parse/query/types.ts'
import { returnsOne } from '../plan/routine.ts'
import type { BodyMaker, Plan, WritePlan } from '../plan/types.ts'
import { renderBody, rowsName } from './body.ts'
import { renderCall } from './call.ts'
import { renderCount } from './count.ts'
import { renderRead, source } from './read.ts'
import { insertedSetting, renderWrite } from './write.ts'

/** The one row that every statement answers with, each value as text. */
export interface StatementRow extends Record<string, string | null> {
  /** All rows there are, when they were counted. */
  readonly total: string | null
  /** Rows in the body. */
  readonly page: string | null
  readonly body: string | null
  /** Settings that the statement may have left (rest §13). */
  readonly response_headers: string | null
  readonly response_status: string | null
  /** Rows that an upsert inserted rather than merged. */
  readonly inserted: string | null
  /** The key of the one row inserted: JSON pairs of name and value. */
  readonly location: string | null
}

export interface StatementOptions {
  readonly count: Preferences['count']
  readonly maxRows: number | null
  /** As requested, before the cap. */
  readonly range: RowRange
}

const setting = (name: string): SqlFragment => sql`nullif(current_setting('${constant(name)}', true), '')`
const responseSettings = sql`${setting('response.headers')} as response_headers, ${setting('response.status')} as response_status`

const pageCount = (routine: Routine | null): SqlFragment =>
  routine !== null && returnsOne(routine) ? sql`1` : sql`count(*)`

interface Total {
  readonly expression: SqlFragment
  readonly withClause: SqlFragment
}

function renderTotal(rows: SqlFragment, page: SqlFragment, { count, maxRows, range }: StatementOptions): Total {
  if (count !== 'exact' && count !== 'estimated') return { expression: sql`null`, withClause: sql`` }
  // Without range or cap the page is everything.
  if (maxRows === null && isUnbounded(range)) return { expression: page, withClause: sql`` }
  const counted = count === 'estimated' && maxRows !== null ? sql`${rows} limit ${String(maxRows + 1)}` : rows
  return {
    expression: sql`(select count(*) from pgrst_source_count)`,
    withClause: sql`, pgrst_source_count as (${counted})`,
  }
}

function renderReadStatement(plan: Extract<Plan, { kind: 'read' }>, options: StatementOptions): SqlFragment {
  const page = pageCount(null)
  const total = renderTotal(renderCount(plan.read), page, options)
  const body = renderBody(plan.negotiated.body, null, source)
  return sql`with ${constant(source)} as (${renderRead(plan.read)})${total.withClause} select ${total.expression} as total, ${page} as page, ${body} as body, ${responseSettings} from (select * from ${constant(source)}) ${constant(rowsName)}`
}

const renderLocation = (write: WritePlan, returned: Preferences['return']): SqlFragment => {
  if (write.kind !== 'insert' || returned !== 'headers-only' || write.key.length === 0) return sql`null`
  return sql`case when count(*) = 1 then (
    select json_agg(json_build_array(pair.key, pair.value))
    from (select * from ${constant(source)} limit 1) first, json_each_text(row_to_json(first.*)) pair
    where pair.key = any (${typed(write.key, 'text[]')})
  ) end::text`
}

/** The rows that a body is made of, where they are not the source's own. */
interface Shown {
  readonly withClause: SqlFragment
  readonly rows: SqlFragment
  /** The common table expression that has their columns. */
  readonly name: string
}

function renderShown(rows: SqlFragment, body: BodyMaker): Shown {
  if (body.kind !== 'csv') return { withClause: sql``, rows, name: source }
  // CSV looks at them twice: for its header, and for its lines.
  const name = 'pgrst_shown'
  return { withClause: sql`, ${constant(name)} as (${rows})`, rows: sql`select * from ${constant(name)}`, name }
}

function renderWriteStatement(plan: Extract<Plan, { kind: 'write' }>, returned: Preferences['return']): SqlFragment {
  const hasBody = plan.negotiated.body.kind !== 'none'
  const rows = hasBody ? renderRead(plan.read) : sql`select * from ${constant(source)}`
  const shown = renderShown(rows, plan.negotiated.body)
  const counted = plan.write.kind === 'insert' && plan.write.countsInserted
  const inserted = counted ? setting(insertedSetting) : sql`null`
  const body = renderBody(plan.negotiated.body, null, shown.name)
  return sql`with ${constant(source)} as (${renderWrite(plan.write)})${shown.withClause} select null as total, count(*) as page, ${renderLocation(plan.write, returned)} as location, ${body} as body, ${responseSettings}, ${inserted} as inserted from (${shown.rows}) ${constant(rowsName)}`
}

function renderCallStatement(plan: Extract<Plan, { kind: 'call' }>, options: StatementOptions): SqlFragment {
  const { routine } = plan.call
  const page = pageCount(routine)
  const total = renderTotal(renderCount(plan.read), page, options)
  const shown = renderShown(renderRead(plan.read), plan.negotiated.body)
  const body = renderBody(plan.negotiated.body, routine, shown.name)
  return sql`with ${constant(source)} as (${renderCall(plan.call)})${total.withClause}${shown.withClause} select ${total.expression} as total, ${page} as page, ${body} as body, ${responseSettings} from (${shown.rows}) ${constant(rowsName)}`
}

function explained(statement: SqlFragment, media: MediaType): SqlFragment {
  if (media.kind !== 'plan') return statement
  return sql`explain (${constant([`format ${media.format}`, ...media.options].join(', '))}) ${statement}`
}

export type DatabasePlan = Exclude<Plan, { kind: 'options' | 'describe' }>

/** The one statement of a request. */
export function renderStatement(
  plan: DatabasePlan,
  options: StatementOptions,
  returned: Preferences['return'],
): Statement {
  const statement =
    plan.kind === 'read'
      ? renderReadStatement(plan, options)
      : plan.kind === 'write'
        ? renderWriteStatement(plan, returned)
        : renderCallStatement(plan, options)
  return compile(explained(statement, plan.negotiated.media))
}

/** The planner's own estimate of all rows, for `count=planned` and `count=estimated`. */
export const renderEstimate = (plan: Extract<Plan, { kind: 'read' }>): Statement =>
  compile(sql`explain (format json) ${renderCount(plan.read)}`)
