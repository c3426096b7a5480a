import type { RequestWork } from '../../../ground/model/request.ts'
import type { Parts } from '../deps.ts'
import { authError } from '../errors.ts'
import { deleteSessions } from '../store/sessions.ts'

/**
 * Asks the password hook about a try at an existing user's password, a right one and a wrong one alike (auth §27).
 *
 * @throws invalid_credentials in the hook's words when it rejects
 */
export async function askPasswordHook(
  parts: Pick<Parts, 'hooks' | 'database'>,
  user: { readonly id: string },
  valid: boolean,
  work: RequestWork,
): Promise<void> {
  const decision = await parts.hooks.judgePassword({ userId: user.id, valid }, work)
  if (decision.kind === 'continue') return
  if (decision.logOut) await parts.database.change(work, (sql) => deleteSessions(sql, user.id, 'all', work))
  throw authError('invalid_credentials', { message: decision.message })
}
