import type { Sql } from '../../../engines/postgres/index.ts'
import { getUserOfPath, traitsOf } from '../admin/find-user.ts'
import type { Call, Parts, Reply } from '../deps.ts'
import { authError } from '../errors.ts'
import { readName, readText } from '../parse/body.ts'
import { parsePhone } from '../parse/phone.ts'
import { renderFactor } from '../render/user.ts'
import { type Administrator, checkAdmin } from '../sessions/caller.ts'
import { administrator, insertAudit } from '../store/audit.ts'
import { deleteFactor, type FactorSecretRow, updateFactor } from '../store/factors.ts'
import { findUser, type UserRow } from '../store/users.ts'
import { factorMethods } from './factor-type.ts'
import { getFactor } from './member.ts'

/** `GET /admin/users/{id}/factors` (auth §18). */
export async function listFactorsAsAdmin(parts: Parts, { work }: Pick<Call, 'work'>, userId: string): Promise<Reply> {
  const { user } = await findSubject(parts, userId, work)
  return { status: 200, body: user.factors.map(renderFactor) }
}

/** `PUT /admin/users/{id}/factors/{fid}`: name and, for phones, number. */
export async function changeFactorAsAdmin(
  parts: Parts,
  { body, work }: Call,
  userId: string,
  factorId: string,
): Promise<Reply> {
  const subject = await findSubject(parts, userId, work)
  const { user } = subject
  const factor = await getFactor(parts, user.id, factorId, work)
  const friendlyName = readName(body, 'friendly_name') || null
  const phone = readText(body, 'phone')
  const number = phone !== '' && factor.type === 'phone' ? parsePhone(phone) : null
  const now = parts.now()
  const changed = await parts.database.change(work, async (sql) => {
    await updateFactor(sql, factor.id, { friendlyName, phone: number }, now, work)
    await audit(parts, sql, 'factor_updated', subject, factor, work)
    return findUser(sql, user.id, work)
  })
  const row = changed?.factors.find(({ id }) => id === factor.id)
  if (row === undefined) throw authError('mfa_factor_not_found')
  return { status: 200, body: renderFactor(row) }
}

/** `DELETE /admin/users/{id}/factors/{fid}`. */
export async function deleteFactorAsAdmin(
  parts: Parts,
  { work }: Pick<Call, 'work'>,
  userId: string,
  factorId: string,
): Promise<Reply> {
  const subject = await findSubject(parts, userId, work)
  const { user } = subject
  const factor = await getFactor(parts, user.id, factorId, work)
  await parts.database.change(work, async (sql) => {
    await deleteFactor(sql, { id: factor.id, method: factorMethods[factor.type] }, parts.now(), work)
    await audit(parts, sql, 'factor_deleted', subject, factor, work)
  })
  const row = user.factors.find(({ id }) => id === factor.id)
  return { status: 200, body: row === undefined ? {} : renderFactor(row) }
}

/** The administrator who calls, and the user of the path. */
export async function findSubject(
  parts: Parts,
  userId: string,
  work: Call['work'],
): Promise<{ readonly admin: Administrator; readonly user: UserRow }> {
  const admin = await checkAdmin(parts, work)
  return { admin, user: await getUserOfPath(parts, userId, work) }
}

const audit = (
  parts: Parts,
  sql: Sql,
  action: 'factor_updated' | 'factor_deleted',
  { admin, user }: Awaited<ReturnType<typeof findSubject>>,
  factor: FactorSecretRow,
  work: Call['work'],
): Promise<void> => {
  const audited = { newId: parts.newId, now: parts.now(), work }
  return insertAudit(sql, administrator(admin), [action], audited, { ...traitsOf(user), factor_id: factor.id })
}
