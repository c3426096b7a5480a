/** What a tree is made of: each node names the one that it stands in. */
interface Node {
  readonly id: string
  readonly parentId: string | null
  readonly startMs: number
}

/** A node with how many of the others it stands in. */
export interface Placed<Value> {
  readonly node: Value
  readonly depth: number
}

/**
 * Trees of spans, each node before those below it, siblings by their beginning. A node whose parent is not among them is a
 * root. Of nodes that stand in one another, as a wrong sender may have it, the earliest is a root.
 */
export function treesOf<Value extends Node>(nodes: readonly Value[]): readonly (readonly Placed<Value>[])[] {
  const sorted = [...nodes].sort((one, other) => one.startMs - other.startMs)
  const ids = new Set(sorted.map(({ id }) => id))
  const below = new Map<string, Value[]>()
  const roots: Value[] = []
  for (const node of sorted) {
    const { parentId } = node
    if (parentId === null || parentId === node.id || !ids.has(parentId)) roots.push(node)
    else below.set(parentId, [...(below.get(parentId) ?? []), node])
  }
  const placed = new Set<Value>()
  const treeOf = (root: Value): readonly Placed<Value>[] => {
    const tree: Placed<Value>[] = []
    // Not by recursion: the senders of spans decide how deep they are.
    const waiting: Placed<Value>[] = [{ node: root, depth: 0 }]
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const { node, depth } = next
      if (placed.has(node)) continue
      placed.add(node)
      tree.push(next)
      const children = below.get(node.id) ?? []
      for (const child of [...children].reverse()) waiting.push({ node: child, depth: depth + 1 })
    }
    return tree
  }
  const trees = roots.map(treeOf)
  for (const node of sorted) if (!placed.has(node)) trees.push(treeOf(node))
  return trees
}
