import type { AuthResponse, Body, Call, RequestContext } from '../model/call.ts'

type Bare = Pick<Call, 'context'>

/** Sign-in through an organisation's identity provider, by SAML 2.0 (auth §17). */
export interface Sso {
  readonly begin: (call: Call) => Promise<AuthResponse>
  /** Our metadata as XML; to keep, it says until when it holds. */
  readonly metadata: (download: boolean) => Promise<AuthResponse>
  /** Answers the `Location` of the redirect; an error leads to the site's own address. */
  readonly consume: (body: Body, context: RequestContext) => Promise<string>
  readonly admin: {
    readonly list: (call: Bare, query: URLSearchParams) => Promise<AuthResponse>
    readonly create: (call: Call) => Promise<AuthResponse>
    readonly get: (call: Bare, id: string) => Promise<AuthResponse>
    readonly change: (call: Call, id: string) => Promise<AuthResponse>
    readonly delete: (call: Bare, id: string) => Promise<AuthResponse>
  }
}
