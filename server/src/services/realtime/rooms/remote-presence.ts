import {
  entriesOf,
  type PresenceDelta,
  type PresenceDiff,
  type PresenceEntry,
  type PresenceState,
  stateOf,
} from './presence-state.ts'

interface NodePresence {
  readonly clock: number
  readonly entries: Map<unknown, PresenceEntry>
}

/**
 * What members of other nodes track in a room. Each node alone changes its entries, and numbers each change by its clock:
 * one that does not follow what is known here shows that some were missed, and the node's whole state is asked for.
 */
export class RemotePresence {
  private readonly nodes = new Map<string, NodePresence>()

  get size(): number {
    let size = 0
    for (const { entries } of this.nodes.values()) size += entries.size
    return size
  }

  /** The clock of the last change that is known of a node; 0 where it tracks nothing. */
  clockOf(node: string): number {
    return this.nodes.get(node)?.clock ?? 0
  }

  entries(): readonly PresenceEntry[] {
    return [...this.nodes.values()].flatMap(({ entries }) => [...entries.values()])
  }

  /** Takes a change over; false where it does not follow what is known. */
  apply(node: string, { was, now, joins, leaves }: PresenceDelta): boolean {
    if (this.clockOf(node) !== was) return false
    const entries = new Map(this.nodes.get(node)?.entries)
    for (const { meta } of entriesOf(leaves)) entries.delete(meta.phx_ref)
    for (const entry of entriesOf(joins)) entries.set(entry.meta.phx_ref, entry)
    this.keep(node, { clock: now, entries })
    return true
  }

  /** Takes a node's whole state over; null where that is no change. */
  replace(node: string, clock: number, state: PresenceState): PresenceDiff | null {
    const before = this.nodes.get(node)?.entries ?? new Map<unknown, PresenceEntry>()
    const entries = new Map<unknown, PresenceEntry>(entriesOf(state).map((entry) => [entry.meta.phx_ref, entry]))
    this.keep(node, { clock, entries })
    const joins = [...entries].filter(([ref]) => !before.has(ref)).map(([, entry]) => entry)
    const leaves = [...before].filter(([ref]) => !entries.has(ref)).map(([, entry]) => entry)
    return joins.length + leaves.length === 0 ? null : { joins: stateOf(joins), leaves: stateOf(leaves) }
  }

  /** Takes all entries of a node away, as when it is gone; null where it had none. */
  forget(node: string): PresenceDiff | null {
    return this.replace(node, 0, {})
  }

  private keep(node: string, presence: NodePresence): void {
    if (presence.entries.size === 0) this.nodes.delete(node)
    else this.nodes.set(node, presence)
  }
}
