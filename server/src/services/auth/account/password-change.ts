import type { RequestWork } from '../../../ground/model/request.ts'
import { checkNonce } from '../codes/reauthenticate.ts'
import type { Parts } from '../deps.ts'
import { authError } from '../errors.ts'
import type { AuthCaller } from '../sessions/caller.ts'
import { findMethods } from '../store/sessions.ts'

const freshForMs = 86_400_000
/** Who signed in by one of these may not know their password any more. */
const withoutPassword = ['otp', 'magiclink', 'recovery']

/**
 * Whether a user who is signed in may have another password (auth §11, its last four rules).
 *
 * @throws reauthentication_needed, reauthentication_not_valid, current_password_required, current_password_invalid,
 *         same_password
 */
export async function checkPasswordChange(
  parts: Parts,
  { user, session }: AuthCaller,
  wanted: { readonly password: string; readonly currentPassword: string; readonly nonce: string },
  work: RequestWork,
): Promise<void> {
  const { settings } = parts
  const isFresh = session !== null && parts.now().getTime() <= session.createdAt.getTime() + freshForMs
  if (settings.securePasswordChange && !isFresh) {
    if (wanted.nonce === '') throw authError('reauthentication_needed')
    await checkNonce(parts, user, wanted.nonce, work)
  }
  if (!user.passwordHash) return
  if (settings.requireCurrentPassword && !(await cameWithoutPassword(parts, session?.id ?? null, work))) {
    if (wanted.currentPassword === '') throw authError('current_password_required')
    if (!(await parts.passwords.matches(wanted.currentPassword, user.passwordHash)))
      throw authError('current_password_invalid')
  }
  if (await parts.passwords.matches(wanted.password, user.passwordHash)) throw authError('same_password')
}

async function cameWithoutPassword(parts: Parts, sessionId: string | null, work: RequestWork): Promise<boolean> {
  if (sessionId === null) return false
  const methods = await findMethods(parts.database.sql, sessionId, work)
  return methods.some((method) => withoutPassword.includes(method))
}
