import { constant, type SqlFragment, sql, typed } from '../../../../ground/sql/sql.ts'
import { at, texts } from './columns.ts'
import { type Between, type RequestCondition, requestConditionParts } from './request-condition.ts'

/** By what a person's requests are known. */
export interface Sender {
  readonly distinctIds: readonly string[]
  readonly userId: string | null
}

/** Which requests are asked for. */
export interface RequestFilter extends RequestCondition {
  readonly method?: string
  readonly service?: string
  readonly session?: string
  readonly q?: string
  /** Users whose e-mail `q` matched. */
  readonly userIds: readonly string[]
  readonly sender?: Sender | undefined
  /** ISO instants: it began then or later, and before then. */
  readonly from?: string
  readonly to?: string
  /** The path, its ids written `:id`. */
  readonly route?: string
  /** The names of its query's parameters, in order, by comma. */
  readonly shape?: string
  /** The fingerprint of a statement that it ran. */
  readonly statement?: string
  /** Whether it answered a page of the data API that has no row. */
  readonly empty?: boolean
}

/** The parts of a filter, of which a request meets each; its text is looked for elsewhere. */
export function requestFilterParts(filter: RequestFilter): readonly SqlFragment[] {
  const { method, service, session, sender, route, shape, statement } = filter
  const between = betweenOf(filter)
  return [
    ...(between.from === null ? [] : [sql`time >= ${at(between.from)}`]),
    ...(between.before === null ? [] : [sql`time < ${at(between.before)}`]),
    ...(method === undefined ? [] : [sql`method = ${method.toUpperCase()}`]),
    ...(service === undefined ? [] : [sql`service = ${service}`]),
    ...(session === undefined ? [] : [ofSession(session)]),
    ...(sender === undefined ? [] : [isFrom(sender)]),
    ...(route === undefined ? [] : [sql`${routeOfPath} = ${route}`]),
    ...(shape === undefined ? [] : [sql`${shapeOfQuery} = ${shape}`]),
    ...(filter.empty === true ? [isEmptyAnswer] : []),
    ...(statement === undefined ? [] : [runs(statement, between)]),
    ...requestConditionParts(filter, between),
  ]
}

const betweenOf = ({ from, to }: RequestFilter): Between => ({
  from: from === undefined ? null : new Date(from),
  before: to === undefined ? null : new Date(to),
})

/** A request's other columns are read by the table's key, which a projection has by session and by id. */
export const byKey = (found: SqlFragment): SqlFragment =>
  sql`(time, id) in (select time, id from requests where ${found})`

/** The requests that are tied to a session. */
export const ofSession = (sessionId: string): SqlFragment => {
  const session = sql`session_id = ${sessionId}`
  return sql`${session} and ${byKey(session)}`
}

/** Requests with the token of a person's user, or with an id of theirs. */
export const isFrom = ({ distinctIds, userId }: Sender): SqlFragment =>
  sql`(distinct_id in ${texts(distinctIds)}${userId === null ? sql`` : sql` or user_id = ${userId}`})`

const isEmptyAnswer = sql`service = 'rest' and method = 'GET' and status < 300 and rows = 0`

const runs = (fingerprint: string, { from, before }: Between): SqlFragment => sql`
  id in (
    select request_id from statements
    where fingerprint = ${typed(fingerprint, 'UInt64')}
      ${from === null ? sql`` : sql`and time >= ${at(from)}`} ${before === null ? sql`` : sql`and time < ${at(before)}`})`

const id = '[0-9]+|[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}'
const routeOfPath = constant(`replaceRegexpAll(path, '/(${id})\\\\b', '/:id')`)
const shapeOfQuery = constant(`arrayStringConcat(arraySort(arrayDistinct(extractAll(query, '(?:^|&)([^=&]+)='))), ',')`)

/** What a request has in common with others like it, as a filter's `route` and `shape` have it. */
export interface RequestLikeness {
  readonly route: string
  readonly shape: string
}

/** A request's route and shape: the function that ClickHouse's expressions above are of. */
export const likenessOf = ({ path, query }: { readonly path: string; readonly query: string }): RequestLikeness => ({
  route: path.replace(new RegExp(`/(${id})\\b`, 'g'), '/:id'),
  shape: [...new Set([...query.matchAll(/(?:^|&)([^=&]+)=/g)].map(([, name = '']) => name))].sort().join(','),
})
