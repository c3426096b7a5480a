import { ServiceError } from '../../../ground/errors/service-error.ts'
import { createLimiter } from '../../../ground/limits/limiter.ts'
import type { HookPlace } from '../hooks/hooks.ts'
import { authError } from '../model/errors.ts'
import type { Database } from '../store/database.ts'
import type { DeliverLetter } from './deliver-letter.ts'
import { type NotificationKind, settingPrefix } from './kinds.ts'
import type { Letter } from './letter.ts'
import type { Outbox } from './outbox.ts'
import type { MailSettings } from './settings.ts'
import { mailName } from './write.ts'

export interface OutboxDeps {
  readonly database: Database
  readonly deliver: DeliverLetter
  readonly settings: MailSettings
}

/** The outbox, with at most `emailConcurrency` transactions that wait for the mail server. */
export function createOutbox({ database, deliver, settings }: OutboxDeps): Outbox {
  const limited = createLimiter({
    concurrency: settings.emailConcurrency,
    queue: settings.emailQueue,
    refuse: () => authError('unexpected_failure', { message: 'Too many mails are waiting to be sent' }),
  })
  return {
    changeAndSend: (context, body) =>
      limited(() => {
        // The caller may have stopped waiting while others had their turn.
        context.signal.throwIfAborted()
        return database.change(context, async (sql) => {
          const letters: Letter[] = []
          const result = await body(sql, (letter) => letters.push(letter))
          for (const letter of letters) await deliverOrFail(deliver, letter, { sql, context })
          return result
        })
      }),
    notify(sql, kind, user, happening = {}) {
      const to = kind === 'email_changed' ? happening.oldEmail : user.email
      if (!isOn(settings, kind) || !to) return
      const letter: Letter = { kind: `${kind}_notification`, user, to, happening }
      database.afterCommit(sql, () => deliverOrFail(deliver, letter, { sql: null, context: sql.context }))
    },
  }
}

function isOn(settings: MailSettings, kind: NotificationKind): boolean {
  const prefix = settingPrefix(`${kind}_notification`)
  return prefix.startsWith('emailNotification')
    ? settings[`${prefix}Enabled` as `${Extract<typeof prefix, `emailNotification${string}`>}Enabled`]
    : false
}

async function deliverOrFail(deliver: DeliverLetter, letter: Letter, place: HookPlace): Promise<void> {
  try {
    await deliver(letter, place)
  } catch (cause) {
    // A hook's error has words of its own.
    if (cause instanceof ServiceError) throw cause
    throw authError('unexpected_failure', { message: `Error sending ${mailName(letter.kind)} email`, cause })
  }
}
