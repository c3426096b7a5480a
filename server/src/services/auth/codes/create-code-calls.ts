import type { AuthResponse, Call } from '../model/call.ts'
import type { CodesDeps } from './deps.ts'
import { recover, sendMagicLink, sendOtp } from './passwordless.ts'
import { reauthenticate } from './reauthenticate.ts'
import { resend } from './resend.ts'
import { verifyCode, verifyLink } from './verify.ts'

/** The calls that send codes and links, and that verify them (auth §9, §10). */
export interface CodeCalls {
  readonly sendOtp: (call: Call) => Promise<AuthResponse>
  readonly sendMagicLink: (call: Call) => Promise<AuthResponse>
  readonly recover: (call: Call) => Promise<AuthResponse>
  readonly resend: (call: Call) => Promise<AuthResponse>
  readonly reauthenticate: (call: Pick<Call, 'context'>) => Promise<AuthResponse>
  readonly verifyCode: (call: Call) => Promise<AuthResponse>
  /** @returns the `Location` of the redirect */
  readonly verifyLink: (
    call: Pick<Call, 'context' | 'redirectTo'>,
    query: { readonly token: string; readonly type: string },
  ) => Promise<string>
}

export const createCodeCalls = (deps: CodesDeps): CodeCalls => ({
  sendOtp: (call) => sendOtp(deps, call),
  sendMagicLink: (call) => sendMagicLink(deps, call),
  recover: (call) => recover(deps, call),
  resend: (call) => resend(deps, call),
  reauthenticate: (call) => reauthenticate(deps, call),
  verifyCode: (call) => verifyCode(deps, call),
  verifyLink: (call, query) => verifyLink(deps, call, query),
})
