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

interface Entry {
  readonly key: string
  readonly ref: string
  /** The payload as JSON, by which an equal one is known. */
  readonly text: string
  readonly meta: PresenceMeta
}

/** Who is present in a room: one entry an owner. */
export class Presence<Owner> {
  private readonly entries = new Map<Owner, Entry>()
  private readonly newRef: () => string

  /** @param newRef makes references that no other entry of the room has */
  constructor(newRef: () => string) {
    this.newRef = newRef
  }

  get size(): number {
    return this.entries.size
  }

  has(owner: Owner): boolean {
    return this.entries.has(owner)
  }

  /** Sets what an owner tracks; null where that is no change. */
  track(owner: Owner, key: string, payload: JsonObject): PresenceDiff | null {
    const before = this.entries.get(owner)
    const text = JSON.stringify(payload)
    if (before?.text === text) return null
    const ref = this.newRef()
    const previous = before === undefined ? {} : { phx_ref_prev: before.ref }
    const entry: Entry = { key, ref, text, meta: { ...payload, phx_ref: ref, ...previous } }
    this.entries.set(owner, entry)
    return { joins: stateOf([entry]), leaves: stateOf(before === undefined ? [] : [before]) }
  }

  /** Takes an owner's entry away; null where it had none. */
  untrack(owner: Owner): PresenceDiff | null {
    const before = this.entries.get(owner)
    if (before === undefined) return null
    this.entries.delete(owner)
    return { joins: {}, leaves: stateOf([before]) }
  }

  state(): PresenceState {
    return stateOf([...this.entries.values()])
  }
}

function stateOf(entries: readonly Entry[]): PresenceState {
  const metas = new Map<string, PresenceMeta[]>()
  for (const { key, meta } of entries) {
    const known = metas.get(key)
    if (known === undefined) metas.set(key, [meta])
    else known.push(meta)
  }
  // Made by its entries: a key named `__proto__` is a key like any other.
  return Object.fromEntries([...metas].map(([key, list]) => [key, { metas: list }]))
}
