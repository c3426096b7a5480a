import type { SeenFlag } from '../../../../ground/model/session.ts'
import type { EventsPort, RecordingsPort } from '../../ports.ts'
import type { FindKnown } from '../people/evidence.ts'
import { idsPerQuestion } from '../queries/columns.ts'
import type { RequestCondition } from '../queries/request-condition.ts'
import { mergeFacts, type SessionFacts } from '../session-facts.ts'
import { fitsFilter, type SessionFilter } from '../session-filter.ts'
import type { ThreadStore } from '../store.ts'

export interface FactsDeps {
  readonly store: Pick<ThreadStore, 'sessionsMeeting'>
  readonly recordings: Pick<RecordingsPort, 'sessionSummaries'>
  readonly events: Pick<EventsPort, 'summaries' | 'sessionsWithFlag'>
  readonly findKnown: FindKnown
  readonly now: () => Date
}

/** What is known of these sessions; those that no source knows are left out. */
export async function findFacts(deps: FactsDeps, ids: readonly string[]): Promise<readonly SessionFacts[]> {
  if (ids.length > idsPerQuestion) {
    const pieces = [ids.slice(0, idsPerQuestion), ids.slice(idsPerQuestion)]
    return (await Promise.all(pieces.map((some) => findFacts(deps, some)))).flat()
  }
  if (ids.length === 0) return []
  const { recordings, events, findKnown, now } = deps
  const summaries = Promise.all([recordings.sessionSummaries(ids), events.summaries(ids)])
  const signs = summaries.then((sources) => sources.flatMap((list) => list.flatMap((summary) => summary.signs)))
  const [[recorded, captured], known] = await Promise.all([summaries, findKnown(ids, signs), signs])
  const byId = <S extends { readonly sessionId: string }>(list: readonly S[]) =>
    new Map(list.map((summary) => [summary.sessionId, summary]))
  const [r, e] = [byId(recorded), byId(captured)]
  return ids.flatMap((id) => {
    const session = known.get(id)
    return session === undefined ? [] : mergeFacts(id, r.get(id), e.get(id), session, now())
  })
}

/** What is still to be asked of sessions that were proposed; null for what they were proposed for. */
export interface Wanted {
  readonly filter: SessionFilter
  readonly requests: RequestCondition | null
  readonly flag: SeenFlag | null
}

/** Those of the sessions that are wanted. */
export async function wantedOf(
  { store, events }: Pick<FactsDeps, 'store' | 'events'>,
  sessions: readonly SessionFacts[],
  { filter, requests, flag }: Wanted,
): Promise<readonly SessionFacts[]> {
  const fitting = sessions.filter((facts) => fitsFilter(filter, facts))
  if (fitting.length === 0 || (requests === null && flag === null)) return fitting
  const ids = fitting.map(({ id }) => id)
  const [met, shown] = await Promise.all([
    requests === null ? null : store.sessionsMeeting(ids, requests),
    flag === null ? null : withFlag(events, ids, flag),
  ])
  return fitting.filter(({ id }) => (met?.has(id) ?? true) && (shown?.has(id) ?? true))
}

async function withFlag(
  events: Pick<EventsPort, 'sessionsWithFlag'>,
  ids: readonly string[],
  flag: SeenFlag,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  for (let from = 0; from < ids.length; from += idsPerQuestion)
    for (const id of await events.sessionsWithFlag(ids.slice(from, from + idsPerQuestion), flag)) found.add(id)
  return found
}
