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
  /** Begins, changes the channel or ends, as the settings say; nothing after `stop`. */
  follow(): Promise<void>
  /** Whether no notification can be missed: the connection listens, or the settings name no channel. */
  connected(): boolean
  /** Ends it for good, a `follow` under way included. */
  stop(): Promise<void>
}

/** @param onConnect called after each (re)connection: notifications of the time before were missed */
export function createListening(
  { listen, settings }: ListeningDeps,
  notified: (payload: string) => void,
  onConnect: () => void,
): Listening {
  let wanted: string | null = null
  let channel: string | null = null
  let connected = false
  let stopped = false
  let end: () => Promise<void> = async () => undefined
  let last: Promise<unknown> = Promise.resolve()

  const change = async (next: string | null): Promise<void> => {
    wanted = next
    if (next === channel) return
    const ending = end
    end = async () => undefined
    channel = null
    connected = false
    await ending()
    if (next === null) return
    const onFound = (): void => {
      connected = true
      onConnect()
    }
    const onLost = (): void => {
      connected = false
    }
    end = await listen(next, notified, onFound, onLost)
    // Not before: after a failure the next `follow` tries again.
    channel = next
  }

  /** One change at a time: a channel that is being left behind is left before the next one is listened on. */
  const enqueue = (task: () => Promise<void>): Promise<void> => {
    const done = last.then(task)
    last = done.catch(() => undefined)
    return done
  }

  return {
    follow: () =>
      enqueue(async () => {
        const { channel: named, channelEnabled: enabled } = settings()
        if (!stopped) await change(enabled ? named : null)
      }),
    connected: () => wanted === null || connected,
    stop() {
      stopped = true
      return enqueue(() => change(null))
    },
  }
}
