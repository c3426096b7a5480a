import type { RequestContext } from '../../../ground/model/request.ts'
import { groupBy } from '../group-by.ts'

/** One call that carried a user's token, of a recorded session. */
export interface Observation {
  readonly kind: 'seen'
  readonly sessionId: string
  readonly windowId: string | null
  readonly distinctId: string | null
  readonly authSessionId: string
  readonly userId: string
  readonly program: string
  readonly at: Date
}

/** A user signed out: this sign-in of theirs ended, or all of them. */
export interface SignedOut {
  readonly kind: 'signed_out'
  readonly authSessionId: string
  readonly userId: string
  readonly everywhere: boolean
  readonly at: Date
}

/** A call without a token that begins a sign-in: it ends the one before in this tab. */
export interface SigningIn {
  readonly kind: 'signing_in'
  readonly sessionId: string
  readonly windowId: string
  readonly distinctId: string
  readonly at: Date
}

/** What requests tell of who was in which session. */
export type Evidence = Observation | SignedOut | SigningIn

const longestAgent = 512

/** Where a call came from: its address and the name of the program, a space between them. */
export function programOf({ remoteAddress, headers }: Pick<RequestContext, 'remoteAddress' | 'headers'>): string {
  const agent = headers['user-agent']
  return `${remoteAddress} ${typeof agent === 'string' ? agent.slice(0, longestAgent) : ''}`
}

// What a runtime or a tool calls itself when its author says nothing.
const serverAgent = /^(node|undici|deno|bun|curl|wget|python|go-http-client|axios|got|java|php|ruby|guzzle)\b/i

/** Whether a call says itself that no browser sent it. */
export const isServerAgent = (agent: string | string[] | undefined): boolean =>
  typeof agent === 'string' && serverAgent.test(agent)

const signInPath = /^\/auth\/v1\/(token|signup|otp|verify|sso)$/

/** What a finished request says about signing in and out, by the paths of the auth API. */
export function signOf({
  method,
  path,
  query,
}: RequestContext): 'signs in' | 'signs out' | 'signs out everywhere' | null {
  if (method !== 'POST') return null
  if (path === '/auth/v1/logout') {
    const scope = new URLSearchParams(query).get('scope') ?? 'global'
    if (scope === 'others') return null
    return scope === 'local' ? 'signs out' : 'signs out everywhere'
  }
  const refreshes = query.includes('grant_type=refresh_token')
  return signInPath.test(path) && !refreshes ? 'signs in' : null
}

/** Observations of one sign-in in one tab, with one id of the browser, made one. */
export function mergeObservations(observations: readonly Observation[]) {
  const alike = groupBy(observations, ({ sessionId, authSessionId, userId, windowId, distinctId }) =>
    JSON.stringify([sessionId, authSessionId, userId, windowId, distinctId]),
  )
  return [...alike.values()].flatMap((all) => {
    const [first] = all
    if (first === undefined) return []
    const { sessionId, authSessionId, userId, windowId, distinctId } = first
    const times = all.map(({ at }) => at.getTime())
    return [
      {
        ...{ sessionId, authSessionId, userId, windowId, distinctId },
        firstAt: new Date(Math.min(...times)),
        lastAt: new Date(Math.max(...times)),
        programs: [...new Set(all.map(({ program }) => program))],
      },
    ]
  })
}
