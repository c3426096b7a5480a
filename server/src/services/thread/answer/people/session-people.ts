import { why } from '../../why.ts'
import { type Claim, type SessionEvidence, type SessionPeople, type Stretch, unknownPerson } from './presence.ts'
import { acceptedSignIns, signInOf } from './sign-ins.ts'
import { stretchesOf } from './stretches.ts'

/**
 * Says who was in a session, and when.
 *
 * A session is that of the browser whose ids its recording and events carry. A user was there when a call of that
 * browser carried the user's token: with one of those ids, from a program of that name, and not while another user's
 * calls went on in the same tab. A call that does not fit is foreign, and changes nothing.
 */
export function peopleOf(evidence: SessionEvidence): SessionPeople {
  const { own, seen, personOf } = evidence
  const ids = ownIds(evidence)
  const isOfBrowser = ({ distinctId }: Claim): boolean =>
    distinctId === null || ids.size === 0 || ids.has(personOf(distinctId).key)
  const fitting = seen.filter(isOfBrowser)
  const accepted = acceptedSignIns(evidence, ids, fitting)
  const acceptedIds = new Set(accepted.map(({ id }) => id))
  const times = [...own, ...fitting.filter((one) => one.userId === null || acceptedIds.has(signInOf(one)))]
  const session = {
    fromMs: Math.min(...times.map(({ fromMs }) => fromMs)),
    toMs: Math.max(...times.map(({ toMs }) => toMs)),
  }
  const stretches = times.length === 0 ? [] : stretchesOf({ ...evidence, seen: fitting }, accepted, session)

  const foreignWhy = (claim: Claim): string | null => {
    if (!isOfBrowser(claim)) return why.otherBrowser
    if (claim.userId === null || acceptedIds.has(signInOf(claim))) return null
    return why.otherPerson
  }
  return {
    stretches,
    foreignWhy,
    whoSent(claim, atMs) {
      const { userId, distinctId, windowId } = claim
      if (userId !== null) return { kind: 'user', userId, distinctId: distinctId ?? '' }
      if (foreignWhy(claim) !== null) return distinctId === null ? unknownPerson : { kind: 'visitor', distinctId }
      const ofTab = stretches.filter((stretch) => isIn(stretch, windowId))
      // A tab without a sign-in is of the browser's person.
      const there = ofTab.length === 0 ? stretches : ofTab
      const isThen = ({ fromMs, toMs }: Stretch): boolean =>
        (fromMs <= atMs || fromMs === session.fromMs) && (toMs >= atMs || toMs === session.toMs)
      return there.findLast(isThen)?.who ?? unknownPerson
    },
  }
}

const isIn = ({ windowIds }: Stretch, windowId: string | null): boolean =>
  windowId === null || windowIds.length === 0 || windowIds.includes(windowId)

/** The browser's own ids by their persons: of the recording and the events, else of the first caller. */
function ownIds({ own, seen, personOf }: SessionEvidence): ReadonlySet<string> {
  if (own.length > 0) return new Set(own.map(({ distinctId }) => personOf(distinctId).key))
  const first = [...seen].sort((a, b) => a.fromMs - b.fromMs).find(({ distinctId }) => distinctId !== null)
  return new Set(first?.distinctId == null ? [] : [personOf(first.distinctId).key])
}
