import { RealtimeClient } from '@supabase/realtime-js'
import { api } from '../../lib/api/api.ts'
import { errorText } from '../../lib/api/api-error.ts'
import type { RealtimeCaller } from '../../lib/api/schemas.ts'
import { type ChannelMessage, describePayload } from './messages.ts'

/** Where the operator's own socket stands. */
export type JoinState =
  | { readonly kind: 'out'; readonly problem: string | null }
  | { readonly kind: 'joining' | 'joined' }

/** A channel, and the caller to join it as. */
export interface LiveChannelOptions {
  readonly topic: string
  readonly isPrivate: boolean
  readonly caller: RealtimeCaller
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

/** Joins a channel by the official client, over the console's own socket. It comes back from nothing by itself: its end is told. */
export function openLiveChannel(options: LiveChannelOptions): LiveChannel {
  const { topic, isPrivate, onState, onMessage } = options
  const tickets = createTickets(options)
  let client: RealtimeClient | null = null
  let channel: ReturnType<RealtimeClient['channel']> | null = null
  let isOver = false
  /** What the server said last of what is wrong: it closes a channel without a word. */
  let fault: string | null = null

  const end = (problem: string | null): void => {
    if (isOver) return
    isOver = true
    onState({ kind: 'out', problem })
    void client?.disconnect()
  }
  const heard = (kind: ChannelMessage['kind'], event: string, payload: unknown): void =>
    onMessage({ at: new Date(), direction: 'received', kind, event, ...describePayload(payload) })

  const join = async (): Promise<void> => {
    const token = await tickets()
    if (isOver) return
    client = new RealtimeClient(`${window.location.origin.replace(/^http/, 'ws')}/console/api/realtime`, {
      params: { apikey: token },
      accessToken: tickets,
      timeout: answerMs,
    })
    channel = client.channel(topic, { config: { private: isPrivate, broadcast: { self: false, ack: true } } })
    channel
      .on('broadcast', { event: '*' }, ({ event, payload }) => heard('broadcast', event, payload))
      .on('presence', { event: 'join' }, ({ key, newPresences }) => heard('presence', 'join', { key, newPresences }))
      .on('presence', { event: 'leave' }, ({ key, leftPresences }) =>
        heard('presence', 'leave', { key, leftPresences }),
      )
      .on('system', {}, (payload) => {
        if (payload.status === 'error') fault = String(payload.message)
        heard('system', payload.status, payload)
      })
      .subscribe((status, error) => {
        if (status === 'SUBSCRIBED') onState({ kind: 'joined' })
        else end(error?.message ?? fault ?? 'The channel is closed.')
      })
  }

  onState({ kind: 'joining' })
  join().catch((error: unknown) => end(error instanceof Error ? errorText(error) : String(error)))
  return {
    async send(event, payload) {
      const described = describePayload(payload)
      const answer = await channel?.send({ type: 'broadcast', event, payload })
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
