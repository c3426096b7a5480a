import type { Column, Relation, SchemaCache } from '../cache/schema-cache.ts'
import { restError } from '../errors.ts'
import type { Filter, LogicTree } from '../parse/query/types.ts'
import type { ParsedRequest } from '../parse/request.ts'
import { payloadTransform, planFilter } from './fields.ts'
import { neededColumns } from './needs.ts'
import type { Condition, JsonPayload, PlannedColumn, ReadNode, WritePlan } from './types.ts'

const defaultOf = ({ literal, default: value }: Column): PlannedColumn['default'] =>
  value === null ? null : { name: literal, value }

function planColumns(cache: SchemaCache, relation: Relation, names: readonly string[]): readonly PlannedColumn[] {
  return names.map((name) => {
    const column = relation.columns.get(name)
    if (column === undefined) {
      throw restError('PGRST204', {
        message: `Could not find the '${name}' column of '${relation.name}' in the schema cache`,
      })
    }
    const transform = payloadTransform(cache, column)
    // A function that reads the payload's JSON gets it as it is.
    return { name, type: transform === null ? column.recordType : 'json', default: defaultOf(column), transform }
  })
}

const planCondition = (cache: SchemaCache, relation: Relation, logic: Filter | LogicTree): Condition =>
  logic.kind === 'filter'
    ? planFilter(cache, relation, logic)
    : {
        kind: 'tree',
        operator: logic.operator,
        negated: logic.negated,
        members: logic.members.map((member) => planCondition(cache, relation, member)),
      }

/** PUT takes exactly the key's columns, each by a plain `eq` (rest §7). */
function refuseOtherFilters(request: ParsedRequest, relation: Relation): void {
  const { query } = request
  const named = new Set(query.filters.map(({ value }) => value.field.name))
  const isKey =
    relation.key.length > 0 && named.size === relation.key.length && relation.key.every((name) => named.has(name))
  const isPlain = query.filters.every(
    ({ path, value: { field, negated, operation } }) =>
      path.length === 0 &&
      field.path.length === 0 &&
      !negated &&
      operation.kind === 'compare' &&
      operation.operator === 'eq' &&
      operation.quantifier === null,
  )
  if (!isKey || !isPlain || query.logic.length > 0) throw restError('PGRST105')
}

const jsonOf = (request: ParsedRequest): JsonPayload =>
  request.payload?.kind === 'json' ? request.payload : { kind: 'json', text: '[]', isObject: false, keys: [] }

/**
 * Plans an insert, update or delete.
 *
 * @throws PGRST105, 115, 204
 */
export function planWrite(cache: SchemaCache, relation: Relation, request: ParsedRequest, read: ReadNode): WritePlan {
  const { action, query, preferences } = request
  const into = { schema: relation.schema, name: relation.name }
  const wantsRows = preferences.return === 'representation' || preferences.return === 'headers-only'
  const returning = wantsRows ? neededColumns(read, relation.key) : []
  const atRoot = [...query.filters, ...query.logic].filter(({ path }) => path.length === 0)
  const conditions = (): readonly Condition[] => atRoot.map(({ value }) => planCondition(cache, relation, value))
  const columns = (): readonly PlannedColumn[] => planColumns(cache, relation, request.columns)
  const withDefaults = preferences.missing === 'default'

  if (action.kind === 'delete') return { kind: 'delete', into, conditions: conditions(), returning }
  if (action.kind === 'update') {
    return {
      kind: 'update',
      into,
      columns: columns(),
      payload: jsonOf(request),
      conditions: conditions(),
      withDefaults,
      returning,
    }
  }
  const isPut = action.kind === 'put'
  if (isPut) refuseOtherFilters(request, relation)
  const inserted = columns()
  // A payload without the key cannot have the URL's.
  if (isPut && !relation.key.every((name) => request.columns.includes(name))) throw restError('PGRST115')
  const conflictColumns = isPut ? relation.key : (query.onConflict ?? relation.key)
  const resolution = isPut ? 'merge-duplicates' : preferences.resolution
  return {
    kind: 'insert',
    into,
    columns: inserted,
    payload: jsonOf(request),
    conflict:
      resolution === null || conflictColumns.length === 0
        ? null
        : { columns: conflictColumns, merge: resolution === 'merge-duplicates' },
    conditions: isPut ? conditions() : [],
    isPut,
    withDefaults: withDefaults && !isPut,
    countsInserted: resolution === 'merge-duplicates',
    returning,
    key: relation.key,
  }
}
