import type { FrameCause } from '../../../ground/model/frame.ts'
import type { AskedJson } from './asked-json.ts'
import type { TableFacts } from './facts.ts'
import type { LiveChange } from './payload.ts'
import type { Audience, Listeners } from './registry.ts'

/** A change with those who ask for such changes of its table. */
export interface Waiting {
  readonly change: LiveChange
  readonly committedAt: Date
  /** The transaction, as the log names it. */
  readonly xid: number
  readonly cause: FrameCause | null
  readonly bytes: number
  readonly audiences: readonly Audience[]
}

/** One change for the callers of one role. */
export interface ForRole extends Pick<Waiting, 'change' | 'committedAt' | 'xid' | 'cause'> {
  readonly role: string
  readonly facts: TableFacts
  /** Those whose conditions the change fulfils. */
  readonly listeners: readonly Listeners[]
  /** Claims that may see the row; null where all may. */
  visibleTo: ReadonlySet<string> | null
  asked: AskedJson
}
