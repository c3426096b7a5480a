import { constant, join, type SqlFragment, sql, typed } from '../../../ground/sql/sql.ts'
import { isTemplateParameter, type TemplateParameter, type Text } from '../parse/query/template-parameter.ts'
import { returnsScalar, returnsScalars } from '../plan/routine.ts'
import type { CallArgument, CallArguments, CallPlan, PlannedColumn } from '../plan/types.ts'
import { columnOf, named, qualified, quoted } from './names.ts'
import { body, renderPayload } from './payload.ts'

/** The column of a call that gives back values rather than rows. */
export const scalarColumn = 'pgrst_scalar'

const assigned = (name: string, variadic: boolean, value: SqlFragment): SqlFragment =>
  sql`${constant(variadic ? 'variadic ' : '')}${quoted(name)} := ${value}`

// The type is the catalogue's own spelling.
const fromText = ({ name, type, variadic, value }: CallArgument): SqlFragment =>
  assigned(name, variadic, sql`${typed(value, type)}`)

const asColumn = ({ name, type }: { readonly name: string; readonly type: string }): PlannedColumn => ({
  name,
  type,
  default: null,
  transform: null,
})

function asBytes(body: Buffer | Text): Buffer | TemplateParameter {
  if (isTemplateParameter(body)) return { ...body, as: 'bytes' }
  return typeof body === 'string' ? Buffer.from(body) : body
}

const asText = (body: Buffer | Text): Text => (Buffer.isBuffer(body) ? body.toString('utf8') : body)

function renderArguments(given: CallArguments): SqlFragment {
  switch (given.kind) {
    case 'values':
      return join(given.values.map(fromText))
    case 'json':
      return join(given.parameters.map(({ name, variadic }) => assigned(name, variadic, columnOf(named(body), name))))
    case 'body':
      return sql`${typed(given.type === 'bytea' ? asBytes(given.body) : asText(given.body), given.type)}`
  }
}

/** `select … from function(…)`, with the arguments read from the payload where it holds them. */
export function renderCall({ routine, arguments: given, returning }: CallPlan): SqlFragment {
  const isScalar = returnsScalar(routine) || returnsScalars(routine)
  const invoked = sql`${qualified(routine)}(${renderArguments(given)})`
  const rows = isScalar ? sql`(select ${invoked} ${quoted(scalarColumn)}) pgrst_call` : sql`${invoked} pgrst_call`
  const columns = isScalar
    ? columnOf(named('pgrst_call'), scalarColumn)
    : join((returning.length === 0 ? ['*'] : returning).map((name) => columnOf(named('pgrst_call'), name)))
  if (given.kind !== 'json') return sql`select ${columns} from ${rows}`
  const parsed = renderPayload(given.payload, given.parameters.map(asColumn), { withDefaults: false, onlyFirst: true })
  return sql`select ${columns} ${parsed}, lateral ${rows}`
}
