import type { JsonObject } from '../../../ground/json/object.ts'

/** What one member tracks, as clients see it: `phx_ref` names it, `phx_ref_prev` what it replaced. */
export type PresenceMeta = JsonObject

/** Entries by key, in the form of `presence_state` and of both halves of `presence_diff` (realtime §5). */
export type PresenceState = Readonly<Record<string, { readonly metas: readonly PresenceMeta[] }>>

/** What one call changed. */
export interface PresenceDiff {
  readonly joins: PresenceState
  readonly leaves: PresenceState
}

/** A change of what a node's members track, with the node's clock before and after it; 0 stands for nothing tracked. */
export interface PresenceDelta extends PresenceDiff {
  readonly was: number
  readonly now: number
}

/** One member's entry. */
export interface PresenceEntry {
  readonly key: string
  readonly meta: PresenceMeta
}

export function stateOf(entries: readonly PresenceEntry[]): PresenceState {
  const metas = new Map<string, PresenceMeta[]>()
  for (const { key, meta } of entries) {
    const known = metas.get(key)
    if (known === undefined) metas.set(key, [meta])
    else known.push(meta)
  }
  // Made by its entries: a key named `__proto__` is a key like any other.
  return Object.fromEntries([...metas].map(([key, list]) => [key, { metas: list }]))
}

export const entriesOf = (state: PresenceState): readonly PresenceEntry[] =>
  Object.entries(state).flatMap(([key, { metas }]) => metas.map((meta) => ({ key, meta })))
