import type { RestSettings } from '../settings.ts'

/** Listens on a channel of the database until the returned function is called. */
export type Listen = (
  channel: string,
  onNotify: (payload: string) => void,
  onConnect?: () => void,
  onLost?: () => void,
) => Promise<() => Promise<void>>

export interface ListeningDeps {
  readonly listen: Listen
  readonly settings: () => Pick<RestSettings, 'channel' | 'channelEnabled'>
}

/** Listens on the channel that the settings of the moment name. */
export interface Listening {
  /** Begins, changes the channel or ends, as the settings say. */
  follow(): Promise<void>
  /** Whether no notification can be missed: the connection listens, or the settings name no channel. */
  connected(): boolean
  stop(): Promise<void>
}

/** @param onConnect called after each (re)connection: notifications of the time before were missed */
export function createListening(
  { listen, settings }: ListeningDeps,
  notified: (payload: string) => void,
  onConnect: () => void,
): Listening {
  let channel: string | null = null
  let connected = false
  let stop: () => Promise<void> = async () => undefined
  const end = async (): Promise<void> => {
    const ending = stop
    stop = async () => undefined
    channel = null
    connected = false
    await ending()
  }
  return {
    async follow() {
      const { channel: named, channelEnabled: enabled } = settings()
      const wanted = enabled ? named : null
      if (wanted === channel) return
      await end()
      if (wanted === null) return
      channel = wanted
      const onFound = (): void => {
        connected = true
        onConnect()
      }
      const onLost = (): void => {
        connected = false
      }
      stop = await listen(wanted, notified, onFound, onLost)
    },
    connected: () => channel === null || connected,
    stop: end,
  }
}
