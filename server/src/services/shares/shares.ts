import { createHash, randomBytes } from 'node:crypto'
import type { Sql } from '../../engines/postgres/index.ts'
import type { SharedView } from '../../ground/model/session.ts'
import { sharesError } from './errors.ts'
import type { ShareBody } from './schemas.ts'
import type { SharesSettings } from './settings.ts'
import {
  insertShareStatement,
  openShareStatement,
  revokeShareStatement,
  type ShareRow,
  selectShareStatement,
  selectSharesStatement,
} from './store.ts'

/** What links to sessions need. */
export interface SharesDeps {
  readonly sql: Pick<Sql, 'query'>
  /**
   * The lines of a session's recording as a file, with as much of its timeline as a view allows.
   *
   * @throws what the one who keeps sessions says of one that is not there
   */
  readonly sessionFile: (sessionId: string, view: SharedView, signal: AbortSignal) => Promise<AsyncIterable<string>>
  readonly now: () => Date
  readonly newId: () => string
  readonly settings: SharesSettings
}

/** Links to sessions for those who have no account. */
export interface Shares {
  /** @throws CLEW_SHARES_TOO_LONG, CLEW_SHARES_TOO_MANY */
  create(body: ShareBody, by: string): Promise<{ readonly share: ShareRow; readonly token: string }>
  /** Latest first. */
  list(sessionId: string): Promise<readonly ShareRow[]>
  /** @throws CLEW_SHARES_NOT_FOUND */
  find(id: string): Promise<ShareRow>
  revoke(id: string): Promise<void>
  /**
   * The lines of the file that a link shows.
   *
   * @param signal aborted when the answer has ended, however it did
   * @throws       CLEW_SHARES_NOT_FOUND for a link that is unknown, expired or revoked; CLEW_SHARES_BUSY
   */
  open(token: string, signal: AbortSignal): Promise<AsyncIterable<string>>
}

const tokenBytes = 32
const hourMs = 3_600_000

/** The token has 256 random bits: a plain hash of it cannot be reversed. */
const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()

/** What is sent to a reader who has left. */
async function* none(): AsyncIterable<string> {}

export function createShares({ sql, sessionFile, now, newId, settings }: SharesDeps): Shares {
  let sending = 0
  return {
    async create({ hours, ...share }, by) {
      if (hours > settings.maxHours) throw sharesError('CLEW_SHARES_TOO_LONG')
      const token = randomBytes(tokenBytes).toString('base64url')
      const createdAt = now()
      const expiresAt = new Date(createdAt.getTime() + hours * hourMs)
      const row = { ...share, id: newId(), tokenHash: hashOf(token), createdBy: by, createdAt, expiresAt }
      const { rows } = await sql.query<ShareRow>(insertShareStatement(row, settings.perSession))
      const [made] = rows
      if (made === undefined) throw sharesError('CLEW_SHARES_TOO_MANY')
      return { share: made, token }
    },
    list: async (sessionId) => (await sql.query<ShareRow>(selectSharesStatement(sessionId))).rows,
    async find(id) {
      const { rows } = await sql.query<ShareRow>(selectShareStatement(id))
      const [share] = rows
      if (share === undefined) throw sharesError('CLEW_SHARES_NOT_FOUND')
      return share
    },
    revoke: async (id) => void (await sql.query(revokeShareStatement(id, now()))),
    async open(token, signal) {
      if (sending >= settings.concurrent) throw sharesError('CLEW_SHARES_BUSY')
      // A signal that is aborted already tells nothing more: its turn would never end.
      if (signal.aborted) return none()
      sending += 1
      signal.addEventListener('abort', () => {
        sending -= 1
      })
      const { rows } = await sql.query<ShareRow>(openShareStatement(hashOf(token), now()))
      const [share] = rows
      if (share === undefined) throw sharesError('CLEW_SHARES_NOT_FOUND')
      const view = { lanes: share.lanes, values: share.showsValues, person: share.showsPerson }
      return sessionFile(share.sessionId, view, signal)
    },
  }
}
