import type { Call, Reply } from '../model/call.ts'
import type { AccountDeps } from './deps.ts'
import { signUp } from './signup.ts'
import { token } from './token.ts'
import { changeUser, getUser, signOut } from './user.ts'

type Bare = Pick<Call, 'context'>

/** A user's own account: sign-up, sign-in, change and sign-out (auth §6-8, §11, §12). */
export interface Account {
  readonly signUp: (call: Call) => Promise<Reply>
  readonly token: (call: Call, grantType: string) => Promise<Reply>
  readonly getUser: (call: Bare) => Promise<Reply>
  readonly changeUser: (call: Call) => Promise<Reply>
  readonly signOut: (call: Bare, scope: string) => Promise<Reply>
}

/** Binds the use cases of an account to what they need. */
export const createAccount = (deps: AccountDeps): Account => ({
  signUp: (call) => signUp(deps, call),
  token: (call, grantType) => token(deps, call, grantType),
  getUser: (call) => getUser(deps, call),
  changeUser: (call) => changeUser(deps, call),
  signOut: (call, scope) => signOut(deps, call, scope),
})
