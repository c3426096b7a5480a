import type { AuthResponse, Call } from '../model/call.ts'
import { authError } from '../model/errors.ts'
import { type FactorType, isFactorType } from '../model/factor-type.ts'
import { readName, readText } from '../parse/body.ts'
import { parsePhone } from '../parse/phone.ts'
import type { Member } from '../sessions/sessions.ts'
import type { RequestSql } from '../store/database.ts'
import { deleteAbandonedFactors, deleteUnverifiedFactors, findFactors, insertFactor } from '../store/factors.ts'
import { lockUser } from '../store/users.ts'
import type { FactorsDeps } from './deps.ts'
import { factorError } from './errors.ts'
import { checkEnrolEnabled } from './factor-type.ts'
import { createTotp } from './totp.ts'

/** `POST /factors` (auth §15). */
export async function enrolFactor(deps: FactorsDeps, { body, context }: Call): Promise<AuthResponse> {
  const member = await deps.findMember(context)
  const type = readText(body, 'factor_type')
  if (!isFactorType(type))
    throw authError('validation_failed', { message: 'factor_type needs to be totp, phone, or webauthn' })
  checkEnrolEnabled(type, deps.settings)
  const friendlyName = readName(body, 'friendly_name')
  const phone = type === 'phone' ? parseFactorPhone(readText(body, 'phone')) : null
  const issuer = readName(body, 'issuer') || new URL(deps.settings.siteUrl).host
  const totp = type === 'totp' ? createTotp(issuer, member.user.email || member.user.phone || member.user.id) : null

  const id = deps.newId()
  const now = deps.now()
  await deps.database.change(context, async (sql) => {
    // Locked, so that two calls at once cannot both be the last that fits.
    await lockUser(sql, member.user.id)
    if (phone !== null) await freePhone(sql, member.user.id, phone)
    await checkRoom(deps, sql, member, friendlyName)
    const factor = { id, userId: member.user.id, type, friendlyName, secret: totp?.secret ?? null, phone }
    await insertFactor(sql, factor, now)
    const traits = { factor_id: id, factor_type: type }
    await deps.audit(sql, member.user, ['factor_in_progress'], traits)
  })
  return { status: 200, body: { id, type, friendly_name: friendlyName, ...detailsOf(type, totp, phone) } }
}

function detailsOf(type: FactorType, totp: ReturnType<typeof createTotp> | null, phone: string | null): object {
  if (totp !== null) return { totp: { qr_code: totp.qrCode, secret: totp.secret, uri: totp.uri } }
  return type === 'phone' ? { phone } : {}
}

function parseFactorPhone(text: string): string {
  if (text === '') throw authError('validation_failed', { message: 'Phone number required to enroll Phone factor' })
  return parsePhone(text)
}

/** A number makes way for itself while it is unverified; once it is verified it is there to stay. */
async function freePhone(sql: RequestSql, userId: string, phone: string): Promise<void> {
  const factors = await findFactors(sql, userId)
  const same = factors.find((factor) => factor.type === 'phone' && factor.phone === phone)
  if (same?.status === 'verified') throw factorError('mfa_verified_factor_exists')
  await deleteUnverifiedFactors(sql, userId, { type: 'phone', phone })
}

/** The contract's rules in its order. */
async function checkRoom(
  deps: FactorsDeps,
  sql: RequestSql,
  { user, session }: Member,
  friendlyName: string,
): Promise<void> {
  const { mfaFactorExpirySeconds, mfaMaxEnrolledFactors, mfaMaxVerifiedFactors } = deps.settings
  const before = new Date(deps.now().getTime() - mfaFactorExpirySeconds * 1000)
  await deleteAbandonedFactors(sql, user.id, before)
  const factors = await findFactors(sql, user.id)
  const verified = factors.filter((factor) => factor.status === 'verified').length
  if (factors.some((factor) => (factor.friendlyName ?? '') === friendlyName))
    throw factorError('mfa_factor_name_conflict', {
      message: `A factor with the friendly name ${JSON.stringify(friendlyName)} for this user already exists`,
    })
  if (factors.length >= mfaMaxEnrolledFactors || verified >= mfaMaxVerifiedFactors)
    throw factorError('too_many_enrolled_mfa_factors')
  if (verified > 0 && session.aal === 'aal1') throw authError('insufficient_aal/403')
}
