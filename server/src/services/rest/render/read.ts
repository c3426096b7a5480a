import { constant, join, type SqlFragment, sql } from '../../../ground/sql/sql.ts'
import { isUnbounded } from '../parse/query/ranges.ts'
import type { RowRange } from '../parse/query/types.ts'
import type { PlannedSelect, ReadNode } from '../plan/types.ts'
import { renderOrder, renderValue, withAggregate, withAlias } from './field.ts'
import { type EmbedTest, renderCondition, renderWhere } from './filter.ts'
import { joinConditions, renderFrom } from './join.ts'
import { columnOf, named, quoted, type Scope } from './names.ts'

/** The common table expression that holds a statement's rows. */
export const source = 'pgrst_source'

/** The column of a to-many embed's subquery: its rows as one JSON array. */
const rowsColumn = 'pgrst_rows'

interface Output {
  readonly expression: SqlFragment
  readonly isAggregate: boolean
}

interface Lifted {
  readonly name: string
  readonly aggregate: PlannedSelect['aggregate']
  readonly aggregateCast: string | null
  readonly alias: string | null
}

const isSpread = ({ shape }: ReadNode): boolean => shape === 'spread_one' || shape === 'spread_many'

/** Nothing in it, and nothing in what is in it: joined and filtered by, never shown. */
const isEmpty = (node: ReadNode): boolean => node.select.length === 0 && node.children.every(isEmpty)

const showsNothing = (node: ReadNode): boolean => !isSpread(node) && isEmpty(node)

/** The columns that a spread lifts into its parent, by the names they have in its subquery. */
function liftedFrom(node: ReadNode): readonly Lifted[] {
  const own = node.select.map(
    (item): Lifted => ({
      name: item.alias ?? item.field.column,
      aggregate: item.aggregate,
      aggregateCast: item.aggregateCast,
      alias: item.aggregate === null ? null : item.alias,
    }),
  )
  const embedded = node.children.flatMap((child): readonly Lifted[] => {
    if (isSpread(child)) {
      return liftedFrom(child).map((lifted) => ({ ...lifted, name: lifted.alias ?? lifted.name }))
    }
    return isEmpty(child)
      ? []
      : [{ name: child.givenAlias ?? child.name, aggregate: null, aggregateCast: null, alias: null }]
  })
  return [...own, ...embedded]
}

// A to-one spread's aggregates are computed by the nearest ancestor that is none (rest §3.6).
const ownOutputs = (node: ReadNode, scope: Scope): readonly Output[] =>
  node.select.map((item) => {
    const value = renderValue(scope, item)
    const aggregate = node.shape === 'spread_one' ? null : item.aggregate
    return {
      expression: withAlias(withAggregate(value, aggregate, item.aggregateCast), item.alias),
      isAggregate: aggregate !== null,
    }
  })

/**
 * The cast of what is embedded, whose text is `jsonb`'s (rest §12). What lies within an embed is cast with it, as
 * a whole: to cast each level by itself would read and write the inner ones again and again.
 */
const castOf = (within: boolean): SqlFragment => (within ? sql`` : sql`::jsonb`)

/** Whether aggregates group what stands beside them, which `json` is not equal enough for. */
const groups = (node: ReadNode): boolean =>
  node.select.some(({ aggregate }) => aggregate !== null) ||
  node.children.some((child) => child.shape === 'spread_one' && groups(child))

function embedOutputs(node: ReadNode, child: ReadNode, within: boolean): readonly Output[] {
  const embed = named(child.output)
  const name = child.givenAlias ?? child.name
  if (showsNothing(child)) return []
  if (child.shape === 'object') {
    const row = sql`row_to_json(${columnOf(embed, '*')})${castOf(within)}`
    return [{ expression: withAlias(row, name), isAggregate: false }]
  }
  if (child.shape === 'array') {
    const rows = sql`coalesce(${columnOf(embed, rowsColumn)}, '[]')`
    return [{ expression: withAlias(rows, name), isAggregate: false }]
  }
  return liftedFrom(child).map((lifted) => {
    const aggregate = node.shape === 'spread_one' ? null : lifted.aggregate
    const value = withAggregate(columnOf(embed, lifted.name), aggregate, lifted.aggregateCast)
    return { expression: withAlias(value, lifted.alias), isAggregate: aggregate !== null }
  })
}

/** Everything beside an aggregate groups it, by its place in the list. */
function renderGroups(outputs: readonly Output[]): SqlFragment {
  if (!outputs.some(({ isAggregate }) => isAggregate)) return sql``
  const places = outputs.flatMap(({ isAggregate }, index) => (isAggregate ? [] : [constant(String(index + 1))]))
  return places.length === 0 ? sql`` : sql` group by ${join(places)}`
}

const renderRange = (range: RowRange): SqlFragment => {
  if (isUnbounded(range)) return sql``
  const limit = range.limit === null ? sql`all` : sql`${String(range.limit)}`
  return sql` limit ${limit} offset ${String(range.offset)}`
}

const testByRow = (node: ReadNode): EmbedTest => {
  const isToMany = ({ shape }: ReadNode): boolean => shape === 'array' || shape === 'spread_many'
  const toMany = new Set(node.children.filter(isToMany).map((child) => child.output))
  return (output, exists) => {
    // The row itself, or the array of rows: a row of nulls is still a row.
    const found = toMany.has(output) ? columnOf(named(output), rowsColumn) : columnOf(named(output), '*')
    return sql`${found} ${constant(exists ? 'is distinct from' : 'is not distinct from')} null`
  }
}

const ofSpread = (child: ReadNode, cast: SqlFragment): SqlFragment => {
  const rows = named(child.output)
  const columns = liftedFrom(child).map(
    ({ name }) => sql`, coalesce(json_agg(${columnOf(rows, name)}), '[]')${cast} as ${quoted(name)}`,
  )
  return join(columns, '')
}

/** A child's subquery, joined to each row of its parent. */
function renderEmbed(child: ReadNode, within: boolean): SqlFragment {
  const output = quoted(child.output)
  const kind = constant(child.join === 'inner' ? ' inner' : ' left')
  const cast = castOf(within)
  // A to-one spread's columns are its parent's: they stand where the parent's do.
  const rows = renderRead(child, child.shape === 'spread_one' ? within : true)
  if (child.shape === 'object' || child.shape === 'spread_one') {
    return sql`${kind} join lateral (${rows}) as ${output} on true`
  }
  const lifted = child.shape === 'spread_many' ? ofSpread(child, cast) : sql``
  const all = sql`select json_agg(${columnOf(named(child.output), '*')})${cast} as ${quoted(rowsColumn)}${lifted}`
  const found = child.join === 'inner' ? sql`${columnOf(named(child.output), rowsColumn)} is not null` : sql`true`
  return sql`${kind} join lateral (${all} from (${rows}) as ${output}) as ${output} on ${found}`
}

/**
 * A read with everything embedded in it, one SELECT.
 *
 * @param within whether all of it stands within what an embed makes one value of
 */
export function renderRead(node: ReadNode, within = false): SqlFragment {
  const uncast = within && !groups(node)
  const scope: Scope = { alias: node.alias, relation: node.relation }
  const outputs = [...ownOutputs(node, scope), ...node.children.flatMap((child) => embedOutputs(node, child, uncast))]
  const nothing = node.select.length === 0 && node.children.length === 0
  const list = nothing ? columnOf(scope, '*') : join(outputs.map(({ expression }) => expression))
  const embedTest = testByRow(node)
  const conditions = [
    ...node.conditions.map((condition) => renderCondition(scope, condition, embedTest)),
    ...joinConditions(node),
  ]
  return sql`select ${list} from ${renderFrom(node, source)}${join(
    node.children.map((child) => renderEmbed(child, uncast)),
    '',
  )}${renderWhere(conditions)}${renderGroups(outputs)}${renderOrder(scope, node.order)}${renderRange(node.range)}`
}
