import type { Sql } from '../../../engines/postgres/index.ts'
import type { Call, Parts, Reply } from '../deps.ts'
import { authError } from '../errors.ts'
import { readName, readText } from '../parse/body.ts'
import { parsePhone } from '../parse/phone.ts'
import { insertAudit } from '../store/audit.ts'
import { deleteAbandonedFactors, deleteUnverifiedFactors, findFactors, insertFactor } from '../store/factors.ts'
import { lockUser } from '../store/users.ts'
import { checkEnrolEnabled, type FactorType, isFactorType } from './factor-type.ts'
import { findMember, type Member } from './member.ts'
import { createTotp } from './totp.ts'

/** `POST /factors` (auth §15). */
export async function enrolFactor(parts: Parts, { body, work }: Call): Promise<Reply> {
  const member = await findMember(parts, work)
  const type = readText(body, 'factor_type')
  if (!isFactorType(type))
    throw authError('validation_failed', { message: 'factor_type needs to be totp, phone, or webauthn' })
  checkEnrolEnabled(type, parts.settings)
  const friendlyName = readName(body, 'friendly_name')
  const phone = type === 'phone' ? parseFactorPhone(readText(body, 'phone')) : null
  const issuer = readName(body, 'issuer') || new URL(parts.settings.siteUrl).host
  const totp = type === 'totp' ? createTotp(issuer, member.user.email || member.user.phone || member.user.id) : null

  const id = parts.newId()
  const now = parts.now()
  await parts.database.change(work, async (sql) => {
    // Locked, so that two calls at once cannot both be the last that fits.
    await lockUser(sql, member.user.id, work)
    if (phone !== null) await freePhone(sql, member.user.id, phone, work)
    await checkRoom(parts, sql, member, friendlyName, work)
    const factor = { id, userId: member.user.id, type, friendlyName, secret: totp?.secret ?? null, phone }
    await insertFactor(sql, factor, now, work)
    const traits = { factor_id: id, factor_type: type }
    await insertAudit(sql, member.user, ['factor_in_progress'], { newId: parts.newId, now, work }, traits)
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
async function freePhone(sql: Sql, userId: string, phone: string, work: Call['work']): Promise<void> {
  const factors = await findFactors(sql, userId, work)
  const same = factors.find((factor) => factor.type === 'phone' && factor.phone === phone)
  if (same?.status === 'verified') throw authError('mfa_verified_factor_exists')
  await deleteUnverifiedFactors(sql, userId, { type: 'phone', phone }, work)
}

/** The contract's rules in its order. */
async function checkRoom(
  parts: Parts,
  sql: Sql,
  { user, session }: Member,
  friendlyName: string,
  work: Call['work'],
): Promise<void> {
  const { mfaFactorExpirySeconds, mfaMaxEnrolledFactors, mfaMaxVerifiedFactors } = parts.settings
  const before = new Date(parts.now().getTime() - mfaFactorExpirySeconds * 1000)
  await deleteAbandonedFactors(sql, user.id, before, work)
  const factors = await findFactors(sql, user.id, work)
  const verified = factors.filter((factor) => factor.status === 'verified').length
  if (factors.some((factor) => (factor.friendlyName ?? '') === friendlyName))
    throw authError('mfa_factor_name_conflict', {
      message: `A factor with the friendly name ${JSON.stringify(friendlyName)} for this user already exists`,
    })
  if (factors.length >= mfaMaxEnrolledFactors || verified >= mfaMaxVerifiedFactors)
    throw authError('too_many_enrolled_mfa_factors')
  if (verified > 0 && session.aal === 'aal1') throw authError('insufficient_aal/403')
}
