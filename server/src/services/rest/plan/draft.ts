import { restError } from '../errors.ts'
import type {
  AtNode,
  Filter,
  JoinKind,
  LogicTree,
  OrderTerm,
  Query,
  RowRange,
  SelectField,
  SelectItem,
} from '../parse/query/types.ts'

/** A node of the select tree with everything that was said about it, before relations are looked up. */
export interface Draft {
  readonly name: string
  readonly alias: string | null
  readonly hint: string | null
  readonly join: JoinKind | null
  readonly spread: boolean
  readonly fields: readonly SelectField[]
  readonly children: readonly Draft[]
  readonly filters: readonly (Filter | LogicTree)[]
  readonly order: readonly OrderTerm[]
  readonly range: RowRange
  readonly usedLegacyName: boolean
}

const unbounded: RowRange = { offset: 0, limit: null }

/** The name that filters, orders and limits call a node by. */
export const calledName = (node: { readonly name: string; readonly alias: string | null }): string =>
  node.alias ?? node.name

/** A draft while it is put together. */
interface OpenDraft extends Draft {
  readonly children: readonly OpenDraft[]
  readonly filters: (Filter | LogicTree)[]
  order: readonly OrderTerm[]
  range: RowRange
  usedLegacyName: boolean
  /** Its children by the names they are called by, and by those of their relations; of two the first. */
  readonly byCalledName: ReadonlyMap<string, OpenDraft>
  readonly byName: ReadonlyMap<string, OpenDraft>
}

const firstBy = <Value>(values: readonly Value[], key: (value: Value) => string): ReadonlyMap<string, Value> =>
  new Map(values.map((value) => [key(value), value] as const).reverse())

function openDraft(head: Pick<Draft, 'name' | 'alias' | 'hint' | 'join' | 'spread'>, items: readonly SelectItem[]) {
  const children = items
    .filter((item) => item.kind === 'embed')
    .map(
      ({ name, alias, hint, join, spread, items: below }): OpenDraft =>
        openDraft({ name, alias, hint, join, spread }, below),
    )
  const draft: OpenDraft = {
    ...head,
    fields: items.filter((item) => item.kind === 'field'),
    children,
    filters: [],
    order: [],
    range: unbounded,
    usedLegacyName: false,
    byCalledName: firstBy(children, calledName),
    byName: firstBy(children, ({ name }) => name),
  }
  return draft
}

function getChild(parent: OpenDraft, name: string, legacyNames: boolean): OpenDraft {
  const called = parent.byCalledName.get(name)
  if (called !== undefined) return called
  const named = parent.byName.get(name)
  if (named === undefined) {
    throw restError('PGRST108', {
      message: `'${name}' is not an embedded resource in this request`,
      wireHint: `Verify that '${name}' is included in the 'select' query parameter.`,
    })
  }
  if (legacyNames) return named
  throw restError('PGRST108', {
    message: `'${name}' is not an embedded resource in this request`,
    details: 'Target names are not allowed in filters if they have an alias',
    wireHint: `Change '${name}' to '${calledName(named)}' in filters, orders or limits.`,
  })
}

/** The node that `path` leads to. */
function nodeAt(root: OpenDraft, path: readonly string[], legacyNames: boolean): OpenDraft {
  let node = root
  for (const name of path) {
    node = getChild(node, name, legacyNames)
    if (calledName(node) !== name) node.usedLegacyName = true
  }
  return node
}

export interface DraftOptions {
  readonly legacyNames: boolean
  /** A write's filters choose what it changes; only those on embeds shape its representation. */
  readonly isWrite: boolean
  readonly rootRange: RowRange
}

/**
 * Puts filters, orders and ranges on the nodes they name.
 *
 * @throws PGRST108 for a path that leads to nothing embedded
 */
export function draftTree(rootName: string, query: Query, options: DraftOptions): Draft {
  const root = openDraft({ name: rootName, alias: null, hint: null, join: null, spread: false }, query.select)
  const at = ({ path }: AtNode<unknown>): OpenDraft => nodeAt(root, path, options.legacyNames)
  const applies = ({ path }: AtNode<unknown>): boolean => !options.isWrite || path.length > 0

  for (const filter of query.filters.filter(applies)) at(filter).filters.push(filter.value)
  for (const tree of query.logic.filter(applies)) at(tree).filters.push(tree.value)
  for (const order of query.order) {
    const node = at(order)
    if (node.order.length === 0) node.order = order.value
  }
  if (options.isWrite) return root
  for (const range of query.ranges) at(range).range = range.value
  root.range = options.rootRange
  return root
}
