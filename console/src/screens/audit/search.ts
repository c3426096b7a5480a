import { readText } from '../../lib/read-search.ts'

/** What is in the log: what was done, and what was looked at. */
export const actionKinds = { change: 'Changes', look: 'Looks' } as const

/** All that a link to the audit log says. */
export interface AuditSearch {
  /** An operator's e-mail address. */
  readonly operator?: string
  /** The name of an action. */
  readonly action?: string
  readonly kind?: keyof typeof actionKinds
  /** Ids of a person, with commas: only what is about them. */
  readonly about?: string
  /** The entry that is open. */
  readonly open?: string
}

const isKind = (text: unknown): text is keyof typeof actionKinds => typeof text === 'string' && text in actionKinds

/** Reads a link; what it does not understand it leaves out. */
export const readAuditSearch = (search: Readonly<Record<string, unknown>>): AuditSearch => ({
  ...readText(search, 'operator', 'action', 'about', 'open'),
  ...(isKind(search.kind) && { kind: search.kind }),
})
