import { type RealtimeChannel, RealtimeClient, type RealtimeClientOptions } from '@supabase/realtime-js'
import type { FastifyPluginAsync } from 'fastify'
import { pino } from 'pino'
import { expect, onTestFinished } from 'vitest'
import WebSocket from 'ws'
import { type Bus, createInProcessBus } from '../src/engines/bus/index.ts'
import type { Postgres } from '../src/engines/postgres/index.ts'
import { createThreads } from '../src/engines/threads/index.ts'
import { createCallerFinder, type Mount } from '../src/gateway/index.ts'
import { defaultJsonDepth } from '../src/ground/http/json-size.ts'
import { uuidv7 } from '../src/ground/ids/uuidv7.ts'
import { createOpaqueKeyFinder } from '../src/ground/jwt/api-keys.ts'
import { createKeySet, createReplaceableKeys, type KeySet } from '../src/ground/jwt/keys.ts'
import { signToken } from '../src/ground/jwt/sign.ts'
import { createTokenVerifier, type TokenVerifier } from '../src/ground/jwt/verify.ts'
import type { FrameRecord } from '../src/ground/model/frame.ts'
import type { LiveNotices } from '../src/ground/model/live.ts'
import type { OperatorActions } from '../src/ground/model/operator-actions.ts'
import { readSettings } from '../src/ground/settings/read.ts'
import {
  createRealtime,
  type Realtime,
  type RealtimeConsoleDeps,
  type RealtimeDeps,
  type RealtimeSettings,
  realtimeConsole,
  realtimeService,
  realtimeSettings,
} from '../src/services/realtime/index.ts'
import { startGateway } from './gateway-app.ts'

/** Realtime behind a gateway, on a free port, until the test ends. */
export interface RealtimeApp {
  readonly realtime: Realtime
  /** `http://127.0.0.1:<port>/realtime/v1`. */
  readonly url: string
  /** The official client, with a token of the role or of the user of this id. */
  client(who?: string, options?: Partial<RealtimeClientOptions>): RealtimeClient
  /** A socket that speaks the protocol by hand. */
  socket(parameters?: Readonly<Record<string, string>>): Promise<RawSocket>
  token(who: string, claims?: object): string
  /** Removes the key that signed tokens so far; another takes its place. */
  replaceKeys(): void
}

/** A socket without a client library: what is sent and received is seen as it is. */
export interface RawSocket {
  send(frame: unknown): void
  /** Sends text as it is, also such that is not well formed. */
  sendText(text: string | Uint8Array): void
  sendBytes(bytes: Uint8Array): void
  /** Resolves to the next frame, or to the close. */
  next(): Promise<unknown>
  /** Resolves to the first frame for which the test holds; those before it are passed over. */
  until(fits: (frame: never) => boolean): Promise<unknown>
  /** Stops reading from the network, and goes on. */
  pause(): void
  resume(): void
  close(): void
  /** Ends it without a word. */
  cut(): void
}

const jwtSecret = 'a secret of thirty-two characters'
const keys = { publishableKey: 'sb_publishable_x', secretKey: 'sb_secret_x' }
const isRead = (state: string): boolean => state === 'up' || state === 'degraded'
const inOneHour = (): number => Math.floor(Date.now() / 1000) + 3600

/** What differs from the defaults. */
export interface RealtimeOptions {
  readonly settings?: Partial<RealtimeSettings>
  /** Joins it with others; alone where it is left out. */
  readonly bus?: Bus
  readonly nodeSeconds?: number
  /** Row changes; the database's own stream where it is left out. */
  readonly subscribe?: RealtimeDeps['subscribe']
  readonly onMissed?: RealtimeDeps['onMissed']
  /** Asked for tables and stored broadcasts; the database's administrator where it is left out. */
  readonly sql?: RealtimeDeps['sql']
  /** Takes what sockets sent and received; each socket is a session of its own. */
  readonly frames?: FrameRecord[]
  /** Serves the console's part below `/operators`, for an operator who may do this. */
  readonly actions?: OperatorActions
  /** Of the operator whose sockets there are; signed in where it is left out. */
  readonly sessions?: Partial<OperatorSessions>
  readonly live?: LiveNotices
}

type OperatorSessions = RealtimeConsoleDeps['sessions']

const aloneOnItsBus = (): Bus => createInProcessBus().connect({ node: uuidv7(), log: () => undefined })

export async function openRealtime(
  db: Postgres,
  {
    settings = {},
    bus = aloneOnItsBus(),
    nodeSeconds = 10,
    subscribe = db.changes.subscribe,
    onMissed,
    sql = db.admin,
    frames,
    actions,
    sessions = {},
    live,
  }: RealtimeOptions = {},
): Promise<RealtimeApp> {
  const { keys: keySet, replace } = createReplaceableKeys(createKeySet({ signingKeys: [], secret: jwtSecret }))
  const verify = verifierOf(keySet)
  const ticketKeys = createKeySet({ signingKeys: [], secret: 'another one of thirty-two characters' })
  const threads = createThreads()
  onTestFinished(() => threads.close())
  const realtime = createRealtime({
    ...{ threads, jsonDepth: defaultJsonDepth },
    sql,
    session: db.session,
    subscribe,
    ...(onMissed === undefined ? {} : { onMissed }),
    isStreaming: () => isRead(db.changes.health().state),
    verify,
    roleOfKey: createOpaqueKeyFinder(keys),
    tickets: { keys: ticketKeys, verify: verifierOf(ticketKeys) },
    followSocket: ({ id: sessionId }) =>
      frames === undefined
        ? null
        : () => ({ sessionId, windowId: null, distinctId: null, channel: 'cookie', exact: true }),
    frameSeen: (frame) => frames?.push(frame),
    now: () => new Date(),
    newId: () => uuidv7(),
    bus,
    nodeSeconds,
    ...(live && { live }),
    log: pino({ level: process.env.SHOW_LOG === undefined ? 'silent' : 'info' }),
    settings: { ...readSettings(realtimeSettings, []).values, ...settings },
  })
  const service = realtimeService(realtime)
  const app = await startGateway(async () => undefined, {
    mounts: [
      ...service.mounts,
      ...(actions === undefined
        ? []
        : [consoleMount(db, realtime, { actions, sessions: { ...signedIn, ...sessions } })]),
    ],
    findCaller: createCallerFinder({ verify, apiKeys: keys, keyRequired: true }),
  })
  onTestFinished(() => realtime.close())
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as { port: number }
  const token: RealtimeApp['token'] = (who, claims = {}) => {
    const roles = who.includes('-') ? { role: 'authenticated', sub: who } : { role: who }
    return signToken({ exp: inOneHour(), ...roles, ...claims }, keySet.signing)
  }
  return {
    realtime,
    token,
    replaceKeys: () => replace(createKeySet({ signingKeys: [], secret: 'a new one of thirty-two characters' })),
    url: `http://127.0.0.1:${port}/realtime/v1`,
    client(who = 'anon', options = {}) {
      const client = new RealtimeClient(`ws://127.0.0.1:${port}/realtime/v1`, {
        params: { apikey: token('anon') },
        transport: WebSocket as never,
        accessToken: async () => token(who),
        ...options,
      })
      onTestFinished(async () => {
        await client.removeAllChannels()
        await client.disconnect()
      })
      return client
    },
    socket: (parameters = {}) =>
      openSocket(
        `ws://127.0.0.1:${port}/realtime/v1/websocket?${new URLSearchParams({ apikey: token('anon'), vsn: '2.0.0', ...parameters })}`,
      ),
  }
}

const verifierOf = (keySet: KeySet): TokenVerifier =>
  createTokenVerifier({ keys: keySet, now: () => new Date(), cacheSize: 100, clockSkewSeconds: 0 })

const signedIn: OperatorSessions = {
  sessionOf: async () => 'session',
  standing: async (ids) => new Set(ids),
  onEnded: () => () => undefined,
  checkMs: 60_000,
  log: pino({ level: 'silent' }),
}

/** The console's part without its guard. */
function consoleMount(
  { admin, owner, changes }: Postgres,
  { inside }: Realtime,
  operators: Pick<RealtimeConsoleDeps, 'actions' | 'sessions'>,
): Mount {
  const stream = () => ({ ...changes.health(), behindBytes: 0 })
  const { plugin, close } = realtimeConsole(inside, { sql: admin, owner, stream, ...operators })
  onTestFinished(close)
  const withErrors: FastifyPluginAsync = async (app) => {
    app.decorateRequest('operator', null)
    await app.register(plugin)
  }
  return { prefix: '/operators', service: null, plugin: withErrors, needsKey: () => false }
}

async function openSocket(url: string): Promise<RawSocket> {
  const socket = new WebSocket(url)
  const received: unknown[] = []
  let wake: () => void = () => undefined
  socket.on('message', (data: Buffer, isBinary: boolean) => {
    received.push(isBinary ? data : JSON.parse(data.toString()))
    wake()
  })
  socket.on('close', (code: number, reason: Buffer) => {
    received.push({ code, reason: reason.toString() })
    wake()
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('unexpected-response', (_request, response) => {
      let body = ''
      response.on('data', (chunk) => {
        body += chunk
      })
      response.on('end', () => reject(new Error(`${response.statusCode} ${body}`)))
    })
    socket.once('error', reject)
  })
  onTestFinished(() => socket.terminate())
  const next: RawSocket['next'] = async () => {
    while (received.length === 0)
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    return received.shift()
  }
  return {
    send: (frame) => socket.send(JSON.stringify(frame)),
    sendText: (text) => socket.send(text, { binary: false }),
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    sendBytes: (bytes) => socket.send(bytes),
    next,
    async until(fits) {
      for (;;) {
        const frame = await next()
        if (fits(frame as never)) return frame
      }
    },
    close: () => socket.close(),
    cut: () => socket.terminate(),
  }
}

/** Joins a channel of the official client; resolves to the state that the client reports first. */
export const joined = (channel: RealtimeChannel): Promise<{ readonly status: string; readonly error?: Error }> =>
  new Promise((resolve) =>
    channel.subscribe((status, error) => resolve(error === undefined ? { status } : { status, error })),
  )

/** Collects row changes of a channel; resolves when its subscription is told to be there. */
export async function listen(channel: RealtimeChannel, filter: object): Promise<Record<string, unknown>[]> {
  const heard: Record<string, unknown>[] = []
  const told = new Promise((resolve) => channel.on('system', {}, resolve))
  channel.on('postgres_changes' as 'system', filter, (change) => heard.push(change))
  expect(await joined(channel)).toEqual({ status: 'SUBSCRIBED' })
  expect(await told).toMatchObject({ extension: 'postgres_changes', status: 'ok', message: 'Subscribed to PostgreSQL' })
  return heard
}

/** Resolves when the change stream of a database is read. */
export const followed = (db: Postgres) =>
  expect.poll(() => isRead(db.changes.health().state), { interval: 5, timeout: 10_000 }).toBe(true)
