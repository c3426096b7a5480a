import { restError } from '../errors.ts'
import type { ParsedRequest } from '../parse/request.ts'
import type { DatabasePlan, StatementRow } from '../render/statement.ts'

const wantsOne = (plan: DatabasePlan): boolean => plan.negotiated.media.kind === 'object'

const isPut = (plan: DatabasePlan): boolean => plan.kind === 'write' && plan.write.kind === 'insert' && plan.write.isPut

function maxAffected(plan: DatabasePlan, { preferences }: ParsedRequest): number | null {
  if (preferences.handling !== 'strict') return null
  const applies = plan.kind === 'call' || (plan.kind === 'write' && plan.write.kind !== 'insert')
  return applies ? preferences.maxAffected : null
}

/** Whether an answer can still be refused when its statement has run, so that what it wrote must be undone. */
export function needsCheckBeforeCommit(plan: DatabasePlan, request: ParsedRequest): boolean {
  if (plan.kind === 'read' || (plan.kind === 'call' && plan.readOnly)) return false
  return wantsOne(plan) || isPut(plan) || maxAffected(plan, request) !== null
}

/**
 * Refuses a result that is not requested (rest §2, step 10).
 *
 * @throws PGRST115, 116, 124
 */
export function checkResult(plan: DatabasePlan, request: ParsedRequest, row: StatementRow): void {
  const rows = Number(row.page ?? 0)
  if (isPut(plan)) {
    if (rows !== 1) throw restError('PGRST115')
    return
  }
  if (wantsOne(plan) && rows !== 1) {
    throw restError('PGRST116', { details: `The result contains ${rows} rows` })
  }
  const most = maxAffected(plan, request)
  if (most !== null && rows > most) throw restError('PGRST124', { details: `The query affects ${rows} rows` })
}
