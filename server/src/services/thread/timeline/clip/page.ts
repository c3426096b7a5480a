import { isObject, type JsonObject } from '../../../../ground/json/object.ts'

/** A node as rrweb serialises it; `attributes`, `childNodes` and `textContent` are changed in place. */
type PageNode = Record<string, unknown>

/**
 * A recorded page as the tree of its nodes, brought forward mutation by mutation, so that it can be taken as a full snapshot at
 * any moment.
 *
 * @see https://github.com/rrweb-io/rrweb/blob/main/packages/types/src/index.ts `serializedNodeWithId`, `mutationData`
 */
export interface Page {
  /** Whether a node is in it. */
  has(id: unknown): boolean
  /** Applies a mutation. @returns what of its attributes a tree cannot take: parts of styles, as rrweb writes them; null where there are none */
  mutate(data: JsonObject): JsonObject | null
  /** The data of a full snapshot. */
  snapshot(): JsonObject
}

/** The page of a full snapshot, whose data it takes and changes; null for data that are none. */
export function createPage(data: unknown): Page | null {
  if (!isObject(data) || !isObject(data.node)) return null
  const nodes = new Map<number, { readonly node: PageNode; readonly parentId: number | null }>()
  const root = data.node as PageNode
  const enter = (node: PageNode, parentId: number | null): void => {
    if (typeof node.id !== 'number') return
    nodes.set(node.id, { node, parentId })
    for (const child of childrenOf(node)) enter(child, node.id)
  }
  const leave = (node: PageNode): void => {
    nodes.delete(Number(node.id))
    for (const child of childrenOf(node)) leave(child)
  }
  const remove = (id: number): void => {
    const known = nodes.get(id)
    if (known === undefined) return
    const siblings = known.parentId === null ? undefined : nodes.get(known.parentId)?.node
    if (siblings !== undefined) siblings.childNodes = childrenOf(siblings).filter((child) => child !== known.node)
    leave(known.node)
  }
  /** @param isLast whether a neighbour that is not there yet is waited for no longer */
  const add = ({ parentId, nextId, node }: JsonObject, isLast: boolean): boolean => {
    const parent = nodes.get(Number(parentId))?.node
    if (parent === undefined || !isObject(node)) return false
    const before = typeof nextId === 'number' ? nodes.get(nextId)?.node : undefined
    if (typeof nextId === 'number' && before === undefined && !isLast) return false
    const added = node as PageNode
    // A node that is moved is removed first; one that is told twice is there once.
    remove(Number(added.id))
    const siblings = childrenOf(parent)
    const at = before === undefined ? -1 : siblings.indexOf(before)
    parent.childNodes = siblings.toSpliced(at === -1 ? siblings.length : at, 0, added)
    enter(added, Number(parentId))
    return true
  }

  enter(root, null)
  return {
    has: (id) => nodes.has(Number(id)),
    mutate({ removes, adds, texts, attributes }) {
      for (const { id } of objectsOf(removes)) remove(Number(id))
      addInAnyOrder(objectsOf(adds), add)
      for (const { id, value } of objectsOf(texts)) {
        const node = nodes.get(Number(id))?.node
        if (node !== undefined) node.textContent = String(value ?? '')
      }
      const left = objectsOf(attributes).flatMap(({ id, attributes: changed }) => {
        const node = nodes.get(Number(id))?.node
        const parts = node === undefined || !isObject(changed) ? {} : setAttributes(node, changed)
        return Object.keys(parts).length === 0 ? [] : [{ id, attributes: parts }]
      })
      return left.length === 0 ? null : { source: 0, texts: [], removes: [], adds: [], attributes: left }
    },
    snapshot: () => ({ ...data, node: root }),
  }
}

/** Nodes come in the order in which the observer saw them: one may stand before another that comes behind it. */
function addInAnyOrder(adds: readonly JsonObject[], add: (one: JsonObject, isLast: boolean) => boolean): void {
  let waiting = adds
  while (waiting.length > 0) {
    const left = waiting.filter((one) => !add(one, false))
    if (left.length === waiting.length) {
      for (const one of left) add(one, true)
      return
    }
    waiting = left
  }
}

/** Sets a node's attributes. @returns parts of its style, which change what is there and do not replace it */
function setAttributes(node: PageNode, changed: JsonObject): JsonObject {
  const attributes: Record<string, unknown> = isObject(node.attributes) ? { ...node.attributes } : {}
  const parts: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(changed)) {
    if (value === null) delete attributes[name]
    else if (typeof value === 'object') parts[name] = value
    else attributes[name] = value
  }
  node.attributes = attributes
  return parts
}

const childrenOf = ({ childNodes }: PageNode): readonly PageNode[] => objectsOf(childNodes) as readonly PageNode[]

const objectsOf = (value: unknown): readonly JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : [])
