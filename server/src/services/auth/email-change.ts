import type { Sql } from '../../engines/postgres/index.ts'
import type { Call, Parts } from './deps.ts'
import { authError } from './errors.ts'
import { type MailKind, planLink, renderMail } from './mails.ts'
import { createCode, hashCode, pkcePrefix } from './one-time-tokens.ts'
import type { CodeChallenge } from './parse/challenge.ts'
import { flowMethods, type PreparedMail } from './send-token.ts'
import { isDuplicate } from './signup.ts'
import { clearOneTimeTokens, insertFlow, putOneTimeToken, type TakenToken } from './store/one-time-tokens.ts'
import { insertEmailIdentity, type UserRow, updateEmailIdentity, updateUser } from './store/users.ts'

const kind: MailKind = 'email_change'

/**
 * Keeps the new address as pending and makes the mails that confirm it: one to the new address and, where both must agree,
 * one to the current address, each with a code of its own (contract §11). Runs inside the caller's transaction.
 *
 * @throws over_email_send_rate_limit
 */
export async function prepareEmailChange(
  parts: Parts,
  sql: Sql,
  user: UserRow,
  newEmail: string,
  call: Pick<Call, 'work' | 'redirectTo'>,
  challenge: CodeChallenge | null,
): Promise<PreparedMail> {
  const { settings, newId } = parts
  const { work } = call
  const now = parts.now()
  parts.frequency.check(user.emailChangeSentAt)
  const both = settings.emailDoubleConfirmChanges && user.email !== null && user.email !== ''
  const sides = [
    { address: newEmail, tokenKind: 'email_change_token_new' as const },
    ...(both ? [{ address: user.email ?? '', tokenKind: 'email_change_token_current' as const }] : []),
  ]
  const prefix = challenge === null ? '' : pkcePrefix
  const letters = sides.map(({ address, tokenKind }) => {
    const code = createCode(settings.emailOtpLength)
    return { address, tokenKind, code, hash: `${prefix}${hashCode(address, code)}` }
  })
  for (const { address, tokenKind, hash } of letters)
    await putOneTimeToken(sql, { id: newId(), userId: user.id, kind: tokenKind, hash, address }, now, work)
  const hashOf = (tokenKind: string): string => letters.find((letter) => letter.tokenKind === tokenKind)?.hash ?? ''
  await updateUser(
    sql,
    user.id,
    {
      newEmail,
      emailChangeSentAt: now,
      emailChangeStatus: 0,
      emailChangeTokenNew: hashOf('email_change_token_new'),
      emailChangeTokenCurrent: hashOf('email_change_token_current'),
    },
    now,
    work,
  )
  if (challenge !== null) {
    const flow = { id: newId(), userId: user.id, code: newId(), challenge, method: flowMethods[kind] }
    await insertFlow(sql, flow, now, work)
  }
  const mails = letters.map(({ address, code, hash }) =>
    renderMail(kind, {
      siteUrl: settings.siteUrl,
      confirmationUrl: planLink(settings.externalUrl, kind, hash, call.redirectTo),
      email: address,
      token: code,
    }),
  )
  return {
    async send() {
      try {
        for (const mail of mails) await parts.mail.send(mail)
      } catch (error) {
        await parts.database.change(work, (again) =>
          updateUser(again, user.id, { emailChangeSentAt: null }, parts.now(), work),
        )
        throw error
      }
    },
  }
}

/** Whether one more confirmation is needed before the address changes. */
export const isFirstOfTwo = (parts: Pick<Parts, 'settings'>, user: UserRow): boolean =>
  parts.settings.emailDoubleConfirmChanges && Boolean(user.email) && user.emailChangeStatus === 0

/** Notes the first of two confirmations: its own token is worthless from now on, the other one's is not. */
export async function noteFirstConfirmation(
  parts: Pick<Parts, 'now'>,
  sql: Sql,
  user: UserRow,
  taken: TakenToken,
  work: Call['work'],
): Promise<void> {
  const used = taken.kind === 'email_change_token_new' ? { emailChangeTokenNew: '' } : { emailChangeTokenCurrent: '' }
  await updateUser(sql, user.id, { ...used, emailChangeStatus: 1 }, parts.now(), work)
}

/**
 * Gives a user the address that was pending, or a first one. An anonymous user becomes a lasting one.
 *
 * @throws email_exists when somebody else took it meanwhile
 */
export async function applyEmail(
  parts: Pick<Parts, 'now' | 'newId'>,
  sql: Sql,
  user: UserRow,
  email: string,
  work: Call['work'],
): Promise<void> {
  const now = parts.now()
  const hadIdentity = user.identities.some((identity) => identity.provider === 'email')
  const change = {
    email,
    newEmail: '',
    emailChangeStatus: 0,
    emailConfirmedAt: user.emailConfirmedAt ?? now,
    isAnonymous: false,
    userMetadata: { ...user.userMetadata, email, email_verified: true },
    ...(hadIdentity
      ? {}
      : { appMetadata: { ...user.appMetadata, provider: 'email', providers: providersWithEmail(user) } }),
  }
  try {
    await updateUser(sql, user.id, change, now, work)
  } catch (cause) {
    throw isDuplicate(cause) ? authError('email_exists', { cause }) : cause
  }
  const data = { sub: user.id, email, email_verified: true }
  if (hadIdentity) await updateEmailIdentity(sql, user.id, data, now, work)
  else
    await insertEmailIdentity(
      sql,
      { id: parts.newId(), userId: user.id, data: { ...data, phone_verified: false } },
      now,
      work,
    )
  await clearOneTimeTokens(sql, user.id, work)
}

const providersWithEmail = (user: UserRow): readonly string[] => [
  'email',
  ...user.identities.map((identity) => identity.provider),
]
