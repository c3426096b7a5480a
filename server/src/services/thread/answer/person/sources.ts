import type { ErrorsPort, EventsPort, MailsPort, PersonIds } from '../../ports.ts'
import type { Links } from '../../record/links.ts'
import { instantOf } from '../../record/request-lines.ts'
import type { PersonMoment, PersonMomentKind } from '../../schemas/person-line.ts'
import type { SessionSummary } from '../../schemas/session.ts'
import type { FindSenders } from '../people/senders.ts'
import { renderChange } from '../render.ts'
import type { Requests } from '../requests.ts'
import type { Sessions } from '../sessions.ts'
import type { ThreadStore } from '../store.ts'
import type { SourcePage } from './merge.ts'

export interface SourcesDeps {
  readonly store: ThreadStore
  readonly links: Pick<Links, 'sessionsOf'>
  readonly events: Pick<EventsPort, 'ofPerson' | 'sessionStarts'>
  readonly errors: ErrorsPort
  readonly mails: MailsPort
  readonly findSenders: FindSenders
  readonly requests: Pick<Requests, 'summaries'>
  readonly sessions: Pick<Sessions, 'byIds'>
}

/** What a kind of moment has of a person up to an instant, newest first: at most so many. */
type Source = (person: PersonIds, untilMs: number, limit: number) => Promise<SourcePage>

/** Sessions of a user's own sign-ins; a browser that others used before has no id of theirs. */
const sessionsByUser = 200
const changesPerRequest = 20

const nothing = { event: null, session: null, request: null, change: null, error: null, mail: null }

/** Where what stands on the line of a person is read, by kind. */
export function createSources(deps: SourcesDeps): Readonly<Record<PersonMomentKind, Source>> {
  return { ...createRequestSources(deps), ...createOtherSources(deps) }
}

/** Requests, and the rows that they changed. */
function createRequestSources({
  store,
  findSenders,
  requests,
}: SourcesDeps): Readonly<Record<'request' | 'change', Source>> {
  /** Requests that the person sent; a call that only carries an id of theirs is another's. */
  async function requestsOf(person: PersonIds, untilMs: number, limit: number, writes: boolean) {
    const until = new Date(untilMs)
    const rows = await store.requestsOfPerson({ ...person, until, limit, writes })
    const senders = await findSenders(rows)
    const theirs = rows
      .map((row, index) => ({ row, sender: senders[index] }))
      .filter(({ row, sender }) => {
        const { person: who = null } = sender ?? {}
        return row.user_id !== '' ? row.user_id === person.userId : who === null || who.personId === person.personId
      })
    return { theirs, wholeFromMs: wholeFrom(rows, limit, ({ time }) => instantOf(time).getTime()) }
  }

  const summariesOf = (theirs: Awaited<ReturnType<typeof requestsOf>>['theirs']) =>
    requests.summaries(
      theirs.map(({ row }) => row),
      theirs.map(({ sender }) => sender ?? { person: null, personWhy: null, foreignWhy: null }),
    )

  return {
    async request(person, untilMs, limit) {
      const { theirs, wholeFromMs } = await requestsOf(person, untilMs, limit, false)
      return {
        moments: (await summariesOf(theirs)).map((request) => ({
          ...{ ...nothing, kind: 'request', id: request.id, at: request.at, sessionId: request.sessionId, request },
        })),
        wholeFromMs,
      }
    },

    async change(person, untilMs, limit) {
      const { theirs, wholeFromMs } = await requestsOf(person, untilMs, limit, true)
      const changes = await store.changesOfRequests(
        theirs.map(({ row }) => row.id),
        changesPerRequest,
      )
      const made = new Map((await summariesOf(theirs)).map((request) => [request.id, request]))
      return {
        moments: changes.flatMap((row): PersonMoment[] => {
          const request = made.get(row.request_id)
          // A change stands with its request: its commit is some milliseconds later, beyond the page's end perhaps.
          return request === undefined
            ? []
            : [
                {
                  ...{ ...nothing, kind: 'change', id: `${row.lsn}-${row.seq}`, at: request.at },
                  ...{ sessionId: request.sessionId, request, change: renderChange(row) },
                },
              ]
        }),
        wholeFromMs,
      }
    },
  }
}

/** What is not a request. */
function createOtherSources({
  links,
  events,
  errors,
  mails,
  sessions,
}: SourcesDeps): Readonly<Record<Exclude<PersonMomentKind, 'request' | 'change'>, Source>> {
  return {
    async event({ distinctIds }, untilMs, limit) {
      const found = await events.ofPerson(distinctIds, new Date(untilMs), limit)
      return {
        moments: found.map(({ id, at, sessionId, event, label, path }) => ({
          ...{ ...nothing, kind: 'event', id, at, sessionId, event: { event, label, path } },
        })),
        wholeFromMs: wholeFrom(found, limit, ({ at }) => Date.parse(at)),
      }
    },

    async session(person, untilMs, limit) {
      const [started, ofUser] = await Promise.all([
        events.sessionStarts(person.distinctIds, new Date(untilMs), limit),
        person.userId === null ? [] : links.sessionsOf([person.userId], sessionsByUser),
      ])
      const known = await sessions.byIds([...new Set([...started, ...ofUser].map(({ sessionId }) => sessionId))])
      const theirs = [...known.values()].filter(
        (session) => isOf(session, person) && Date.parse(session.startedAt) <= untilMs,
      )
      return {
        moments: theirs.map((session) => ({
          ...{ ...nothing, kind: 'session', id: session.id, at: session.startedAt, sessionId: session.id, session },
        })),
        wholeFromMs: wholeFrom(started, limit, ({ startedAt }) => startedAt.getTime()),
      }
    },

    async error({ distinctIds, userId }, untilMs, limit) {
      const found = await errors.ofPerson({ distinctIds, userId }, new Date(untilMs), limit)
      return {
        moments: found.map(({ id, at, sessionId, issueId, title, source }) => ({
          ...{ ...nothing, kind: 'error', id, at: at.toISOString(), sessionId, error: { issueId, title, source } },
        })),
        wholeFromMs: wholeFrom(found, limit, ({ at }) => at.getTime()),
      }
    },

    async mail({ emails }, untilMs, limit) {
      const found = await mails.to(emails, new Date(untilMs), limit)
      return {
        moments: found.map(({ id, at, to, subject }) => ({
          ...{ ...nothing, kind: 'mail', id, at: at.toISOString(), sessionId: null, mail: { to, subject } },
        })),
        wholeFromMs: wholeFrom(found, limit, ({ at }) => at.getTime()),
      }
    },
  }
}

/**
 * A source that gave as many as were asked may know more, also of its last instant; more than a page in one instant are
 * left out.
 */
function wholeFrom<Row>(rows: readonly Row[], limit: number, msOf: (row: Row) => number): number | null {
  const [first, last] = [rows[0], rows.at(-1)]
  if (rows.length < limit || first === undefined || last === undefined) return null
  return msOf(first) === msOf(last) ? msOf(last) : msOf(last) + 1
}

/** Whether a session was theirs: it names them, or no user at all. */
const isOf = ({ people }: SessionSummary, { personId, userId }: PersonIds): boolean =>
  people.some(({ person }) => person?.personId === personId || (userId !== null && person?.userId === userId)) ||
  people.every(({ person }) => person === null || person.userId === null)
