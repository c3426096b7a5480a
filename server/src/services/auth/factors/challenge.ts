import type { Sql } from '../../../engines/postgres/index.ts'
import { createCode } from '../codes/one-time-tokens.ts'
import type { Call, Parts, Reply } from '../deps.ts'
import { authError } from '../errors.ts'
import { parseChannel } from '../parse/phone.ts'
import { renderUser } from '../render/user.ts'
import { insertAudit } from '../store/audit.ts'
import { type FactorSecretRow, insertChallenge, type NewChallenge } from '../store/factors.ts'
import type { UserRow } from '../store/users.ts'
import { loadCredential } from '../webauthn/credential.ts'
import { checkVerifyEnabled } from './factor-type.ts'
import { findMember, getFactor } from './member.ts'

/** `POST /factors/{id}/challenge` (auth §15). */
export async function challengeFactor(parts: Parts, { body, work }: Call, factorId: string): Promise<Reply> {
  const { user } = await findMember(parts, work)
  const factor = await getFactor(parts, user.id, factorId, work)
  checkVerifyEnabled(factor.type, parts.settings)
  const id = parts.newId()
  const challenge = { id, factorId: factor.id, otpHash: null, webauthn: null }
  const expiresAt = Math.floor(parts.now().getTime() / 1000) + parts.settings.mfaChallengeExpirySeconds
  const answer = { id, type: factor.type, expires_at: expiresAt }
  switch (factor.type) {
    case 'totp':
      await parts.database.change(work, (sql) => keep(parts, sql, user, factor, challenge, work))
      return { status: 200, body: answer }
    case 'phone': {
      const channel = parseChannel(body, parts.settings)
      checkFrequency(parts, factor)
      const code = createCode(parts.settings.mfaPhoneOtpLength)
      const otpHash = parts.hashCode(factor.phone ?? '', code)
      // Where the message is not taken there was no challenge, and the next one need not wait.
      await parts.outbox.changeAndSend(work, async (sql) => {
        await keep(parts, sql, user, factor, { ...challenge, otpHash }, work)
        await sendCode(parts, sql, user, factor, code, channel, work)
      })
      return { status: 200, body: answer }
    }
    case 'webauthn': {
      const webauthn = await askAuthenticator(parts, user, factor)
      const { challenge: bytes } = webauthn.credential_options.publicKey
      const asked = { ...challenge, webauthn: { challenge: bytes } }
      await parts.database.change(work, (sql) => keep(parts, sql, user, factor, asked, work))
      return { status: 200, body: { ...answer, webauthn } }
    }
    default:
      return factor.type satisfies never
  }
}

async function keep(
  parts: Parts,
  sql: Sql,
  user: UserRow,
  factor: FactorSecretRow,
  challenge: NewChallenge,
  work: Call['work'],
): Promise<void> {
  const now = parts.now()
  await insertChallenge(sql, challenge, now, work)
  const traits = { factor_id: factor.id, factor_status: factor.status }
  await insertAudit(sql, user, ['challenge_created'], { newId: parts.newId, now, work }, traits)
}

/** @throws over_sms_send_rate_limit */
function checkFrequency({ settings, now }: Pick<Parts, 'settings' | 'now'>, factor: FactorSecretRow): void {
  const waitMs =
    (factor.lastChallengedAt?.getTime() ?? 0) + settings.mfaPhoneMaxFrequencySeconds * 1000 - now().getTime()
  if (waitMs > 0)
    throw authError('over_sms_send_rate_limit', {
      message: `For security purposes, you can only request this after ${Math.ceil(waitMs / 1000)} seconds.`,
    })
}

/**
 * Sends a code to a factor's phone, as the last step of a transaction.
 *
 * @throws over_sms_send_rate_limit, sms_send_failed, what the hook refused with
 */
async function sendCode(
  parts: Parts,
  sql: Sql,
  user: UserRow,
  factor: FactorSecretRow,
  code: string,
  channel: ReturnType<typeof parseChannel>,
  work: Call['work'],
): Promise<void> {
  const { settings, hooks } = parts
  const phone = factor.phone ?? ''
  parts.budgets.sms.spend()
  if (hooks.sendSms !== null) {
    await hooks.sendSms(renderUser(user), { otp: code, phone, sms_type: 'mfa' }, { sql, work })
    return
  }
  const message = settings.mfaPhoneTemplate.replaceAll(/\{\{\s*\.Code\s*\}\}/g, code)
  await parts.sendSms({ phone, message, channel, userId: user.id, otp: code })
}

/** A factor that is not verified yet is made by its first challenge; later ones ask for it. */
async function askAuthenticator(parts: Parts, user: UserRow, factor: FactorSecretRow) {
  const { relyingParty } = parts
  if (factor.status === 'verified' && factor.credential !== null) {
    const publicKey = await relyingParty.ask([loadCredential(factor.credential)])
    return { type: 'request', credential_options: { publicKey } } as const
  }
  const publicKey = await relyingParty.begin(user, [], { residentKey: 'discouraged' })
  return { type: 'create', credential_options: { publicKey } } as const
}
