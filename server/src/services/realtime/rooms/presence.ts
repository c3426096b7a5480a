import type { JsonObject } from '../../../ground/json/object.ts'
import {
  type PresenceDelta,
  type PresenceEntry,
  type PresenceMeta,
  type PresenceState,
  stateOf,
} from './presence-state.ts'
import { RemotePresence } from './remote-presence.ts'

interface OwnEntry extends PresenceEntry {
  readonly ref: string
  /** The payload as JSON, by which an equal one is known. */
  readonly text: string
}

/** What `Presence` takes of its node. */
export interface PresenceDeps {
  /** Makes references that no other entry of the room has. */
  readonly newRef: () => string
  /** A number above all that it gave before, in any room of the node. */
  readonly nextClock: () => number
}

/** Who is present in a room: one entry an owner, and the entries that other nodes tell of. */
export class Presence<Owner> {
  readonly remote = new RemotePresence()
  private readonly entries = new Map<Owner, OwnEntry>()
  private readonly deps: PresenceDeps
  private changedAt = 0
  private textLength = 0

  constructor(deps: PresenceDeps) {
    this.deps = deps
  }

  get size(): number {
    return this.entries.size + this.remote.size
  }

  /** Characters of what this node's owners track, without that of one. */
  lengthWithout(owner: Owner): number {
    return this.textLength - (this.entries.get(owner)?.text.length ?? 0)
  }

  /** The node's clock of the last change of its own entries; 0 where it has none. */
  get clock(): number {
    return this.changedAt
  }

  has(owner: Owner): boolean {
    return this.entries.has(owner)
  }

  /** Sets what an owner tracks; null where that is no change. */
  track(owner: Owner, key: string, payload: JsonObject): PresenceDelta | null {
    const before = this.entries.get(owner)
    const text = JSON.stringify(payload)
    if (before?.text === text) return null
    this.textLength = this.lengthWithout(owner) + text.length
    const ref = this.deps.newRef()
    const previous = before === undefined ? {} : { phx_ref_prev: before.ref }
    const meta: PresenceMeta = { ...payload, phx_ref: ref, ...previous }
    const entry: OwnEntry = { key, ref, text, meta }
    this.entries.set(owner, entry)
    return this.delta([entry], before === undefined ? [] : [before])
  }

  /** Takes an owner's entry away; null where it had none. */
  untrack(owner: Owner): PresenceDelta | null {
    const before = this.entries.get(owner)
    if (before === undefined) return null
    this.textLength = this.lengthWithout(owner)
    this.entries.delete(owner)
    return this.delta([], [before])
  }

  state(): PresenceState {
    return stateOf([...this.entries.values(), ...this.remote.entries()])
  }

  /** The entries of this node alone. */
  ownState(): PresenceState {
    return stateOf([...this.entries.values()])
  }

  private delta(joins: readonly PresenceEntry[], leaves: readonly PresenceEntry[]): PresenceDelta {
    const was = this.changedAt
    this.changedAt = this.entries.size === 0 ? 0 : this.deps.nextClock()
    return { was, now: this.changedAt, joins: stateOf(joins), leaves: stateOf(leaves) }
  }
}
