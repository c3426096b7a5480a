import type { Sql } from '../../engines/postgres/index.ts'
import type { Call, Parts } from './deps.ts'
import { type MailKind, planLink, renderMail } from './mails.ts'
import { createCode, hashCode, pkcePrefix } from './one-time-tokens.ts'
import type { CodeChallenge } from './parse/challenge.ts'
import { insertFlow, putOneTimeToken } from './store/one-time-tokens.ts'
import { type UserRow, updateUser } from './store/users.ts'

/** A mail that is ready, with the way to take its "sent" mark back when it could not be sent. */
export interface PreparedMail {
  readonly send: () => Promise<void>
}

/**
 * Makes a new code for a user and the mail that carries it; an earlier code of the kind is worthless from then on.
 * Runs inside the caller's transaction. The mail is sent by the caller after the commit: a mail server that is slow
 * would otherwise hold a connection and the user's row for as long as it takes.
 *
 * @throws over_email_send_rate_limit
 */
export async function prepareMail(
  parts: Parts,
  sql: Sql,
  user: UserRow,
  kind: Exclude<MailKind, 'email_change'>,
  call: Pick<Call, 'work' | 'redirectTo'>,
  challenge: CodeChallenge | null,
): Promise<PreparedMail> {
  const { settings, newId } = parts
  const { work } = call
  const now = parts.now()
  const email = user.email ?? ''
  const isConfirmation = kind === 'confirmation'
  // Magic link and recovery share one token and one timer, as they share one column.
  parts.frequency.check(isConfirmation ? user.confirmationSentAt : user.recoverySentAt)

  const code = createCode(settings.emailOtpLength)
  const hash = `${challenge === null ? '' : pkcePrefix}${hashCode(email, code)}`
  const tokenKind = isConfirmation ? 'confirmation_token' : 'recovery_token'
  await putOneTimeToken(sql, { id: newId(), userId: user.id, kind: tokenKind, hash, address: email }, now, work)
  const sent = isConfirmation
    ? { confirmationToken: hash, confirmationSentAt: now }
    : { recoveryToken: hash, recoverySentAt: now }
  await updateUser(sql, user.id, sent, now, work)
  if (challenge !== null) {
    const flow = { id: newId(), userId: user.id, code: newId(), challenge, method: flowMethods[kind] }
    await insertFlow(sql, flow, now, work)
  }

  const confirmationUrl = planLink(settings.externalUrl, kind, hash, call.redirectTo)
  const mail = renderMail(kind, { siteUrl: settings.siteUrl, confirmationUrl, email, token: code })
  return {
    async send() {
      try {
        await parts.mail.send(mail)
      } catch (error) {
        // Asking again must not be refused for a mail that never went.
        const unsent = isConfirmation ? { confirmationSentAt: null } : { recoverySentAt: null }
        await parts.database.change(work, (again) => updateUser(again, user.id, unsent, parts.now(), work))
        throw error
      }
    },
  }
}

/** What a flow is called while it waits: an exchange answers with the session this began. */
export const flowMethods: Readonly<Record<MailKind, string>> = {
  confirmation: 'email/signup',
  magic_link: 'magiclink',
  recovery: 'recovery',
  email_change: 'email_change',
}
