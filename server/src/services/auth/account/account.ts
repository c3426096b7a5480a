import type { AuthResponse, Call } from '../model/call.ts'
import type { AccountDeps } from './deps.ts'
import { signUp } from './signup.ts'
import { token } from './token.ts'
import { changeUser, getUser, signOut } from './user.ts'

type Bare = Pick<Call, 'context'>

/** A user's own account: sign-up, sign-in, change and sign-out (auth §6-8, §11, §12). */
export interface Account {
  readonly signUp: (call: Call) => Promise<AuthResponse>
  readonly token: (call: Call, grantType: string) => Promise<AuthResponse>
  readonly getUser: (call: Bare) => Promise<AuthResponse>
  readonly changeUser: (call: Call) => Promise<AuthResponse>
  readonly signOut: (call: Bare, scope: string) => Promise<AuthResponse>
}

/** Binds the use cases of an account to what they need. */
export const createAccount = (deps: AccountDeps): Account => ({
  signUp: (call) => signUp(deps, call),
  token: (call, grantType) => token(deps, call, grantType),
  getUser: (call) => getUser(deps, call),
  changeUser: (call) => changeUser(deps, call),
  signOut: (call, scope) => signOut(deps, call, scope),
})
