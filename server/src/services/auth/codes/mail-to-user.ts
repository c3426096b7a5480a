import type { AuthResponse, Call } from '../model/call.ts'
import type { CodeChallenge } from '../model/code-challenge.ts'
import type { UserRow } from '../model/user.ts'
import type { AuditAction } from '../store/audit.ts'
import type { CodesDeps } from './deps.ts'
import { checkSending } from './send-code.ts'
import { prepareMail } from './send-token.ts'

/** Sends a known user a mail, and answers as for an address without an account. */
export async function mailToUser(
  deps: CodesDeps,
  call: Call,
  user: UserRow,
  kind: 'confirmation' | 'magic_link' | 'recovery',
  challenge: CodeChallenge | null,
  action: AuditAction,
): Promise<AuthResponse> {
  checkSending(deps, 'email', kind === 'confirmation' ? user.confirmationSentAt : user.recoverySentAt)
  await deps.outbox.changeAndSend(call.context, async (sql, post) => {
    post(await prepareMail(deps, sql, user, kind, call, challenge))
    await deps.audit(sql, user, [action])
  })
  return { status: 200, body: {} }
}
