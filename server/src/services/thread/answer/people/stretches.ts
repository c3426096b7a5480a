import { groupBy } from '../../group-by.ts'
import { why } from '../../why.ts'
import { type SessionEvidence, type Span, type Stretch, unknownPerson, type Who } from './presence.ts'
import { type SignIn, shareWindow } from './sign-ins.ts'

/** The parts of a session, each one person's, by their beginning. */
export function stretchesOf(evidence: SessionEvidence, accepted: readonly SignIn[], session: Span): readonly Stretch[] {
  const first = accepted[0]
  if (first === undefined) return withoutSignIn(evidence, session)
  const { earlier } = evidence
  // An anonymous visitor who signs in was that person before, unless another person had used this browser.
  const wasThereBefore = earlier === null || (earlier.userId === first.userId && !earlier.signedOut)
  const stretches = accepted.map((signIn): Stretch => {
    const next = accepted.find((other) => other.fromMs > signIn.fromMs && shareWindow(other, signIn))
    const endMs = Math.min(signIn.untilMs ?? session.toMs, next?.fromMs ?? session.toMs)
    return {
      who: { kind: 'user', userId: signIn.userId, distinctId: signIn.distinctId },
      windowIds: signIn.windowIds,
      fromMs: signIn === first && wasThereBefore ? session.fromMs : signIn.fromMs,
      toMs: Math.max(signIn.toMs, endMs),
      why: signIn.why,
    }
  })
  return [...joined(stretches), ...gapsIn(stretches, session)].sort((a, b) => a.fromMs - b.fromMs)
}

/** A person who signs in again without having signed out goes on. */
function joined(stretches: readonly Stretch[]): readonly Stretch[] {
  const result: Stretch[] = []
  for (const stretch of stretches) {
    const before = result.findLast((other) => other.windowIds.some((id) => stretch.windowIds.includes(id)))
    const goesOn =
      before !== undefined &&
      isSame(before.who, stretch.who) &&
      before.why === stretch.why &&
      before.toMs >= stretch.fromMs
    if (!goesOn) result.push(stretch)
    else
      result[result.indexOf(before)] = {
        ...before,
        windowIds: [...new Set([...before.windowIds, ...stretch.windowIds])],
        toMs: Math.max(before.toMs, stretch.toMs),
      }
  }
  return result
}

const isSame = (a: Who, b: Who): boolean => a.kind === 'user' && b.kind === 'user' && a.userId === b.userId

/** The signed-out parts: before the first sign-in of a browser that others used, and after a sign-out. */
function gapsIn(stretches: readonly Stretch[], session: Span): readonly Stretch[] {
  const gaps: Stretch[] = []
  let coveredMs = session.fromMs
  const add = (toMs: number): void => {
    if (toMs > coveredMs) gaps.push({ who: unknownPerson, windowIds: [], fromMs: coveredMs, toMs, why: null })
  }
  for (const { fromMs, toMs } of stretches) {
    add(fromMs)
    coveredMs = Math.max(coveredMs, toMs)
  }
  add(session.toMs)
  return gaps
}

/** A session without a sign-in: the persons that its ids belong to, as the application identified them. */
function withoutSignIn({ own, seen, earlier, personOf }: SessionEvidence, session: Span): readonly Stretch[] {
  const signs = [...own, ...seen.filter((one) => own.length === 0 && one.distinctId !== null && one.userId === null)]
  const ordered = signs.sort((a, b) => a.fromMs - b.fromMs)
  const known = groupBy(ordered, ({ distinctId }) => personOf(distinctId ?? '').key)
  const starts = [...known.values()].map((all) => all[0])
  return starts.flatMap((sign, index): readonly Stretch[] => {
    const distinctId = sign?.distinctId ?? ''
    const owner = personOf(distinctId).userId
    const who: Who =
      earlier === null || (earlier.userId === owner && !earlier.signedOut)
        ? { kind: 'visitor', distinctId }
        : unknownPerson
    return [
      {
        who,
        windowIds: [],
        fromMs: index === 0 ? session.fromMs : (sign?.fromMs ?? session.fromMs),
        toMs: starts[index + 1]?.fromMs ?? session.toMs,
        why: who.kind === 'visitor' && owner !== null ? why.earlierSignIn : null,
      },
    ]
  })
}
