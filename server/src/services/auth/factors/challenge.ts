import { createCode } from '../codes/one-time-tokens.ts'
import type { AuthResponse, Call } from '../model/call.ts'
import { authError } from '../model/errors.ts'
import type { UserRow } from '../model/user.ts'
import { parseChannel } from '../parse/phone.ts'
import { renderUser } from '../render/user.ts'
import type { RequestSql } from '../store/database.ts'
import { type FactorSecretRow, insertChallenge, type NewChallenge } from '../store/factors.ts'
import { loadCredential } from '../webauthn/credential.ts'
import type { FactorsDeps } from './deps.ts'
import { checkVerifyEnabled } from './factor-type.ts'
import { getFactor } from './get-factor.ts'

/** `POST /factors/{id}/challenge` (auth §15). */
export async function challengeFactor(
  deps: FactorsDeps,
  { body, context }: Call,
  factorId: string,
): Promise<AuthResponse> {
  const { user } = await deps.findMember(context)
  const factor = await getFactor(deps, user.id, factorId, context)
  checkVerifyEnabled(factor.type, deps.settings)
  const id = deps.newId()
  const challenge = { id, factorId: factor.id, otpHash: null, webauthn: null }
  const expiresAt = Math.floor(deps.now().getTime() / 1000) + deps.settings.mfaChallengeExpirySeconds
  const answer = { id, type: factor.type, expires_at: expiresAt }
  switch (factor.type) {
    case 'totp':
      await deps.database.change(context, (sql) => storeChallenge(deps, sql, user, factor, challenge))
      return { status: 200, body: answer }
    case 'phone': {
      const channel = parseChannel(body, deps.settings)
      checkFrequency(deps, factor)
      const code = createCode(deps.settings.mfaPhoneOtpLength)
      const otpHash = deps.hashCode(factor.phone ?? '', code)
      // Where the message is not taken there was no challenge, and the next one need not wait.
      await deps.outbox.changeAndSend(context, async (sql) => {
        await storeChallenge(deps, sql, user, factor, { ...challenge, otpHash })
        await sendCode(deps, sql, user, factor, code, channel)
      })
      return { status: 200, body: answer }
    }
    case 'webauthn': {
      const webauthn = await askAuthenticator(deps, user, factor)
      const { challenge: bytes } = webauthn.credential_options.publicKey
      const withOptions = { ...challenge, webauthn: { challenge: bytes } }
      await deps.database.change(context, (sql) => storeChallenge(deps, sql, user, factor, withOptions))
      return { status: 200, body: { ...answer, webauthn } }
    }
    default:
      return factor.type satisfies never
  }
}

async function storeChallenge(
  deps: FactorsDeps,
  sql: RequestSql,
  user: UserRow,
  factor: FactorSecretRow,
  challenge: NewChallenge,
): Promise<void> {
  const now = deps.now()
  await insertChallenge(sql, challenge, now)
  const traits = { factor_id: factor.id, factor_status: factor.status }
  await deps.audit(sql, user, ['challenge_created'], traits)
}

/** @throws over_sms_send_rate_limit */
function checkFrequency({ settings, now }: Pick<FactorsDeps, 'settings' | 'now'>, factor: FactorSecretRow): void {
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
 * @throws over_sms_send_rate_limit, sms_send_failed, the hook's error
 */
async function sendCode(
  deps: FactorsDeps,
  sql: RequestSql,
  user: UserRow,
  factor: FactorSecretRow,
  code: string,
  channel: ReturnType<typeof parseChannel>,
): Promise<void> {
  const { settings, hooks } = deps
  const phone = factor.phone ?? ''
  deps.quotas.sms.spend()
  if (hooks.sendSms !== null) {
    await hooks.sendSms(renderUser(user), { otp: code, phone, sms_type: 'mfa' }, { sql, context: sql.context })
    return
  }
  const message = settings.mfaPhoneTemplate.replaceAll(/\{\{\s*\.Code\s*\}\}/g, code)
  await deps.sendSms({ phone, message, channel, userId: user.id, otp: code })
}

/** A factor that is not verified yet is made by its first challenge; later ones ask for it. */
async function askAuthenticator(deps: FactorsDeps, user: UserRow, factor: FactorSecretRow) {
  const { relyingParty } = deps
  if (factor.status === 'verified' && factor.credential !== null) {
    const publicKey = await relyingParty.ask([loadCredential(factor.credential)])
    return { type: 'request', credential_options: { publicKey } } as const
  }
  const publicKey = await relyingParty.begin(user, [], { residentKey: 'discouraged' })
  return { type: 'create', credential_options: { publicKey } } as const
}
