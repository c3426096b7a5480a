import { isObject, type JsonObject, objectOf, textOf } from '../../../ground/json/object.ts'

/** One of the row changes that a channel asks for, as the client wrote it. */
export type ChangeRequest = JsonObject

/** Which stored broadcasts a channel asks for when it joins. */
export interface ReplayRequest {
  /** Milliseconds since 1970. */
  readonly since: unknown
  readonly limit: unknown
}

/** What a client says when it joins a channel (realtime §3). */
export interface JoinPayload {
  /** Whether the sender of a broadcast receives it, too. */
  readonly self: boolean
  /** Whether broadcasts are answered. */
  readonly ack: boolean
  readonly replay: ReplayRequest | null
  readonly replicationReady: boolean
  readonly presenceKey: string | null
  readonly presenceEnabled: boolean
  readonly isPrivate: boolean
  readonly changes: readonly ChangeRequest[]
  /** Whether changes are pushed under the names of their operations, as the first clients want them. */
  readonly hasOldChanges: boolean
  readonly accessToken: string | null
}

/** Reads the payload of `phx_join`. What is not as it should be has its default. */
export function parseJoinPayload(payload: JsonObject, subTopic: string): JoinPayload {
  const config = objectOf(payload.config)
  const { broadcast, presence, postgres_changes, private: isPrivate } = config ?? {}
  const { self, ack, replay, replication_ready } = objectOf(broadcast) ?? {}
  const { key, enabled } = objectOf(presence) ?? {}
  const replayed = objectOf(replay)
  return {
    self: isTrue(self),
    ack: isTrue(ack),
    replay: replayed === null ? null : { since: replayed.since, limit: replayed.limit },
    replicationReady: isTrue(replication_ready),
    presenceKey: textOf(key),
    presenceEnabled: isTrue(enabled),
    isPrivate: isTrue(isPrivate),
    changes: config === null ? oldChanges(subTopic) : listOf(postgres_changes),
    hasOldChanges: config === null,
    accessToken: textOf(payload.access_token) ?? textOf(payload.user_token),
  }
}

const isTrue = (value: unknown): boolean => value === true || value === 'true'

const listOf = (value: unknown): readonly ChangeRequest[] => (Array.isArray(value) ? value.filter(isObject) : [])

/** A client that says no configuration names what it wants in the topic: `schema[:table[:filter]]`. */
function oldChanges(subTopic: string): readonly ChangeRequest[] {
  const [schema = '', table, ...filter] = subTopic.split(':')
  return [
    {
      event: '*',
      schema,
      ...(table === undefined ? {} : { table }),
      ...(filter.length === 0 ? {} : { filter: filter.join(':') }),
    },
  ]
}
