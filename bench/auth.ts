import { createPublicKey, type JsonWebKey, verify as verifySignature } from 'node:crypto'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Product } from '../e2e/support/product.ts'
import { createEs256Key, createKeySet } from '../server/src/ground/jwt/keys.ts'
import { signToken } from '../server/src/ground/jwt/sign.ts'
import { createTokenVerifier } from '../server/src/ground/jwt/verify.ts'
import { add, compare, median } from './compare.ts'
import { type LoadRequest, load } from './load.ts'
import { eventLoopDelayMs, startFloor } from './processes.ts'

const here = fileURLToPath(new URL('./', import.meta.url))
const seconds = Number(process.env.BENCH_SECONDS ?? 6)
const password = 'three oat biscuits'
const users = 16

interface Session {
  readonly access_token: string
  readonly refresh_token: string
}

/** Sign-in, refresh, user, verification of tokens, and the effect of a storm of sign-ins on other calls. */
export async function measureAuth(product: Product, databaseUrl: string): Promise<void> {
  const port = Number(new URL(product.apiUrl).port)
  const sessions = await Promise.all(Array.from({ length: users }, (_, n) => signUp(product, n)))
  const jwks = (await (await fetch(`${product.apiUrl}/auth/v1/.well-known/jwks.json`)).json()) as { keys: object[] }
  const floor = await startFloor(join(here, 'auth-floor.ts'), [databaseUrl, '6', JSON.stringify(jwks.keys[0])])
  try {
    const floorSignIn: LoadRequest = {
      method: 'POST',
      path: '/sign-in',
      headers: { 'content-type': 'application/json' },
      body: Buffer.from(JSON.stringify({ password })),
    }
    await compare(
      'sign-in by password (floor: bcrypt of cost 10 alone), calls',
      { clew: port, floor: floor.port },
      { clew: (n) => signIn(product, n), floor: () => floorSignIn },
    )
    const ofUser = (path: string, key: string) => (n: number) => ({
      method: 'GET',
      path,
      headers: { apikey: key, authorization: `Bearer ${sessions[n % users]?.access_token}` },
    })
    await compare(
      'GET /user (floor: signature, session and user), calls',
      { clew: port, floor: floor.port },
      { clew: ofUser('/auth/v1/user', product.publishableKey), floor: ofUser('/user', '') },
    )
  } finally {
    floor.child.kill()
  }
  await measureRefresh(product, sessions)
  await measureStorm(product, port)
  measureVerification()
}

const emailOf = (n: number): string => `bench-${n % users}@example.com`

async function signUp({ apiUrl, publishableKey }: Product, n: number): Promise<Session> {
  const answer = await fetch(`${apiUrl}/auth/v1/signup`, {
    method: 'POST',
    headers: { apikey: publishableKey, 'content-type': 'application/json' },
    body: JSON.stringify({ email: emailOf(n), password }),
  })
  // The product's own answer; what is missing shows in the first call that needs it.
  return (await answer.json()) as Session
}

const signIn = ({ publishableKey }: Product, n: number): LoadRequest => ({
  method: 'POST',
  path: '/auth/v1/token?grant_type=password',
  headers: { apikey: publishableKey, 'content-type': 'application/json' },
  body: Buffer.from(JSON.stringify({ email: emailOf(n), password })),
})

/** Every session refreshes one after the other, each time with the token it got last. */
async function measureRefresh({ apiUrl, publishableKey }: Product, sessions: readonly Session[]): Promise<void> {
  const latencies: number[] = []
  const startedAt = performance.now()
  const endAt = startedAt + seconds * 1000
  await Promise.all(
    sessions.map(async ({ refresh_token }) => {
      let token = refresh_token
      while (performance.now() < endAt) {
        const sentAt = performance.now()
        const answer = await fetch(`${apiUrl}/auth/v1/token?grant_type=refresh_token`, {
          method: 'POST',
          headers: { apikey: publishableKey, 'content-type': 'application/json' },
          body: JSON.stringify({ refresh_token: token }),
        })
        if (answer.status !== 200) throw new Error(`A refresh was answered ${answer.status}: ${await answer.text()}`)
        token = ((await answer.json()) as Session).refresh_token
        latencies.push(performance.now() - sentAt)
      }
    }),
  )
  const perSecond = latencies.length / ((performance.now() - startedAt) / 1000)
  add('refresh, calls', `${Math.round(perSecond).toLocaleString('en')}/s, ${shares(latencies)}`)
}

/** Other calls must not wait for password hashes: the latency of the health route before and during a storm of sign-ins. */
async function measureStorm(product: Product, port: number): Promise<void> {
  const health: LoadRequest = { method: 'GET', path: '/auth/v1/health', headers: {} }
  const ask = () => load({ host: '127.0.0.1', port, connections: 1, seconds, request: () => health })
  const calm = await ask()
  await eventLoopDelayMs(product.dataDir)
  const storm = load({ host: '127.0.0.1', port, connections: 64, seconds, request: (n) => signIn(product, n) })
  const [busy, signedIn] = await Promise.all([ask(), storm])
  const lag = await eventLoopDelayMs(product.dataDir)
  add(
    'during a storm of sign-ins over 64 connections: event loop’s delay p99; another call (alone)',
    `${lag.toFixed(1)} ms; p50 ${busy.p50Ms.toFixed(2)} ms, p99 ${busy.p99Ms.toFixed(2)} ms (${calm.p50Ms.toFixed(2)}, ${calm.p99Ms.toFixed(2)}); ${Math.round(signedIn.requestsPerSecond)} sign-ins/s`,
  )
}

/** What a token costs a request, in this process: the first time it is seen, and every time after. */
function measureVerification(): void {
  const jwk = createEs256Key()
  const keys = createKeySet({ signingKeys: [jwk], secret: null })
  const exp = Math.floor(Date.now() / 1000) + 3600
  const tokens = Array.from({ length: 2000 }, (_, n) =>
    signToken(
      { sub: `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`, role: 'authenticated', exp },
      keys.signing,
    ),
  )
  const key = createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' })
  const bare = (token: string): void => {
    const at = token.lastIndexOf('.')
    const signature = Buffer.from(token.slice(at + 1), 'base64url')
    verifySignature('sha256', Buffer.from(token.slice(0, at)), { key, dsaEncoding: 'ieee-p1363' }, signature)
  }
  const verifier = () =>
    createTokenVerifier({ keys, now: () => new Date(), cacheSize: tokens.length, clockSkewSeconds: 0 })
  const remembering = verifier()
  const floor: number[] = []
  const first: number[] = []
  const again: number[] = []
  for (let round = 0; round < 4; round += 1) {
    floor.push(microseconds(tokens, bare))
    first.push(microseconds(tokens, verifier()))
    again.push(microseconds(tokens, remembering))
  }
  const shown = (values: readonly number[]): string => `${median(values.slice(1)).toFixed(1)} µs`
  const ratio = (median(floor.slice(1)) / median(first.slice(1))).toFixed(2)
  add('verification of an ES256 token (floor: node:crypto alone)', shown(first), shown(floor), ratio)
  add('verification of a token seen before', shown(again), shown(floor))
}

function microseconds(tokens: readonly string[], verify: (token: string) => unknown): number {
  const from = process.hrtime.bigint()
  for (const token of tokens) verify(token)
  return Number(process.hrtime.bigint() - from) / 1000 / tokens.length
}

function shares(latencies: readonly number[]): string {
  const sorted = [...latencies].sort((left, right) => left - right)
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return `p50 ${at(0.5).toFixed(2)} ms, p99 ${at(0.99).toFixed(2)} ms`
}
