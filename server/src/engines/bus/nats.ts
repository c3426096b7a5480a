import type { Auth, NatsConnection, Subscription } from '@nats-io/transport-node'
import { type Bus, requireSubject } from './bus.ts'
import type { NodeOptions } from './in-process.ts'
import { joinParts, splitIntoParts } from './parts.ts'
import { createAcknowledged, createListeners, createSubscriptions } from './subscriptions.ts'

/** The options of `connectNatsBus`. */
export interface NatsBusOptions extends NodeOptions {
  /** `nats://user:password@host:4222`, or `tls://`; a name without a password is a token. Asked for at each connection. */
  readonly url: () => string
  /** Comes before every subject, so that several Clews may share a server. */
  readonly prefix: string
  /** What may be under way to the server; further messages are dropped until it has taken them. */
  readonly bufferedBytes: number
}

const reconnectMs = 250
const checkMs = 10_000

/** A node among those of a NATS server. It connects again until it is closed. @throws where none answers */
export async function connectNatsBus(options: NatsBusOptions): Promise<Bus> {
  const { node, prefix, log } = options
  // Its client is a package of many modules, which a process on a machine of its own does without.
  const { connect } = await import('@nats-io/transport-node')
  const connection = await connect({
    ...placeOf(new URL(options.url())),
    authenticator: () => loginOf(new URL(options.url())),
    name: node,
    noEcho: true,
    maxReconnectAttempts: -1,
    reconnectTimeWait: reconnectMs,
    // A password that is changed on the server first may be good again.
    ignoreAuthErrorAbort: true,
  })
  const missed = createListeners<number>()
  const outgoing = createOutgoing(connection, options.bufferedBytes)
  let isConnected = true
  let lostAtMs = 0
  let broken = 0
  const subscribed = new Map<string, Subscription>()
  const own = createSubscriptions({
    opened(subject) {
      const join = joinParts({
        whole: (message) => own.deliver(subject, message),
        broken() {
          broken += 1
          missed.call(0)
        },
      })
      subscribed.set(
        subject,
        connection.subscribe(`${prefix}.${subject}`, {
          callback: (error, { data }) => (error === null ? join(Buffer.from(data)) : undefined),
        }),
      )
    },
    closed(subject) {
      subscribed.get(subject)?.unsubscribe()
      subscribed.delete(subject)
    },
    failed: (error) => log(`bus: a handler failed (${String(error)})`),
  })
  void follow(connection, (now) => {
    if (now === isConnected) return
    isConnected = now
    log(`bus: NATS is ${now ? 'reached again' : 'out of reach; it is tried again'}`)
    if (now) missed.call(performance.now() - lostAtMs)
    else lostAtMs = performance.now()
  })
  return {
    node,
    publish(subject, encode) {
      const name = `${prefix}.${requireSubject(subject)}`
      if (isConnected) outgoing.send(name, node, encode())
      else outgoing.drop()
    },
    subscribe: own.add,
    // The server answers a flush once it has handled what came before it; a flush that a lost connection ends is an error.
    subscribed: createAcknowledged(() => connection.flush().catch(() => undefined)),
    onMissed: missed.add,
    dropped: () => outgoing.dropped() + broken,
    health: () => ({
      name: 'bus',
      pid: null,
      ...(isConnected
        ? { state: 'up', detail: `Connected to NATS ${connection.info?.version ?? ''} (${connection.getServer()}).` }
        : { state: 'degraded', detail: 'NATS is out of reach; it is tried again. Other nodes do not hear this one.' }),
    }),
    close: () => (connection.isClosed() ? Promise.resolve() : connection.drain()),
  }
}

/** The client reads neither names nor schemes of an address. */
const placeOf = ({ protocol, host }: URL) => ({ servers: host, ...(protocol === 'tls:' ? { tls: {} } : {}) })

function loginOf({ username, password }: URL): Auth {
  const [name, secret] = [decodeURIComponent(username), decodeURIComponent(password)]
  return secret !== '' ? { user: name, pass: secret } : name !== '' ? { auth_token: name } : undefined
}

/** Whether a server takes the login of a URL. @throws what it says instead */
export async function checkNats(url: string): Promise<void> {
  const { connect } = await import('@nats-io/transport-node')
  const address = new URL(url)
  const options = { ...placeOf(address), authenticator: () => loginOf(address), reconnect: false, timeout: checkMs }
  await (await connect(options)).close()
}

/** Tells whether the server is reached, until the connection is closed. */
async function follow(connection: NatsConnection, tell: (isConnected: boolean) => void): Promise<void> {
  for await (const { type } of connection.status()) {
    if (type === 'disconnect') tell(false)
    if (type === 'reconnect') tell(true)
  }
}

/** Publishes within the bound: what the server has taken is known by its answers to flushes. */
function createOutgoing(connection: NatsConnection, bufferedBytes: number) {
  let dropped = 0
  let underWay = 0
  let isFlushing = false
  const flush = (): void => {
    isFlushing = true
    const bytes = underWay
    const taken = (): void => {
      underWay -= bytes
      isFlushing = false
      if (underWay > 0) flush()
    }
    connection.flush().then(taken, taken)
  }
  return {
    send(name: string, node: string, bytes: Buffer): void {
      if (underWay + bytes.length > bufferedBytes) {
        dropped += 1
        return
      }
      underWay += bytes.length
      for (const part of splitIntoParts(node, bytes, connection.info?.max_payload ?? null))
        connection.publish(name, part)
      if (!isFlushing) flush()
    },
    drop(): void {
      dropped += 1
    },
    dropped: () => dropped,
  }
}
