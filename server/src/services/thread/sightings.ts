import type { RequestRecord } from '../../ground/model/request.ts'
import type { UserSighting } from './links.ts'
import type { PeoplePort } from './ports.ts'

export interface SightingsDeps {
  readonly save: (sighting: UserSighting) => void
  readonly linkUser: PeoplePort['linkUser']
  readonly log: { warn(details: object, message: string): void }
}

/** Watches finished requests for those that tie a recorded session to a signed-in user. */
export interface Sightings {
  see(record: RequestRecord): void
  /** Resolves when no link is on its way to analytics. */
  settled(): Promise<void>
}

/** A sighting already written is written anew after this long, to keep its last time true. */
const againMs = 30_000
const remembered = 50_000

/**
 * Makes the watcher. Sign-in identifies: the first tagged call that carries a user's token links the browser's person
 * with the user. The sign-in call itself carries no token yet; the call after it does.
 */
export function createSightings({ save, linkUser, log }: SightingsDeps): Sightings {
  const savedAt = new Map<string, number>()
  const linked = new Map<string, Promise<unknown> | null>()

  return {
    see({ work }) {
      const { identity, tag, startedAt: at } = work
      // What was only learnt adds nothing to what taught it.
      if (identity.kind !== 'caller' || tag === null || tag.channel === 'learnt') return
      const { userId, authSessionId } = identity.caller
      if (userId === null) return
      const { sessionId, windowId, distinctId } = tag
      if (sessionId !== null && authSessionId !== null) {
        const name = JSON.stringify([sessionId, authSessionId, userId, windowId, distinctId])
        if (at.getTime() - (savedAt.get(name) ?? Number.NEGATIVE_INFINITY) > againMs) {
          remember(savedAt, name, at.getTime())
          save({ sessionId, windowId, distinctId, authSessionId, userId, at })
        }
      }
      if (distinctId === null || distinctId === userId) return
      const pair = JSON.stringify([distinctId, userId])
      if (linked.has(pair)) return
      const linking = linkUser({ distinctId, userId, at }).then(
        () => {
          if (linked.has(pair)) linked.set(pair, null)
        },
        (error: unknown) => {
          // Forgotten, so that the next call tries again.
          linked.delete(pair)
          log.warn({ err: error }, 'A person could not be linked with the user yet')
        },
      )
      remember(linked, pair, linking)
    },
    async settled() {
      await Promise.all(linked.values())
    },
  }
}

function remember<Value>(memory: Map<string, Value>, name: string, value: Value): void {
  memory.delete(name)
  memory.set(name, value)
  if (memory.size <= remembered) return
  for (const oldest of memory.keys()) {
    memory.delete(oldest)
    return
  }
}
