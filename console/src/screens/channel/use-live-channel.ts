import { useEffect, useRef, useState } from 'react'
import type { RealtimeCaller } from '../../lib/api/schemas.ts'
import { type JoinState, type LiveChannel, openLiveChannel } from './live-channel.ts'
import { type ChannelMessage, withMessage } from './messages.ts'
import type { RowChangesWish } from './row-changes.ts'

interface Place {
  readonly topic: string
  readonly isPrivate: boolean
}

/** The operator's own membership of a channel: what came and went is kept while the screen is open. It ends with the screen. */
export function useLiveChannel({ topic, isPrivate }: Place) {
  const live = useRef<LiveChannel>(null)
  const [state, setState] = useState<JoinState>({ kind: 'out', problem: null })
  const [messages, setMessages] = useState<readonly ChannelMessage[]>([])
  useEffect(
    () => () => {
      live.current?.leave()
      live.current = null
    },
    [],
  )
  return {
    state,
    messages,
    join: (caller: RealtimeCaller, rowChanges: RowChangesWish | null) => {
      live.current?.leave()
      live.current = openLiveChannel({
        ...{ topic, isPrivate, caller, rowChanges },
        onState: setState,
        onMessage: (message) => setMessages((before) => withMessage(before, message)),
      })
    },
    leave: () => live.current?.leave(),
    send: async (event: string, payload: object) => live.current?.send(event, payload) ?? 'Join the channel first.',
    clear: () => setMessages([]),
  }
}
