import { RealtimeClient } from '@supabase/realtime-js'
import { api } from '../../lib/api/api.ts'
import { ApiError, errorText } from '../../lib/api/api-error.ts'
import type { RealtimeCaller } from '../../lib/api/schemas.ts'
import { inBackground } from '../../lib/in-background.ts'
import { type ChannelMessage, describePayload } from './messages.ts'
import { describeChange, type RowChangesWish } from './row-changes.ts'

/** Where the operator's own socket stands; `lost` after a cut, until the channel is joined again. */
export type JoinState =
  | { readonly kind: 'out'; readonly problem: string | null }
  | { readonly kind: 'joining' | 'joined' | 'lost' }

/** A channel, and the caller to join it as. */
export interface LiveChannelOptions {
  readonly topic: string
  readonly isPrivate: boolean
  readonly caller: RealtimeCaller
  /** The row changes to listen to; null for none. */
  readonly rowChanges: RowChangesWish | null
  readonly onState: (state: JoinState) => void
  readonly onMessage: (message: Omit<ChannelMessage, 'id'>) => void
}

/** A channel that the operator is in, or about to be. */
export interface LiveChannel {
  /** @returns why it was not sent; null where it was */
  send(event: string, payload: object): Promise<string | null>
  leave(): void
}

/** Before a ticket's end another one is asked for. */
const renewBeforeMs = 90_000
const answerMs = 5_000
/** After a cut it is tried again after these pauses, the last one for as long as it takes. */
const pausesMs = [500, 1_000, 2_000, 5_000, 10_000]

/** A channel's ticket, which is asked for again shortly before it expires. */
function createTickets(options: Pick<LiveChannelOptions, 'topic' | 'isPrivate' | 'caller'>) {
  const { topic, isPrivate, caller } = options
  let ticket: { readonly token: string; readonly expiresAt: string } | null = null
  return async (): Promise<string> => {
    if (ticket === null || Date.parse(ticket.expiresAt) - Date.now() < renewBeforeMs)
      ticket = await api.joinRealtimeChannel({ topic, isPrivate, caller })
    return ticket.token
  }
}

type Heard = (kind: ChannelMessage['kind'], event: string, payload: unknown) => void

/** A socket with the one channel, which tells of all that comes over it. */
function openSocket(
  { topic, isPrivate, rowChanges }: LiveChannelOptions,
  token: string,
  tickets: () => Promise<string>,
  heard: Heard,
) {
  // A client of its own for each connection: the first ticket is in its address.
  const client = new RealtimeClient(`${window.location.origin.replace(/^http/, 'ws')}/console/api/realtime`, {
    params: { apikey: token },
    accessToken: tickets,
    timeout: answerMs,
  })
  const channel = client.channel(topic, { config: { private: isPrivate, broadcast: { self: false, ack: true } } })
  channel
    .on('broadcast', { event: '*' }, ({ event, payload }) => heard('broadcast', event, payload))
    .on('presence', { event: 'join' }, ({ key, newPresences }) => heard('presence', 'join', { key, newPresences }))
    .on('presence', { event: 'leave' }, ({ key, leftPresences }) => heard('presence', 'leave', { key, leftPresences }))
    .on('system', {}, (payload) => heard('system', payload.status, payload))
  if (rowChanges !== null)
    channel.on('postgres_changes', rowChanges, (change) => heard('change', change.eventType, describeChange(change)))
  return { client, channel }
}

/**
 * Joins a channel by the official client, over the console's own socket. A connection that is cut is made again, and says
 * so; what the server refuses, or ends, is over, and is told.
 */
export function openLiveChannel(options: LiveChannelOptions): LiveChannel {
  const { onState, onMessage } = options
  const tickets = createTickets(options)
  let socket: ReturnType<typeof openSocket> | null = null
  let isOver = false
  let wasJoined = false
  let cuts = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  /** What the server said last of what is wrong: it closes a channel without a word. */
  let fault: string | null = null

  const drop = (): void => {
    const dropped = socket
    socket = null
    if (dropped) inBackground(dropped.client.disconnect())
  }
  const end = (problem: string | null): void => {
    if (isOver) return
    isOver = true
    clearTimeout(timer)
    onState({ kind: 'out', problem })
    drop()
  }
  const heard: Heard = (kind, event, payload) => {
    if (kind === 'system' && event === 'error') fault = String((payload as { readonly message?: unknown }).message)
    onMessage({ at: new Date(), direction: 'received', kind, event, ...describePayload(payload) })
  }
  const again = (): void => {
    drop()
    if (isOver) return
    onState({ kind: 'lost' })
    timer = setTimeout(begin, pausesMs[Math.min(cuts, pausesMs.length - 1)])
    cuts += 1
  }
  const join = async (): Promise<void> => {
    const token = await tickets()
    if (isOver) return
    fault = null
    const own = openSocket(options, token, tickets, heard)
    socket = own
    own.channel.subscribe((status, error) => {
      if (socket !== own) return
      if (status === 'SUBSCRIBED') {
        if (wasJoined) heard('system', 'joined again', { message: 'What was said meanwhile was not heard.' })
        wasJoined = true
        cuts = 0
        onState({ kind: 'joined' })
      } else if (wasJoined && !own.client.isConnected()) again()
      else end(error?.message ?? fault ?? 'The channel is closed.')
    })
  }
  function begin(): void {
    join().catch((error: unknown) => {
      const isRefused = error instanceof ApiError && error.status < 500
      if (wasJoined && !isRefused) again()
      else end(error instanceof Error ? errorText(error) : String(error))
    })
  }

  onState({ kind: 'joining' })
  begin()
  return {
    async send(event, payload) {
      const described = describePayload(payload)
      const answer = await socket?.channel.send({ type: 'broadcast', event, payload })
      if (answer !== 'ok')
        return answer === 'timed out'
          ? 'It was not taken: no policy lets this caller send here, or the connection is lost.'
          : 'It was refused: it may be too large.'
      onMessage({ at: new Date(), direction: 'sent', kind: 'broadcast', event, ...described })
      return null
    },
    leave: () => end(null),
  }
}
