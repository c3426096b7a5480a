import type { RequestRecord } from '../../../ground/model/request.ts'
import type { PeoplePort } from '../ports.ts'
import type { ThreadSettings } from '../settings.ts'
import { type Evidence, isServerAgent, programOf, signOf } from './observation.ts'

export interface ObservationsDeps {
  readonly save: (evidence: Evidence) => void
  readonly linkUser: PeoplePort['linkUser']
  readonly settings: Pick<ThreadSettings, 'rememberedObservations'>
  readonly log: { warn(details: object, message: string): void }
}

/** Watches finished requests for what they tell of who was in which session. */
export interface Observations {
  see(record: RequestRecord): void
  /** Resolves when no link is on its way to analytics. */
  settled(): Promise<void>
}

/** An observation already written is written anew after this long, to keep its last time true. */
const againMs = 30_000

/**
 * Sign-in identifies: the first tagged call that carries a user's token links the browser's person
 * with the user. The sign-in call itself carries no token yet; the call after it does.
 */
export function createObservations({ save, linkUser, settings, log }: ObservationsDeps): Observations {
  const { rememberedObservations } = settings
  const savedAt = new Map<string, number>()
  /** Links on their way to analytics. */
  const linking = new Set<Promise<unknown>>()

  /** Analytics knows whether anything is to be done; after a failure the next call tries again. */
  function link(distinctId: string, userId: string, at: Date): void {
    const one: Promise<unknown> = linkUser({ distinctId, userId, at })
      .catch((error: unknown) => log.warn({ err: error }, 'A person could not be linked with the user yet'))
      .finally(() => linking.delete(one))
    linking.add(one)
  }

  /** A call without a user's token may begin a sign-in in its tab. */
  function seeAnonymous({ context }: RequestRecord): void {
    const { sessionId = null, windowId = null, distinctId = null } = context.tag ?? {}
    if (sessionId === null || windowId === null || distinctId === null || signOf(context) !== 'signs in') return
    save({ kind: 'signing_in', sessionId, windowId, distinctId, at: context.startedAt })
  }

  return {
    see(record) {
      const { identity, tag, startedAt: at } = record.context
      if (identity.kind !== 'caller') return
      const { userId, authSessionId } = identity.caller
      if (userId === null) return seeAnonymous(record)
      // An inferred link adds nothing to the one it was inferred from.
      if (tag !== null && (tag.channel === 'header' || tag.channel === 'cookie')) {
        const { sessionId, windowId, distinctId } = tag
        const program = programOf(record.context)
        if (sessionId !== null && authSessionId !== null) {
          const name = JSON.stringify([sessionId, authSessionId, userId, windowId, distinctId, program])
          if (at.getTime() - (savedAt.get(name) ?? Number.NEGATIVE_INFINITY) > againMs) {
            remember(savedAt, name, at.getTime(), rememberedObservations)
            save({ kind: 'seen', sessionId, windowId, distinctId, authSessionId, userId, program, at })
          }
        }
        // A server forwards the ids of many browsers; only a browser's own call shows who uses it.
        if (distinctId !== null && distinctId !== userId && !isServerAgent(record.context.headers['user-agent']))
          link(distinctId, userId, at)
      }
      const sign = signOf(record.context)
      if (authSessionId !== null && (sign === 'signs out' || sign === 'signs out everywhere')) {
        save({ kind: 'signed_out', authSessionId, userId, everywhere: sign === 'signs out everywhere', at })
      }
    },
    async settled() {
      await Promise.all(linking)
    },
  }
}

function remember<Value>(memory: Map<string, Value>, name: string, value: Value, capacity: number): void {
  memory.delete(name)
  memory.set(name, value)
  if (memory.size <= capacity) return
  for (const oldest of memory.keys()) {
    memory.delete(oldest)
    return
  }
}
