import type { AuthResponse, Call } from '../model/call.ts'
import { factorMethods } from '../model/factor-type.ts'
import { deleteFactor } from '../store/factors.ts'
import type { FactorsDeps } from './deps.ts'
import { factorError } from './errors.ts'
import { getFactor } from './get-factor.ts'

/** `DELETE /factors/{id}` (auth §15). */
export async function unenrolFactor(
  deps: FactorsDeps,
  { context }: Pick<Call, 'context'>,
  factorId: string,
): Promise<AuthResponse> {
  const { user, session } = await deps.findMember(context)
  const factor = await getFactor(deps, user.id, factorId, context)
  if (factor.status === 'verified' && session.aal === 'aal1') throw factorError('insufficient_aal/422')
  const now = deps.now()
  await deps.database.change(context, async (sql) => {
    await deleteFactor(sql, { id: factor.id, method: factorMethods[factor.type] }, now)
    const traits = { factor_id: factor.id, factor_status: factor.status, session_id: session.id }
    await deps.audit(sql, user, ['factor_unenrolled'], traits)
    deps.outbox.notify(sql, 'mfa_factor_unenrolled', user, { factorType: factor.type })
  })
  return { status: 200, body: { id: factor.id } }
}
