import type { AuthResponse, Call } from '../model/call.ts'
import { beginAuthentication, finishAuthentication } from './authentication.ts'
import type { PasskeysDeps } from './deps.ts'
import { changePasskey, listPasskeys, listPasskeysAsAdmin, removePasskey, removePasskeyAsAdmin } from './manage.ts'
import { beginRegistration, finishRegistration } from './registration.ts'

type ContextOnly = Pick<Call, 'context'>

/** Passkeys (auth §16; the administrator's part: auth §18). */
export interface Passkeys {
  readonly beginRegistration: (call: ContextOnly) => Promise<AuthResponse>
  readonly finishRegistration: (call: Call) => Promise<AuthResponse>
  readonly beginAuthentication: (call: Call) => Promise<AuthResponse>
  readonly finishAuthentication: (call: Call) => Promise<AuthResponse>
  readonly list: (call: ContextOnly) => Promise<AuthResponse>
  readonly change: (call: Call, passkeyId: string) => Promise<AuthResponse>
  readonly remove: (call: ContextOnly, passkeyId: string) => Promise<AuthResponse>
  readonly listAsAdmin: (call: ContextOnly, userId: string) => Promise<AuthResponse>
  readonly removeAsAdmin: (call: ContextOnly, userId: string, passkeyId: string) => Promise<AuthResponse>
}

/** Binds the use cases of passkeys to what they need. */
export const createPasskeys = (deps: PasskeysDeps): Passkeys => ({
  beginRegistration: (call) => beginRegistration(deps, call),
  finishRegistration: (call) => finishRegistration(deps, call),
  beginAuthentication: (call) => beginAuthentication(deps, call),
  finishAuthentication: (call) => finishAuthentication(deps, call),
  list: (call) => listPasskeys(deps, call),
  change: (call, id) => changePasskey(deps, call, id),
  remove: (call, id) => removePasskey(deps, call, id),
  listAsAdmin: (call, userId) => listPasskeysAsAdmin(deps, call, userId),
  removeAsAdmin: (call, userId, id) => removePasskeyAsAdmin(deps, call, userId, id),
})
