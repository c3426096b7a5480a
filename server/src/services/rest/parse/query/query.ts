import type { RestSettings } from '../../settings.ts'
import { filterExpression, logic } from './filter.ts'
import { columnList, delimiter, fieldName, plainName, treePath } from './names.ts'
import { parseOrder } from './order.ts'
import { option, part, sepBy1 } from './parser.ts'
import type { Parameter } from './query-string.ts'
import { embedRange, parseWholeNumber } from './ranges.ts'
import { createPartCounter, type PartCounter, readWhole } from './read-text.ts'
import { parseSelect } from './select.ts'
import type { TemplateParameter } from './template-parameter.ts'
import type { AtNode, Field, Filter, LogicTree, Operation, OrderTerm, Query, RowRange } from './types.ts'

const atEmbeds = ['order', 'limit', 'offset', 'and', 'or']
const atRoot = ['select', 'columns', 'on_conflict']

const lastPart = (name: string): string => name.slice(name.lastIndexOf('.') + 1)

interface ParameterWithValue extends Parameter {
  readonly value: string
}

const parseTreePath = (
  name: string,
  parts: PartCounter,
): { readonly path: readonly string[]; readonly field: Field } =>
  plainName.test(name) ? { path: [], field: { name, path: [] } } : readWhole(treePath, name, 'tree path', parts)

const logicPath = sepBy1(part(fieldName), delimiter)

function parseLogic({ name, value }: ParameterWithValue, parts: PartCounter): AtNode<LogicTree> {
  const names = name === 'and' || name === 'or' ? [name] : readWhole(logicPath, name, 'logic path', parts)
  const operator = names[names.length - 1] ?? ''
  // A `not` anywhere in the path negates (rest §19.4).
  const text = names.includes('not') ? `not.${operator}${value}` : `${operator}${value}`
  const tree = readWhole(logic, text, 'logic tree', parts, value)
  const path = names.slice(0, -1).filter((one) => one !== 'not')
  if (tree.kind === 'tree') return { path, value: tree }
  return { path, value: { kind: 'tree', operator: 'and', negated: false, members: [tree] } }
}

/** An argument of a function is whatever does not begin as a filter does. */
const filterOrArgument = option(filterExpression, null)

/** The operation with the place of its operand, where that was taken out. */
function withParameter(operation: Operation, parameter: TemplateParameter | undefined): Operation {
  if (parameter === undefined) return operation
  if (operation.kind === 'in') return { ...operation, values: { ...parameter, as: 'list' } }
  return operation.kind === 'compare' || operation.kind === 'plain' ? { ...operation, value: parameter } : operation
}

function parseFilter(
  { name, value, templateParameter }: ParameterWithValue,
  mayBeArgument: boolean,
  parts: PartCounter,
): AtNode<Filter | string> {
  const { path, field } = parseTreePath(name, parts)
  const expression = readWhole(mayBeArgument ? filterOrArgument : filterExpression, value, 'filter')
  if (expression === null) return { path, value }
  const { negated, operation } = expression
  return { path, value: { kind: 'filter', field, negated, operation: withParameter(operation, templateParameter) } }
}

function parseEmbedRanges(withValues: readonly ParameterWithValue[], parts: PartCounter): readonly AtNode<RowRange>[] {
  const limits = new Map<string, { limit: number | null; offset: number | null }>()
  for (const { name, value } of withValues) {
    const last = lastPart(name)
    if ((last !== 'limit' && last !== 'offset') || name === last) continue
    const node = name.slice(0, -last.length - 1)
    const known = limits.get(node) ?? { limit: null, offset: null }
    limits.set(node, { ...known, [last]: known[last] ?? parseWholeNumber(value) })
  }
  return [...limits].map(([node, { limit, offset }]) => {
    const { path, field } = parseTreePath(node, parts)
    return { path: [...path, field.name], value: embedRange(limit, offset) }
  })
}

const find = (parameters: readonly Parameter[], name: string): string | null =>
  parameters.find((parameter) => parameter.name === name)?.value ?? null

/** The settings that bound a query string. */
export type QueryLimits = Pick<RestSettings, 'queryPartsLimit' | 'embedsLimit'>

/**
 * Reads a query string (rest §3).
 *
 * @param parameters     its parameters, decoded
 * @param mayHaveArgs    for a function called by GET: what is not a filter is an argument
 * @throws PGRST100 at the first part that does not parse, or for too many parts
 */
export function parseQuery(
  parameters: readonly Parameter[],
  mayHaveArgs: boolean,
  { queryPartsLimit, embedsLimit }: QueryLimits,
): Query {
  const parts = createPartCounter(queryPartsLimit)
  parts.add(parameters.length)
  const withValues = parameters.filter((parameter): parameter is ParameterWithValue => parameter.value !== null)
  const ending = (...words: readonly string[]): readonly ParameterWithValue[] =>
    withValues.filter(({ name }) => words.includes(lastPart(name)))

  const order = ending('order').map(({ name, value }): AtNode<readonly OrderTerm[]> => {
    const { path } = parseTreePath(name, parts)
    return { path, value: parseOrder(value, parts) }
  })
  const trees = ending('and', 'or').map((parameter) => parseLogic(parameter, parts))
  const columnsText = find(parameters, 'columns')
  const columns = columnsText === null ? null : readWhole(columnList, columnsText, 'columns parameter', parts)
  const select = parseSelect(find(parameters, 'select') ?? '*', parts, embedsLimit)
  const filterParameters = withValues.filter(({ name }) => !atEmbeds.includes(lastPart(name)) && !atRoot.includes(name))
  const filters: AtNode<Filter>[] = []
  const args: (readonly [string, string])[] = []
  for (const parameter of filterParameters) {
    const { path, value } = parseFilter(parameter, mayHaveArgs, parts)
    if (typeof value === 'string') args.push([parseTreePath(parameter.name, parts).field.name, value])
    else filters.push({ path, value })
  }
  const conflictText = find(parameters, 'on_conflict')
  const onConflict = conflictText === null ? null : readWhole(columnList, conflictText, 'on_conflict parameter', parts)
  return {
    select,
    filters,
    logic: trees,
    order,
    ranges: parseEmbedRanges(withValues, parts),
    rootRange: {
      limit: parseWholeNumber(find(parameters, 'limit') ?? undefined),
      offset: parseWholeNumber(find(parameters, 'offset') ?? undefined) ?? 0,
    },
    columns: columns === null ? null : [...new Set(columns)],
    onConflict,
    args,
  }
}
