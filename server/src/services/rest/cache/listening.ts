import type { RestSettings } from '../settings.ts'

/** Listens on a channel of the database until the function that it answers is called. */
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

/** Listens as the settings of the moment say. */
export interface Listening {
  /** Begins or ends as the settings say. */
  follow(): Promise<void>
  /** Whether nothing can be missed: it is listened, or is not to be. */
  connected(): boolean
  stop(): Promise<void>
}

/**
 * Makes what listens.
 *
 * @param onConnect called after each (re)connection: what was notified in between was missed
 */
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
