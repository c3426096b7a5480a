import type { UserRow } from '../model/user.ts'
import type { CodeMailKind, LinkMailKind, NotificationKind } from './kinds.ts'

/** One recipient of a letter, with a code of their own. */
export interface LetterSide {
  readonly to: string
  /** The code to type. */
  readonly token: string
  /** The token of the link; empty where there is no link. */
  readonly tokenHash: string
}

/** The subject of a notification, as far as its kind has one. */
export interface Happening {
  readonly oldEmail?: string
  readonly oldPhone?: string
  readonly provider?: string
  readonly factorType?: string
}

/** A mail before anybody has worded it: what the texts, and a hook in their place, are made from. */
export type Letter =
  | {
      readonly kind: CodeMailKind
      readonly user: UserRow
      /** The new address first when both sides of a change must agree. */
      readonly sides: readonly [LetterSide, ...LetterSide[]]
      /** The address a change leads to; empty for other kinds. */
      readonly newEmail: string
      /** Where the link leads in the end; empty where there is no link. */
      readonly redirectTo: string
    }
  | {
      readonly kind: `${NotificationKind}_notification`
      readonly user: UserRow
      readonly to: string
      readonly happening: Happening
    }

export type { CodeMailKind, LinkMailKind, NotificationKind }
