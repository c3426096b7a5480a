import { type Session, sqlStateOf } from '../../../engines/postgres/index.ts'
import { messageOf } from '../../../ground/errors/message.ts'
import type { Caller } from '../../../ground/model/caller.ts'

/** The kinds of message that policies of `realtime.messages` tell apart. */
export type Extension = 'broadcast' | 'presence'

/** The database did not answer, so that nothing is known of what a caller may: it is asked again another time. */
export class PoliciesNotAsked extends Error {}

/** Asks row-level security what a caller may in a private channel (realtime §7). @throws PoliciesNotAsked */
export interface Authorizer {
  /** Which kinds the caller may read. A policy that fails allows nothing. */
  mayRead(caller: Caller, topic: string): Promise<Readonly<Record<Extension, boolean>>>
  /** Whether the caller may write messages of a kind. */
  mayWrite(caller: Caller, topic: string, extension: Extension): Promise<boolean>
}

/** The names a policy may leave unqualified. */
const searchPath = 'realtime, public, extensions'

/** An authorizer that acts as the callers' roles; what it writes to ask is always rolled back. */
export function createAuthorizer(session: Pick<Session, 'run'>): Authorizer {
  const common = (caller: Caller, topic: string) => ({
    role: caller.role,
    settings: settingsOf(caller, topic),
    readOnly: false,
    attribute: false,
    end: 'rollback' as const,
    context: null,
  })
  return {
    async mayRead(caller, topic) {
      try {
        const { rows } = await session.run<{ extension: Extension }>({
          ...common(caller, topic),
          before: { text: 'select from clew_realtime.insert_probes($1)', values: [topic] },
          statement: {
            text: `select m.extension from realtime.messages m
              where m.topic = $1 and m.inserted_at = localtimestamp and m.event is null`,
            values: [topic],
          },
        })
        const readable = new Set(rows.map(({ extension }) => extension))
        return { broadcast: readable.has('broadcast'), presence: readable.has('presence') }
      } catch (error) {
        checkAnswered(error)
        return { broadcast: false, presence: false }
      }
    },
    async mayWrite(caller, topic, extension) {
      try {
        await session.run({
          ...common(caller, topic),
          statement: {
            text: 'insert into realtime.messages (topic, extension, private) values ($1, $2, true)',
            values: [topic, extension],
          },
        })
        return true
      } catch (error) {
        checkAnswered(error)
        return false
      }
    },
  }
}

/** Classes of SQLSTATE, and one state, of a server that cannot answer now: what it says is of no policy. */
const noAnswer = /^(?:08|25006|40|53|55|57|58|XX)/

/** @throws PoliciesNotAsked for what is no refusal by a policy */
function checkAnswered(error: unknown): void {
  const state = sqlStateOf(error)
  if (state === null || noAnswer.test(state))
    throw new PoliciesNotAsked(`Policies of private channels are not asked: ${messageOf(error)}`, { cause: error })
}

/** The settings by which policies know the caller and the topic. */
export const settingsOf = (
  { role, claims, claimsJson }: Caller,
  topic: string,
): readonly (readonly [name: string, value: string])[] => [
  ['search_path', searchPath],
  ['request.jwt.claims', claimsJson],
  ['request.jwt.claim.sub', typeof claims.sub === 'string' ? claims.sub : ''],
  ['request.jwt.claim.role', role],
  ['request.headers', '{}'],
  ['realtime.topic', topic],
]
