import { connect, type Socket } from 'node:net'
import type { EngineHealth } from '../../ground/model/health.ts'
import { type Bus, requireSubject } from './bus.ts'
import { createFrameReader, encodeFrame, type Frame, frameKinds } from './frames.ts'
import type { NodeOptions } from './in-process.ts'
import { createAcknowledged, createListeners, createSubscriptions } from './subscriptions.ts'

/** The options of `connectUnixBus`. */
export interface UnixBusOptions extends NodeOptions {
  /** Where the broker listens (`openBusBroker`). */
  readonly socketPath: string
  /** What may wait for a broker that does not read; with more the connection is given up and made anew. */
  readonly bufferedBytes: number
}

const firstPauseMs = 20
const longestPauseMs = 1000

/** A node among the processes of one machine. It connects again until it is closed. @throws where nothing listens */
export async function connectUnixBus({ node, log, socketPath, bufferedBytes }: UnixBusOptions): Promise<Bus> {
  const missed = createListeners<number>()
  let socket: Socket | null = null
  let pauseMs = firstPauseMs
  let lostAtMs = 0
  let timer: NodeJS.Timeout | null = null
  let isClosing = false
  let dropped = 0

  const send = (frame: Buffer): void => {
    if (socket === null) return
    socket.write(frame)
    if (socket.writableLength > bufferedBytes) socket.destroy()
  }
  const echoes = createEchoes(() => send(encodeFrame(frameKinds.echo, node, '')))
  const own = createSubscriptions({
    opened: (subject) => send(encodeFrame(frameKinds.subscribe, node, subject)),
    closed: (subject) => send(encodeFrame(frameKinds.unsubscribe, node, subject)),
    failed: (error) => log(`bus: a handler failed (${String(error)})`),
  })

  const take = ({ kind, from, subject, bytes }: Frame): void =>
    kind === frameKinds.echo ? echoes.answered() : own.deliver(subject, { from, bytes })

  const opened = (fresh: Socket): void => {
    socket = fresh
    pauseMs = firstPauseMs
    for (const subject of own.subjects()) send(encodeFrame(frameKinds.subscribe, node, subject))
    fresh.on('data', createFrameReader(take))
    fresh.once('close', () => {
      socket = null
      echoes.lost()
      lostAtMs = performance.now()
      if (!isClosing) again()
    })
  }
  const again = (): void => {
    timer = setTimeout(() => {
      open(socketPath).then(
        (fresh) => {
          if (isClosing) fresh.destroy()
          else {
            opened(fresh)
            missed.call(performance.now() - lostAtMs)
          }
        },
        () => again(),
      )
    }, pauseMs)
    pauseMs = Math.min(pauseMs * 2, longestPauseMs)
  }
  opened(await open(socketPath))

  return {
    node,
    publish(subject, encode) {
      requireSubject(subject)
      if (socket === null) dropped += 1
      else send(encodeFrame(frameKinds.message, node, subject, encode()))
    },
    subscribe: own.add,
    subscribed: createAcknowledged(() => (socket === null ? Promise.resolve() : echoes.ask())),
    onMissed: missed.add,
    dropped: () => dropped,
    health: () => describe(socket !== null),
    async close() {
      isClosing = true
      if (timer !== null) clearTimeout(timer)
      const last = socket
      if (last === null) return
      // What was published last still goes out.
      await new Promise<void>((resolve) => {
        last.once('close', () => resolve())
        last.end()
      })
    },
  }
}

/** Answers of the broker that are waited for, in the order in which it is asked. */
function createEchoes(send: () => void) {
  let waiting: (() => void)[] = []
  return {
    async ask(): Promise<void> {
      const answered = new Promise<void>((resolve) => waiting.push(resolve))
      send()
      await answered
    },
    answered: (): void => waiting.shift()?.(),
    /** There will be none. */
    lost(): void {
      for (const done of waiting) done()
      waiting = []
    },
  }
}

const describe = (isReached: boolean): EngineHealth => ({
  name: 'bus',
  pid: null,
  ...(isReached
    ? { state: 'up', detail: 'Connected to the other processes of this machine.' }
    : { state: 'degraded', detail: 'The other processes of this machine are out of reach; it is tried again.' }),
})

async function open(socketPath: string): Promise<Socket> {
  const socket = connect(socketPath)
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('error', reject)
  })
  // A broken connection closes as well.
  socket.on('error', () => undefined)
  return socket
}
