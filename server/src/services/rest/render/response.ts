import { restError } from '../errors.ts'
import { contentType } from '../parse/headers/media-type.ts'
import { type Applied, preferenceApplied } from '../parse/headers/prefer.ts'
import { canonicalQuery, encodePercent } from '../parse/query/query-string.ts'
import type { ParsedRequest } from '../parse/request.ts'
import { legacyNames } from '../plan/read.ts'
import { returnsNothing } from '../plan/routine.ts'
import type { Plan } from '../plan/types.ts'
import { protocolVersion } from '../protocol-version.ts'
import { errorBody } from './error-body.ts'
import { type Header, withGucs } from './guc.ts'
import type { DatabasePlan, StatementRow } from './statement.ts'

/** A response, ready for the edge. */
export interface RestResponse {
  readonly status: number
  /** The reason phrase, where it is not the standard's. */
  readonly statusText: string | null
  readonly headers: readonly Header[]
  readonly body: string | Buffer | null
  readonly errorCode: string | null
  readonly rows: number | null
  /** The caller's role; null or absent where none was found. */
  readonly role?: string | null
}

/** `first-last/total` (rest §4). */
function contentRange(first: number, count: number, total: number | null): string {
  const range = count > 0 && total !== 0 ? `${first}-${first + count - 1}` : '*'
  return `${range}/${total ?? '*'}`
}

const rangeStatus = (first: number, count: number, total: number | null): number => {
  if (total === null) return 200
  if (first > total) return 416
  return count < total ? 206 : 200
}

const typeHeaders = (request: ParsedRequest, plan: DatabasePlan): readonly Header[] => [
  ['content-type', contentType(plan.negotiated.media)],
  ...(request.profiled ? [['content-profile', request.schema] as const] : []),
]

const appliedHeader = (request: ParsedRequest, applied: Applied): readonly Header[] => {
  const value = preferenceApplied(request.preferences, {
    count: true,
    tx: true,
    handling: true,
    timezone: true,
    ...applied,
  })
  return value === null ? [] : [['preference-applied', value]]
}

const bodyOf = (plan: DatabasePlan, row: StatementRow): string | Buffer => {
  const text = row.body ?? ''
  const { body } = plan.negotiated
  if (body.kind !== 'handler') return text
  // Bytes arrive in PostgreSQL's hexadecimal form. Text goes out as bytes, too: Fastify would add a charset to the
  // media types of the application's own that end in `json`.
  return body.binary ? Buffer.from(text.slice(2), 'hex') : Buffer.from(text)
}

interface Draft {
  readonly status: number
  readonly headers: readonly Header[]
  readonly body: string | Buffer | null
  readonly errorCode: string | null
}

const outOfRange = (offset: number, total: number) =>
  restError('PGRST103', { details: `An offset of ${offset} was requested, but there are only ${total} rows.` })

function ranged(plan: DatabasePlan, request: ParsedRequest, row: StatementRow, verbose: boolean): Draft {
  const first = request.range.offset
  const count = Number(row.page ?? 0)
  const total = row.total === null ? null : Number(row.total)
  const status = rangeStatus(first, count, total)
  const error = status === 416 ? outOfRange(first, total ?? 0) : null
  return {
    status,
    headers: [['content-range', contentRange(first, count, total)], ...typeHeaders(request, plan)],
    body:
      error === null
        ? bodyOf(plan, row)
        : errorBody({ ...error, hint: error.wireHint, message: error.message }, verbose),
    errorCode: error?.code ?? null,
  }
}

function respondToRead(
  plan: Extract<Plan, { kind: 'read' }>,
  request: ParsedRequest,
  row: StatementRow,
  { verbose, query: sent }: ResponseOptions,
): Draft {
  const canonical = canonicalQuery(sent)
  const query = canonical === '' ? '' : `?${canonical}`
  const draft = ranged(plan, request, row, verbose)
  const location: Header = ['content-location', `/${plan.relation.name}${query}`]
  return { ...draft, headers: [location, ...draft.headers, ...appliedHeader(request, {})] }
}

function respondToCall(
  plan: Extract<Plan, { kind: 'call' }>,
  request: ParsedRequest,
  row: StatementRow,
  verbose: boolean,
): Draft {
  const draft = ranged(plan, request, row, verbose)
  const applied = appliedHeader(request, { maxAffected: true })
  if (returnsNothing(plan.call.routine)) {
    const [range] = draft.headers
    return { status: 204, headers: range === undefined ? applied : [range, ...applied], body: null, errorCode: null }
  }
  return { ...draft, headers: [...draft.headers, ...applied] }
}

function locationHeader(relation: string, location: string | null): readonly Header[] {
  if (location === null) return []
  // Pairs of name and value, as the statement wrote them.
  const pairs = JSON.parse(location) as readonly (readonly [string, string | null])[]
  const query = pairs.map(
    ([name, value]) => `${encodePercent(name)}=${value === null ? 'is.null' : encodePercent(`eq.${value}`)}`,
  )
  return [['location', `/${relation}?${query.join('&')}`]]
}

const countedBy = ({ preferences: { count } }: ParsedRequest, rows: number): number | null =>
  count === 'exact' || count === 'estimated' ? rows : null

function respondToWrite(plan: Extract<Plan, { kind: 'write' }>, request: ParsedRequest, row: StatementRow): Draft {
  const { write } = plan
  const rows = Number(row.page ?? 0)
  const inserted = Number(row.inserted ?? 0)
  const wantsRows = request.preferences.return === 'representation'
  const body = wantsRows ? bodyOf(plan, row) : null
  const types = wantsRows ? typeHeaders(request, plan) : []
  const total = countedBy(request, rows)
  if (write.kind === 'insert' && write.isPut) {
    const headers = [...types, ...appliedHeader(request, { return: true })]
    return { status: wantsRows ? (inserted > 0 ? 201 : 200) : 204, headers, body, errorCode: null }
  }
  if (write.kind === 'insert') {
    const resolution = write.key.length > 0 || request.query.onConflict !== null
    const headers = [
      ...locationHeader(plan.relation.name, row.location),
      ['content-range', contentRange(0, 0, total)] as const,
      ...types,
      ...appliedHeader(request, { resolution, missing: true, return: true }),
    ]
    const merged = request.preferences.resolution === 'merge-duplicates' && inserted <= 0
    return { status: merged ? 200 : 201, headers, body, errorCode: null }
  }
  const isUpdate = write.kind === 'update'
  const headers = [
    ['content-range', contentRange(0, isUpdate ? rows : 0, total)] as const,
    ...types,
    ...appliedHeader(request, { return: true, missing: isUpdate, maxAffected: true }),
  ]
  return { status: wantsRows ? 200 : 204, headers, body, errorCode: null }
}

function warning(plan: DatabasePlan): readonly Header[] {
  const names = legacyNames(plan.read)
  if (names.length === 0) return []
  const changes = names.map(({ name, alias }) => `\`${name}\` to \`${alias}\``).join(', ')
  const text = `Embedded resource was referenced by relation name even though it has an alias. This is deprecated and will stop working in a future release. Update ${changes} in query string filters, orders or limits.`
  return [['warning', `299 PostgRESTv${protocolVersion.replaceAll(' ', '')} "${text}"`]]
}

export interface ResponseOptions {
  /** The query string as sent. */
  readonly query: string
  readonly verbose: boolean
}

/**
 * The response for the one row that a statement returned.
 *
 * @throws PGRST111, PGRST112 for `response.headers` and `response.status` that cannot be read
 */
export function renderResponse(
  plan: DatabasePlan,
  request: ParsedRequest,
  row: StatementRow,
  options: ResponseOptions,
): RestResponse {
  const draft =
    plan.kind === 'read'
      ? respondToRead(plan, request, row, options)
      : plan.kind === 'write'
        ? respondToWrite(plan, request, row)
        : respondToCall(plan, request, row, options.verbose)
  const overridden = withGucs(draft.status, draft.headers, row)
  const vary: readonly Header[] = overridden.headers.some(([name]) => name === 'vary')
    ? []
    : [['vary', 'Accept, Prefer, Range']]
  return {
    status: overridden.status,
    statusText: null,
    headers: [...overridden.headers, ...warning(plan), ...vary],
    body: draft.body,
    errorCode: draft.errorCode,
    rows: Number(row.page ?? 0),
  }
}

/** The answer to a request for the execution plan: the lines that EXPLAIN gave. */
export function renderPlanResponse(plan: DatabasePlan, request: ParsedRequest, lines: readonly string[]): RestResponse {
  return {
    status: 200,
    statusText: null,
    headers: [...typeHeaders(request, plan), ['vary', 'Accept, Prefer, Range']],
    body: lines.map((line) => `${line}\n`).join(''),
    errorCode: null,
    rows: null,
  }
}

/** The description of the API at its root. */
export const renderDescriptionResponse = (request: ParsedRequest, text: string): RestResponse => ({
  status: 200,
  statusText: null,
  headers: [
    ['content-type', 'application/openapi+json; charset=utf-8'],
    ...(request.profiled ? [['content-profile', request.schema] as const] : []),
    ['vary', 'Accept, Prefer, Range'],
  ],
  body: text,
  errorCode: null,
  rows: null,
})

/** The answer to OPTIONS. */
export const renderOptionsResponse = (allow: string): RestResponse => ({
  status: 200,
  statusText: null,
  headers: [
    ['allow', allow],
    ['access-control-allow-origin', '*'],
    ['vary', 'Accept, Prefer, Range'],
  ],
  body: '',
  errorCode: null,
  rows: null,
})
