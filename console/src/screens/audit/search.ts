import { readText } from '../../lib/read-search.ts'

/** All that a link to the audit log says. */
export interface AuditSearch {
  /** An operator's e-mail address. */
  readonly operator?: string
  /** The name of an action. */
  readonly action?: string
  /** The entry that is open. */
  readonly open?: string
}

/** Reads a link; what it does not understand it leaves out. */
export const readAuditSearch = (search: Readonly<Record<string, unknown>>): AuditSearch =>
  readText(search, 'operator', 'action', 'open')
