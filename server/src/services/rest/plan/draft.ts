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
} from '../parse/types.ts'

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

function fromItems(name: string, items: readonly SelectItem[]): Draft {
  return {
    name,
    alias: null,
    hint: null,
    join: null,
    spread: false,
    fields: items.filter((item) => item.kind === 'field'),
    children: items
      .filter((item) => item.kind === 'embed')
      .map((item) => ({
        ...fromItems(item.name, item.items),
        alias: item.alias,
        hint: item.hint,
        join: item.join,
        spread: item.spread,
      })),
    filters: [],
    order: [],
    range: unbounded,
    usedLegacyName: false,
  }
}

function findChild(children: readonly Draft[], name: string, legacyNames: boolean): Draft {
  const called = children.find((child) => calledName(child) === name)
  if (called !== undefined) return called
  const named = children.find((child) => child.name === name)
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

/** The tree with the node at `path` changed. */
function atPath(node: Draft, path: readonly string[], legacyNames: boolean, change: (node: Draft) => Draft): Draft {
  const [next, ...rest] = path
  if (next === undefined) return change(node)
  const target = findChild(node.children, next, legacyNames)
  const changed = atPath(target, rest, legacyNames, change)
  const usedLegacyName = changed.usedLegacyName || calledName(target) !== next
  return {
    ...node,
    children: node.children.map((child) => (child === target ? { ...changed, usedLegacyName } : child)),
  }
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
  let tree: Draft = fromItems(rootName, query.select)
  const say = <T>(all: readonly AtNode<T>[], change: (node: Draft, value: T) => Draft): void => {
    for (const { path, value } of all) {
      tree = atPath(tree, path, options.legacyNames, (node) => change(node, value))
    }
  }
  const applies = <T>(all: readonly AtNode<T>[]): readonly AtNode<T>[] =>
    options.isWrite ? all.filter(({ path }) => path.length > 0) : all

  say<Filter | LogicTree>([...applies(query.filters), ...applies(query.logic)], (node, value) => ({
    ...node,
    filters: [...node.filters, value],
  }))
  say(query.order, (node, order) => (node.order.length > 0 ? node : { ...node, order }))
  if (!options.isWrite) {
    say(query.ranges, (node, range) => ({ ...node, range }))
    tree = { ...tree, range: options.rootRange }
  }
  return tree
}
