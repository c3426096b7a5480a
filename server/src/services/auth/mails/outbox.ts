import type { Sql } from '../../../engines/postgres/index.ts'
import { ServiceError } from '../../../ground/errors/service-error.ts'
import { createTurns } from '../../../ground/limits/turns.ts'
import type { RequestWork } from '../../../ground/model/request.ts'
import { authError } from '../errors.ts'
import type { HookPlace } from '../hooks/hooks.ts'
import type { AuthSettings } from '../settings.ts'
import type { Database } from '../store/database.ts'
import type { UserRow } from '../store/users.ts'
import { type NotificationKind, settingPrefix } from './kinds.ts'
import type { DeliverLetter, Happening, Letter } from './letter.ts'
import { mailName } from './write.ts'

/** Puts a letter into the post of a transaction. */
export type Post = (letter: Letter) => void

/** Mails that belong to changes of rows. */
export interface Outbox {
  /**
   * Changes rows and sends the letters that were posted meanwhile, as the transaction's last step: where the mail server
   * does not take one, nothing is kept (auth §22). As a transaction waits for the mail server then, only a few may do
   * so at a time; further ones wait before they begin.
   *
   * @throws unexpected_failure when a mail could not be sent
   */
  changeAndSend<T>(work: RequestWork, body: (sql: Sql, post: Post) => Promise<T>): Promise<T>
  /**
   * Tells a user what has happened, where that is switched on: once the transaction `sql` is committed. That the mail could
   * not be sent is logged and nothing more.
   */
  notify(sql: Sql, kind: NotificationKind, user: UserRow, work: RequestWork, happening?: Happening): void
}

export interface OutboxDeps {
  readonly database: Database
  readonly deliver: DeliverLetter
  readonly settings: AuthSettings
}

/** Makes it. */
export function createOutbox({ database, deliver, settings }: OutboxDeps): Outbox {
  const inTurn = createTurns({
    concurrency: settings.emailConcurrency,
    queue: settings.emailQueue,
    refuse: () => authError('unexpected_failure', { message: 'Too many mails are waiting to be sent' }),
  })
  return {
    changeAndSend: (work, body) =>
      inTurn(() => {
        // Whoever asked may have stopped waiting while others had their turn.
        work.signal.throwIfAborted()
        return database.change(work, async (sql) => {
          const letters: Letter[] = []
          const result = await body(sql, (letter) => letters.push(letter))
          for (const letter of letters) await deliverOrFail(deliver, letter, { sql, work })
          return result
        })
      }),
    notify(sql, kind, user, work, happening = {}) {
      const to = kind === 'email_changed' ? happening.oldEmail : user.email
      if (!isOn(settings, kind) || !to) return
      const letter: Letter = { kind: `${kind}_notification`, user, to, happening }
      database.afterCommit(sql, () => deliverOrFail(deliver, letter, { sql: null, work }))
    },
  }
}

function isOn(settings: AuthSettings, kind: NotificationKind): boolean {
  const prefix = settingPrefix(`${kind}_notification`)
  return prefix.startsWith('emailNotification')
    ? settings[`${prefix}Enabled` as `${Extract<typeof prefix, `emailNotification${string}`>}Enabled`]
    : false
}

async function deliverOrFail(deliver: DeliverLetter, letter: Letter, place: HookPlace): Promise<void> {
  try {
    await deliver(letter, place)
  } catch (cause) {
    // A hook refuses in words of its own.
    if (cause instanceof ServiceError) throw cause
    throw authError('unexpected_failure', { message: `Error sending ${mailName(letter.kind)} email`, cause })
  }
}
