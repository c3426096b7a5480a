import type { Call, Reply } from '../model/call.ts'
import type { CodesDeps } from './deps.ts'
import { recover, sendMagicLink, sendOtp } from './passwordless.ts'
import { reauthenticate } from './reauthenticate.ts'
import { resend } from './resend.ts'
import { verifyCode, verifyLink } from './verify.ts'

/** The calls that send codes and links, and that verify them (auth §9, §10). */
export interface CodeCalls {
  readonly sendOtp: (call: Call) => Promise<Reply>
  readonly sendMagicLink: (call: Call) => Promise<Reply>
  readonly recover: (call: Call) => Promise<Reply>
  readonly resend: (call: Call) => Promise<Reply>
  readonly reauthenticate: (call: Pick<Call, 'context'>) => Promise<Reply>
  readonly verifyCode: (call: Call) => Promise<Reply>
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
