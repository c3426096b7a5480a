import type { RequestContext } from '../model/call.ts'
import { authError } from '../model/errors.ts'
import { deleteSessions } from '../store/sessions.ts'
import type { AccountDeps } from './deps.ts'

/**
 * Asks the password hook about a try at an existing user's password, a right one and a wrong one alike (auth §27).
 *
 * @throws invalid_credentials in the hook's words when it rejects
 */
export async function askPasswordHook(
  deps: Pick<AccountDeps, 'hooks' | 'database'>,
  user: { readonly id: string },
  valid: boolean,
  context: RequestContext,
): Promise<void> {
  const decision = await deps.hooks.judgePassword({ userId: user.id, valid }, context)
  if (decision.kind === 'continue') return
  if (decision.logOut) await deps.database.change(context, (sql) => deleteSessions(sql, user.id, 'all'))
  throw authError('invalid_credentials', { message: decision.message })
}
