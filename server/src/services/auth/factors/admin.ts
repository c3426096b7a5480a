import type { AuthResponse, Call } from '../model/call.ts'
import { factorMethods } from '../model/factor-type.ts'
import { traitsOf } from '../model/user.ts'
import { readName, readText } from '../parse/body.ts'
import { parsePhone } from '../parse/phone.ts'
import { renderFactor } from '../render/user.ts'
import { administrator } from '../store/audit.ts'
import type { RequestSql } from '../store/database.ts'
import { deleteFactor, type FactorSecretRow, updateFactor } from '../store/factors.ts'
import { findUser } from '../store/users.ts'
import type { Subject } from '../users/users.ts'
import type { FactorsDeps } from './deps.ts'
import { factorError } from './errors.ts'
import { getFactor } from './get-factor.ts'

/** `GET /admin/users/{id}/factors` (auth §18). */
export async function listFactorsAsAdmin(
  deps: FactorsDeps,
  { context }: Pick<Call, 'context'>,
  userId: string,
): Promise<AuthResponse> {
  const { user } = await deps.findSubject(userId, context)
  return { status: 200, body: user.factors.map(renderFactor) }
}

/** `PUT /admin/users/{id}/factors/{fid}`: name and, for phones, number. */
export async function changeFactorAsAdmin(
  deps: FactorsDeps,
  { body, context }: Call,
  userId: string,
  factorId: string,
): Promise<AuthResponse> {
  const subject = await deps.findSubject(userId, context)
  const { user } = subject
  const factor = await getFactor(deps, user.id, factorId, context)
  const friendlyName = readName(body, 'friendly_name') || null
  const phone = readText(body, 'phone')
  const number = phone !== '' && factor.type === 'phone' ? parsePhone(phone) : null
  const now = deps.now()
  const changed = await deps.database.change(context, async (sql) => {
    await updateFactor(sql, factor.id, { friendlyName, phone: number }, now)
    await audit(deps, sql, 'factor_updated', subject, factor)
    return findUser(sql, user.id)
  })
  const row = changed?.factors.find(({ id }) => id === factor.id)
  if (row === undefined) throw factorError('mfa_factor_not_found')
  return { status: 200, body: renderFactor(row) }
}

/** `DELETE /admin/users/{id}/factors/{fid}`. */
export async function deleteFactorAsAdmin(
  deps: FactorsDeps,
  { context }: Pick<Call, 'context'>,
  userId: string,
  factorId: string,
): Promise<AuthResponse> {
  const subject = await deps.findSubject(userId, context)
  const { user } = subject
  const factor = await getFactor(deps, user.id, factorId, context)
  await deps.database.change(context, async (sql) => {
    await deleteFactor(sql, { id: factor.id, method: factorMethods[factor.type] }, deps.now())
    await audit(deps, sql, 'factor_deleted', subject, factor)
  })
  const row = user.factors.find(({ id }) => id === factor.id)
  return { status: 200, body: row === undefined ? {} : renderFactor(row) }
}

const audit = (
  deps: FactorsDeps,
  sql: RequestSql,
  action: 'factor_updated' | 'factor_deleted',
  { admin, user }: Subject,
  factor: FactorSecretRow,
): Promise<void> => {
  return deps.audit(sql, administrator(admin), [action], { ...traitsOf(user), factor_id: factor.id })
}
