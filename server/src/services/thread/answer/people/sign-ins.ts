import { groupBy } from '../../group-by.ts'
import { why } from '../../why.ts'
import type { Claim, Seen, SessionEvidence } from './presence.ts'

/** One sign-in as the session's requests show it. */
export interface SignIn {
  readonly id: string
  readonly userId: string
  /** An id of the browser that it was seen with; empty where none was said. */
  readonly distinctId: string
  readonly windowIds: readonly string[]
  readonly fromMs: number
  readonly toMs: number
  /** When it ended, where that is known. */
  readonly untilMs: number | null
  /** Why it is only probable. */
  readonly why: string | null
}

/** A request on its way while another person signs in. */
const inFlightMs = 5000

/** What tells one sign-in from another. */
export const signInOf = ({ authSessionId, userId }: Claim): string => authSessionId ?? userId ?? ''

/** The sign-ins that happened in this browser, by their beginning. */
export function acceptedSignIns(
  { own, endedMs, personOf }: SessionEvidence,
  ids: ReadonlySet<string>,
  fitting: readonly Seen[],
): readonly SignIn[] {
  const agents = new Set(own.flatMap(({ userAgent }) => userAgent ?? []))
  const windows = new Set(own.flatMap(({ windowId }) => windowId ?? []))
  /** Sent by the browser itself, as far as what it says of itself can show. */
  const isProof = ({ userAgent, distinctId, windowId }: Seen): boolean =>
    (agents.size === 0 || (userAgent !== null && agents.has(userAgent))) &&
    (distinctId !== null || ids.size === 0 || (windowId !== null && windows.has(windowId)))
  const signIns = [
    ...groupBy(
      fitting.filter(({ userId }) => userId !== null),
      signInOf,
    ),
  ].map(([id, all]) => {
    const proofs = all.filter(isProof)
    return { id, isProven: proofs.length > 0, signIn: toSignIn(id, proofs.length > 0 ? proofs : all, endedMs) }
  })
  const proven = signIns.filter(({ isProven }) => isProven).map(({ signIn }) => signIn)
  const provenUsers = new Set(proven.map(({ userId }) => userId))
  const others = signIns.filter(({ isProven }) => !isProven).map(({ signIn }) => signIn)
  const agreeing = new Set(others.map(({ userId }) => userId)).size === 1
  const concluded = others
    .filter(({ userId }) => (proven.length === 0 ? agreeing : provenUsers.has(userId)))
    .map((signIn) => ({ ...signIn, why: why.otherProgram }))

  const owners = new Set(own.flatMap(({ distinctId }) => personOf(distinctId).userId ?? []))
  const found: SignIn[] = []
  // The person that this browser's id was linked with first always stays.
  for (const signIn of [...proven, ...concluded].sort(
    (a, b) => Number(owners.has(b.userId)) - Number(owners.has(a.userId)) || a.fromMs - b.fromMs,
  ))
    if (!found.some((other) => areAtOnce(other, signIn))) found.push(signIn)
  return found.sort((a, b) => a.fromMs - b.fromMs)
}

function toSignIn(id: string, seen: readonly Seen[], endedMs: SessionEvidence['endedMs']): SignIn {
  const toMs = Math.max(...seen.map((one) => one.toMs))
  const ended = endedMs.get(id)
  return {
    id,
    userId: seen[0]?.userId ?? '',
    distinctId: seen.find(({ distinctId }) => distinctId !== null)?.distinctId ?? '',
    windowIds: [...new Set(seen.flatMap(({ windowId }) => windowId ?? []))],
    fromMs: Math.min(...seen.map(({ fromMs }) => fromMs)),
    toMs,
    untilMs: ended === undefined || ended < toMs ? null : ended,
    why: null,
  }
}

/** Whether both may have been in one tab; a tab that is not known may be any. */
export const shareWindow = (a: SignIn, b: SignIn): boolean =>
  a.windowIds.length === 0 || b.windowIds.length === 0 || a.windowIds.some((id) => b.windowIds.includes(id))

/** Whether two users' calls went on at once in one tab: one of them was not there. */
function areAtOnce(found: SignIn, other: SignIn): boolean {
  if (found.userId === other.userId || !shareWindow(found, other)) return false
  const bothMs = Math.min(found.toMs, other.toMs) - Math.max(found.fromMs, other.fromMs)
  return bothMs > inFlightMs || isWithin(other, found) || isWithin(found, other)
}

const isWithin = (inner: SignIn, outer: SignIn): boolean =>
  inner.fromMs >= outer.fromMs && inner.toMs < outer.toMs - inFlightMs
