import type { FrameCause, FrameName } from '../../../ground/model/frame.ts'
import type { Extension } from '../caller/authorize.ts'
import type { Grant } from '../caller/token.ts'
import type { Room } from '../rooms/room.ts'
import type { Connection } from '../socket/connection.ts'
import type { Rate } from '../socket/rate.ts'
import type { Ref, Version } from '../wire/frames.ts'
import type { ServerFrame } from '../wire/framing.ts'
import type { JoinPayload } from './join-payload.ts'

/** What a channel's caller may do; null where it was not asked yet. */
export interface Permissions {
  readonly read: Record<Extension, boolean>
  readonly write: Record<Extension, boolean | null>
}

/** Everything in a public channel. */
export const allPermissions = (): Permissions => ({
  read: { broadcast: true, presence: true },
  write: { broadcast: true, presence: true },
})

/** A topic that a socket has joined. */
export class Channel {
  readonly connection: Connection<Channel>
  readonly version: Version
  /** With `realtime:` before it. */
  readonly topic: string
  readonly joinRef: Ref
  readonly config: JoinPayload
  readonly presenceKey: string
  readonly presenceRate: Rate
  readonly joinedAt: Date
  grant: Grant
  permissions: Permissions
  /** Whether members' presence is told: asked for in the join, or switched on by tracking. */
  hasPresence: boolean
  room: Room<Channel> | null = null
  /** The next check of the token. */
  timer: NodeJS.Timeout | null = null
  /** Stored broadcasts that it was sent when it joined: their live copies may still come. */
  readonly replayed = new Set<string>()
  /** What its room sends while its replay is read; null where that is sent on. */
  private held: { readonly frame: ServerFrame; readonly storedId: string | null }[] | null = null
  /** Ends the subscription of row changes. */
  unsubscribe: (() => void) | null = null

  constructor({
    connection,
    topic,
    joinRef,
    config,
    grant,
    permissions,
    presenceKey,
    presenceRate,
    joinedAt,
  }: Pick<
    Channel,
    | 'connection'
    | 'topic'
    | 'joinRef'
    | 'config'
    | 'grant'
    | 'permissions'
    | 'presenceKey'
    | 'presenceRate'
    | 'joinedAt'
  >) {
    this.connection = connection
    this.version = connection.version
    this.topic = topic
    this.joinRef = joinRef
    this.config = config
    this.grant = grant
    this.permissions = permissions
    this.hasPresence = config.presenceEnabled
    this.presenceKey = presenceKey
    this.presenceRate = presenceRate
    this.joinedAt = joinedAt
  }

  /** The topic as policies and messages of the system name it. */
  get subTopic(): string {
    return this.topic.slice(topicPrefix.length)
  }

  get hearsBroadcasts(): boolean {
    return this.permissions.read.broadcast
  }

  get hearsPresence(): boolean {
    return this.hasPresence && this.permissions.read.presence
  }

  hasReplayed(id: string): boolean {
    return this.replayed.delete(id)
  }

  send(frame: ServerFrame, storedId: string | null = null): void {
    if (this.held === null) this.connection.send(frame.wire)
    else this.held.push({ frame, storedId })
  }

  /** Keeps what it is sent back, until `release`. */
  hold(): void {
    this.held = []
  }

  /** Sends what was kept back, without what it was replayed meanwhile. */
  release(): void {
    const held = this.held ?? []
    this.held = null
    for (const { frame, storedId } of held)
      if (storedId === null || !this.hasReplayed(storedId)) this.connection.send(frame.wire)
  }

  /** Whether messages that it is sent are kept at the moment. */
  isRecorded(): boolean {
    return this.connection.frames?.isRecorded(this.grant.caller) ?? false
  }

  /** Keeps a message that its client has sent, where the socket is recorded. @returns how those that it leads to name it */
  sent(name: FrameName, bytes: number): FrameCause | null {
    return this.connection.frames?.sent(this, name, bytes) ?? null
  }

  received(name: FrameName, bytes: number, cause: FrameCause | null): void {
    this.connection.frames?.received(this, name, bytes, cause)
  }

  /** Sends one message to this channel alone; null stands for no reference of a join. */
  push(event: string, payload: object, joinRef: Ref = this.joinRef): void {
    this.connection.push({ joinRef, ref: null, topic: this.topic, event, payload })
  }

  /** Tells the client how the server stands to it (realtime §3). */
  tell(extension: 'system' | 'postgres_changes', status: 'ok' | 'error', message: string): void {
    this.push('system', { extension, status, message, channel: this.subTopic })
  }
}

/** What stands before the name of a channel in every topic. */
export const topicPrefix = 'realtime:'
