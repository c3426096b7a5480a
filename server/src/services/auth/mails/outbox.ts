import type { RequestContext } from '../model/call.ts'
import type { UserRow } from '../model/user.ts'
import type { RequestSql } from '../store/database.ts'
import type { NotificationKind } from './kinds.ts'
import type { Happening, Letter } from './letter.ts'

/** Puts a letter into the post of a transaction. */
export type Post = (letter: Letter) => void

/** Mails that belong to changes of rows. */
export interface Outbox {
  /**
   * Changes rows and sends the letters that were posted meanwhile, as the transaction's last step: where the mail server
   * does not take one, the transaction is rolled back (auth §22). As a transaction waits for the mail server then, only a few may do
   * so at a time; further ones wait before they begin.
   *
   * @throws unexpected_failure when a mail could not be sent
   */
  changeAndSend<T>(context: RequestContext, body: (sql: RequestSql, post: Post) => Promise<T>): Promise<T>
  /**
   * Tells a user what has happened, where that is switched on: once the transaction `sql` is committed. That the mail could
   * not be sent is logged and nothing more.
   */
  notify(sql: RequestSql, kind: NotificationKind, user: UserRow, happening?: Happening): void
}
