import { isDatabaseError, type Session, sqlStateOf } from '../../../engines/postgres/index.ts'
import type { Caller } from '../../../ground/model/caller.ts'

/** The kinds of message that policies of `realtime.messages` tell apart. */
export type Extension = 'broadcast' | 'presence'

/** Asks row-level security what a caller may in a private channel (realtime §7). */
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
        if (!isDatabaseError(error)) throw error
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
        if (!isDatabaseError(error) || sqlStateOf(error)?.startsWith('08')) throw error
        return false
      }
    },
  }
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
