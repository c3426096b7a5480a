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

function renderArguments(source: CallArguments): SqlFragment {
  switch (source.kind) {
    case 'values':
      return join(source.values.map(fromText))
    case 'json':
      return join(source.parameters.map(({ name, variadic }) => assigned(name, variadic, columnOf(named(body), name))))
    case 'body':
      return sql`${typed(source.type === 'bytea' ? asBytes(source.body) : asText(source.body), source.type)}`
  }
}

/** `select … from function(…)`, with the arguments read from the payload where it holds them. */
export function renderCall({ routine, arguments: source, returning }: CallPlan): SqlFragment {
  const isScalar = returnsScalar(routine) || returnsScalars(routine)
  const invoked = sql`${qualified(routine)}(${renderArguments(source)})`
  const rows = isScalar ? sql`(select ${invoked} ${quoted(scalarColumn)}) pgrst_call` : sql`${invoked} pgrst_call`
  const columns = isScalar
    ? columnOf(named('pgrst_call'), scalarColumn)
    : join((returning.length === 0 ? ['*'] : returning).map((name) => columnOf(named('pgrst_call'), name)))
  if (source.kind !== 'json') return sql`select ${columns} from ${rows}`
  const parsed = renderPayload(source.payload, source.parameters.map(asColumn), {
    withDefaults: false,
    onlyFirst: true,
  })
  return sql`select ${columns} ${parsed}, lateral ${rows}`
}
