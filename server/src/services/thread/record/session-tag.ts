import { readBaggage } from '../../../ground/http/baggage.ts'
import { parseCookies } from '../../../ground/http/cookies.ts'
import type { SessionTag } from '../../../ground/model/request.ts'

type Headers = Readonly<Record<string, string | string[] | undefined>>
type Cookies = ReadonlyMap<string, string>

/** posthog-js ends a session after 30 minutes without activity, and after 24 hours in any case. */
export const sessionIdleMs = 30 * 60_000
const sessionLongestMs = 24 * 60 * 60_000

/** A browser clock further ahead than this makes the cookie's last activity worthless. */
const clockAheadMs = 60_000

const sessionForm = /^[A-Za-z0-9-]{1,70}$/
/** No control character, and no half of a surrogate pair, which no engine stores. */
const personForm = /^[^\p{Cc}\p{Cs}]{1,200}$/u

/** posthog-js in cookieless mode sends this in place of a person. */
const cookieless = '$posthog_cookieless'

/**
 * Reads what posthog-js' option `tracing_headers` adds to a call. The headers are untrusted hints: whatever is not
 * of the right form counts as absent.
 *
 * @returns the tag, or null when the call says neither session nor person
 * @see posthog-js `extensions/tracing-headers.ts`
 */
export function readTracingHeaders(headers: Headers): SessionTag | null {
  const sessionId = matching(headers['x-posthog-session-id'])
  const distinctId = personId(headers['x-posthog-distinct-id'])
  if (sessionId === null && distinctId === null) return null
  const windowId = sessionId === null ? null : matching(headers['x-posthog-window-id'])
  return { sessionId, windowId, distinctId, channel: 'header', exact: true }
}

/**
 * Reads the header `baggage`, by which servers that are instrumented with OpenTelemetry pass on which browser they work for.
 * It is an untrusted hint like those headers.
 *
 * @returns the tag, without a window, or null when it says neither session nor person
 */
export function readBaggageTag({ baggage }: Headers): SessionTag | null {
  if (baggage === undefined) return null
  const named = readBaggage(baggage)
  const sessionId = matching(named.sessionId)
  const distinctId = personId(named.distinctId)
  if (sessionId === null && distinctId === null) return null
  return { sessionId, windowId: null, distinctId, channel: 'header', exact: true }
}

/**
 * Reads the cookie `ph_<project token>_posthog` that posthog-js keeps on the application's own site; browsers send it
 * with calls to our own origin. A session whose last activity is older than half an hour has ended, though the cookie
 * still names it: then only the person is known. Cookies know no ports: that of another project's token, of another
 * application on the same host, says nothing here.
 *
 * @param names of the cookies of our own tokens; `analyticsCookieName`
 * @returns the tag without a window, or null when there is no such cookie
 */
export function readAnalyticsCookie(cookies: Cookies, names: readonly string[], now: Date): SessionTag | null {
  let latest: { readonly tag: SessionTag; readonly activeAt: number } | null = null
  for (const name of names) {
    const value = cookies.get(name)
    if (value === undefined) continue
    const state = parseState(value)
    const distinctId = personId(state?.distinct_id)
    if (state === null || distinctId === null) continue
    const session = currentSession(state.$sesid, now.getTime())
    const activeAt = session?.activeAt ?? 0
    if (latest !== null && latest.activeAt >= activeAt) continue
    const sessionId = session?.id ?? null
    latest = { tag: { sessionId, windowId: null, distinctId, channel: 'cookie', exact: true }, activeAt }
  }
  return latest?.tag ?? null
}

/** The cookie in which posthog-js keeps who and which session it is, for a project's token. */
export const analyticsCookieName = (token: string): string =>
  `ph_${token.replaceAll('+', 'PL').replaceAll('/', 'SL').replaceAll('=', 'EQ')}_posthog`

/**
 * Whether a browser says with the call that its person is not to be followed: by the cookie that posthog-js keeps when
 * it was told to opt out and to remember that in a cookie, or by Global Privacy Control. What it remembers in local
 * storage, as it does by itself, reaches no server.
 *
 * @param names of the cookies of our own tokens; `optOutCookieName`
 * @see https://www.w3.org/TR/gpc/
 */
export function isOptedOut(headers: Headers, names: readonly string[], respectGpc: boolean): boolean {
  if (respectGpc && headers['sec-gpc'] === '1') return true
  const { cookie } = headers
  if (typeof cookie !== 'string' || !cookie.includes(optOutPrefix)) return false
  const cookies = parseCookies(cookie)
  return names.some((name) => ['0', 'no', 'n', 'false'].includes((cookies.get(name) ?? '').toLowerCase()))
}

const optOutPrefix = '__ph_opt_in_out_'

/** The cookie in which posthog-js may keep the person's consent. */
export const optOutCookieName = (token: string): string => optOutPrefix + token

function currentSession(raw: unknown, nowMs: number): { readonly id: string; readonly activeAt: number } | null {
  if (!Array.isArray(raw)) return null
  const [activeAt, id, startedAt]: unknown[] = raw
  const sessionId = matching(id)
  if (sessionId === null || typeof activeAt !== 'number') return null
  if (activeAt > nowMs + clockAheadMs || nowMs - activeAt > sessionIdleMs) return null
  if (typeof startedAt === 'number' && nowMs - startedAt > sessionLongestMs) return null
  return { id: sessionId, activeAt }
}

function parseState(value: string): { readonly distinct_id?: unknown; readonly $sesid?: unknown } | null {
  try {
    const state: unknown = JSON.parse(value)
    return typeof state === 'object' && state !== null ? state : null
  } catch {
    return null
  }
}

const matching = (value: unknown): string | null =>
  typeof value === 'string' && sessionForm.test(value) ? value : null

function personId(value: unknown): string | null {
  if (typeof value !== 'string' || value === cookieless) return null
  const text = value.trim()
  return personForm.test(text) ? text : null
}

/** The cookies of a `Cookie` header, where one of them may be posthog-js'. */
export function readCookies(header: string | string[] | undefined): Cookies {
  const isOfInterest = typeof header === 'string' ? header.includes('ph_') : header !== undefined
  return isOfInterest ? parseCookies(header) : none
}

const none: Cookies = new Map()
