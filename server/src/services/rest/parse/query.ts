import { filterExpression, logic } from './filter.ts'
import { columnList, delimiter, fieldName, plainName, treePath } from './names.ts'
import { parseOrder } from './order.ts'
import { either, type Parser, sepBy1 } from './parser.ts'
import { readWhole } from './problem.ts'
import type { Parameter } from './query-string.ts'
import { embedRange, parseWholeNumber } from './ranges.ts'
import { parseSelect } from './select.ts'
import type { Slot } from './slot.ts'
import type { AtNode, Field, Filter, LogicTree, Operation, OrderTerm, Query, RowRange } from './types.ts'

const atEmbeds = ['order', 'limit', 'offset', 'and', 'or']
const atRoot = ['select', 'columns', 'on_conflict']

const lastPart = (name: string): string => name.slice(name.lastIndexOf('.') + 1)

interface Given extends Parameter {
  readonly value: string
}

const parseTreePath = (name: string): { readonly path: readonly string[]; readonly field: Field } =>
  plainName.test(name) ? { path: [], field: { name, path: [] } } : readWhole(treePath, name, 'tree path')

const logicPath = sepBy1(fieldName, delimiter)

function parseLogic({ name, value }: Given): AtNode<LogicTree> {
  const parts = name === 'and' || name === 'or' ? [name] : readWhole(logicPath, name, 'logic path')
  const operator = parts[parts.length - 1] ?? ''
  // A `not` anywhere in the path negates (rest §19.4).
  const text = parts.includes('not') ? `not.${operator}${value}` : `${operator}${value}`
  const tree = readWhole(logic, text, 'logic tree', value)
  const path = parts.slice(0, -1).filter((part) => part !== 'not')
  if (tree.kind === 'tree') return { path, value: tree }
  return { path, value: { kind: 'tree', operator: 'and', negated: false, members: [tree] } }
}

/** An argument of a function is whatever does not begin as a filter does. */
const argument: Parser<null> = (_input, at) => ({
  ok: true,
  value: null,
  at,
  consumed: false,
  problem: { at, messages: [] },
})
const filterOrArgument = either(filterExpression, argument)

/** The operation with the place of its operand, where that was taken out. */
function withSlot(operation: Operation, slot: Slot | undefined): Operation {
  if (slot === undefined) return operation
  if (operation.kind === 'in') return { ...operation, values: { ...slot, as: 'list' } }
  return operation.kind === 'compare' || operation.kind === 'plain' ? { ...operation, value: slot } : operation
}

function parseFilter({ name, value, slot }: Given, mayBeArgument: boolean): AtNode<Filter | string> {
  const { path, field } = parseTreePath(name)
  const expression = readWhole(mayBeArgument ? filterOrArgument : filterExpression, value, 'filter')
  if (expression === null) return { path, value }
  const { negated, operation } = expression
  return { path, value: { kind: 'filter', field, negated, operation: withSlot(operation, slot) } }
}

function parseEmbedRanges(given: readonly Given[]): readonly AtNode<RowRange>[] {
  const limits = new Map<string, { limit: number | null; offset: number | null }>()
  for (const { name, value } of given) {
    const last = lastPart(name)
    if ((last !== 'limit' && last !== 'offset') || name === last) continue
    const node = name.slice(0, -last.length - 1)
    const known = limits.get(node) ?? { limit: null, offset: null }
    limits.set(node, { ...known, [last]: known[last] ?? parseWholeNumber(value) })
  }
  return [...limits].map(([node, { limit, offset }]) => {
    const { path, field } = parseTreePath(node)
    return { path: [...path, field.name], value: embedRange(limit, offset) }
  })
}

const find = (parameters: readonly Parameter[], name: string): string | null =>
  parameters.find((parameter) => parameter.name === name)?.value ?? null

/**
 * Reads a query string (rest §3).
 *
 * @param parameters     its parameters, decoded
 * @param mayHaveArgs    for a function called by GET: what is not a filter is an argument
 * @throws PGRST100 at the first part that does not parse
 */
export function parseQuery(parameters: readonly Parameter[], mayHaveArgs: boolean): Query {
  const given = parameters.filter((parameter): parameter is Given => parameter.value !== null)
  const ending = (...words: readonly string[]): readonly Given[] =>
    given.filter(({ name }) => words.includes(lastPart(name)))

  const order = ending('order').map(({ name, value }): AtNode<readonly OrderTerm[]> => {
    const { path } = parseTreePath(name)
    return { path, value: parseOrder(value) }
  })
  const trees = ending('and', 'or').map(parseLogic)
  const columnsText = find(parameters, 'columns')
  const columns = columnsText === null ? null : readWhole(columnList, columnsText, 'columns parameter')
  const select = parseSelect(find(parameters, 'select') ?? '*')
  const filterParameters = given.filter(({ name }) => !atEmbeds.includes(lastPart(name)) && !atRoot.includes(name))
  const filters: AtNode<Filter>[] = []
  const args: (readonly [string, string])[] = []
  for (const parameter of filterParameters) {
    const { path, value } = parseFilter(parameter, mayHaveArgs)
    if (typeof value === 'string') args.push([parseTreePath(parameter.name).field.name, value])
    else filters.push({ path, value })
  }
  const conflictText = find(parameters, 'on_conflict')
  const onConflict = conflictText === null ? null : readWhole(columnList, conflictText, 'on_conflict parameter')
  return {
    select,
    filters,
    logic: trees,
    order,
    ranges: parseEmbedRanges(given),
    rootRange: {
      limit: parseWholeNumber(find(parameters, 'limit') ?? undefined),
      offset: parseWholeNumber(find(parameters, 'offset') ?? undefined) ?? 0,
    },
    columns: columns === null ? null : [...new Set(columns)],
    onConflict,
    args,
  }
}
