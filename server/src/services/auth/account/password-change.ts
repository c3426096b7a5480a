import type { RequestContext } from '../model/call.ts'
import { authError } from '../model/errors.ts'
import type { AuthCaller } from '../sessions/sessions.ts'
import { findMethods } from '../store/sessions.ts'
import type { AccountDeps } from './deps.ts'

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
  deps: AccountDeps,
  { user, session }: AuthCaller,
  wanted: { readonly password: string; readonly currentPassword: string; readonly nonce: string },
  context: RequestContext,
): Promise<void> {
  const { settings } = deps
  const isFresh = session !== null && deps.now().getTime() <= session.createdAt.getTime() + freshForMs
  if (settings.securePasswordChange && !isFresh) {
    if (wanted.nonce === '') throw authError('reauthentication_needed')
    await deps.checkNonce(user, wanted.nonce, context)
  }
  if (!user.passwordHash) return
  if (settings.requireCurrentPassword && !(await cameWithoutPassword(deps, session?.id ?? null, context))) {
    if (wanted.currentPassword === '') throw authError('current_password_required')
    if (!(await deps.passwords.matches(wanted.currentPassword, user.passwordHash)))
      throw authError('current_password_invalid')
  }
  if (await deps.passwords.matches(wanted.password, user.passwordHash)) throw authError('same_password')
}

async function cameWithoutPassword(
  deps: AccountDeps,
  sessionId: string | null,
  context: RequestContext,
): Promise<boolean> {
  if (sessionId === null) return false
  const methods = await findMethods(deps.database.for(context), sessionId)
  return methods.some((method) => withoutPassword.includes(method))
}
