import type { Call, Parts, Reply } from '../deps.ts'
import { authError } from '../errors.ts'
import { insertAudit } from '../store/audit.ts'
import { deleteFactor } from '../store/factors.ts'
import { factorMethods } from './factor-type.ts'
import { findMember, getFactor } from './member.ts'

/** `DELETE /factors/{id}` (auth §15). */
export async function unenrolFactor(parts: Parts, { work }: Pick<Call, 'work'>, factorId: string): Promise<Reply> {
  const { user, session } = await findMember(parts, work)
  const factor = await getFactor(parts, user.id, factorId, work)
  if (factor.status === 'verified' && session.aal === 'aal1') throw authError('insufficient_aal/422')
  const now = parts.now()
  await parts.database.change(work, async (sql) => {
    await deleteFactor(sql, { id: factor.id, method: factorMethods[factor.type] }, now, work)
    const traits = { factor_id: factor.id, factor_status: factor.status, session_id: session.id }
    await insertAudit(sql, user, ['factor_unenrolled'], { newId: parts.newId, now, work }, traits)
    parts.outbox.notify(sql, 'mfa_factor_unenrolled', user, work, { factorType: factor.type })
  })
  return { status: 200, body: { id: factor.id } }
}
