import { type ChangeWorker, shareChanges } from '../change-worker/index.ts'
import { currentOf, derivedOf, type RootKeys } from '../ground/ids/root-keys.ts'
import { createOpaqueKeyFinder } from '../ground/jwt/api-keys.ts'
import { createKeySet } from '../ground/jwt/keys.ts'
import { createTokenVerifier, type TrustedIssuers } from '../ground/jwt/verify.ts'
import type { Operators } from '../services/operators/index.ts'
import {
  createRealtime,
  type RealtimeConsoleDeps,
  type RealtimeDeps,
  realtimeConsole,
  realtimeService,
  type TicketKeys,
} from '../services/realtime/index.ts'
import type { Thread } from '../services/thread/index.ts'
import type { Settings } from '../settings/index.ts'
import type { openAuth } from './auth.ts'
import type { ComposeInput, InstanceKeys } from './instance.ts'
import type { Add, Engines, Shared } from './shared.ts'

/** What realtime takes of the instance: its settings, and how tokens and keys are known. */
const planRealtime = (
  { instance, realtime }: Settings,
  { api, tokens, roots }: InstanceKeys,
  { issuers, now }: { readonly issuers: TrustedIssuers | null; readonly now: () => Date },
): Pick<RealtimeDeps, 'settings' | 'verify' | 'roleOfKey' | 'tickets'> => ({
  settings: realtime,
  verify: createTokenVerifier({
    keys: tokens,
    now,
    cacheSize: instance.tokenCacheEntries,
    clockSkewSeconds: 0,
    ...(issuers === null ? {} : { issuers }),
  }),
  roleOfKey: createOpaqueKeyFinder(api),
  tickets: planTickets(roots, now),
})

/** Each operator who joins a channel has one at a time. */
const rememberedTickets = 1000

/** Keys of their own: a ticket is no token of a user, and no other service takes it. */
function planTickets(roots: RootKeys, now: () => Date): TicketKeys {
  const ofRoots = derivedOf(roots, 'tickets of realtime', (key) => {
    const keys = createKeySet({ signingKeys: [], secret: key.toString('hex') })
    return { keys, verify: createTokenVerifier({ keys, now, cacheSize: rememberedTickets, clockSkewSeconds: 0 }) }
  })
  return {
    get keys() {
      return currentOf(ofRoots()).value.keys
    },
    verify(token) {
      const verified = ofRoots().map(({ value }) => value.verify(token))
      return verified.find(({ kind }) => kind === 'claims') ?? currentOf(ofRoots()).value.verify(token)
    },
  }
}

/** What realtime needs of the services before it. */
interface RealtimeJoinDeps extends Pick<Awaited<ReturnType<typeof openAuth>>, 'issuers'> {
  readonly shared: Shared
  readonly thread: Thread
  readonly operators: Pick<Operators, 'actions' | 'sessionOf' | 'standing'>
  readonly changes: Pick<ChangeWorker, 'subscribe' | 'health' | 'behindBytes'>
}

/** Channels over sockets, with row changes from whichever process reads them. */
export function addRealtime(
  add: Add,
  { settings, keys, logLine }: ComposeInput,
  { postgres: { session, owner }, bus }: Engines,
  { shared, operators, issuers, thread, changes: worker }: RealtimeJoinDeps,
): void {
  const { nodeSeconds } = settings.cluster
  const nowMs = (): number => performance.now()
  const changes = shareChanges({ bus, subscribe: worker.subscribe, nodeSeconds, log: logLine, nowMs })
  add({ close: changes.close })
  const realtime = createRealtime({
    ...shared,
    session,
    subscribe: changes.subscribe,
    onMissed: changes.onMissed,
    isStreaming: () => ['up', 'degraded'].includes(worker.health().state),
    bus,
    nodeSeconds,
    followSocket: thread.followSocket,
    frameSeen: thread.frameSeen,
    ...planRealtime(settings, keys, { issuers, now: shared.now }),
  })
  const { enabled } = settings.realtime
  const stream = () => ({ ...worker.health(), behindBytes: worker.behindBytes() })
  const sessions = planOperatorSessions(shared, operators, settings.live.checkSeconds)
  const { actions } = operators
  const pages = realtimeConsole(realtime.inside, { sql: shared.sql, owner, stream, actions, sessions })
  add({ ...realtimeService(realtime), console: enabled ? [pages.plugin] : [], close: pages.close }, enabled)
}

/** Whose sockets operators' are, and when they end. */
const planOperatorSessions = (
  { live, log }: Pick<Shared, 'live' | 'log'>,
  { sessionOf, standing }: RealtimeJoinDeps['operators'],
  checkSeconds: number,
): RealtimeConsoleDeps['sessions'] => ({
  ...{ sessionOf, log, checkMs: checkSeconds * 1000 },
  standing: (sessionIds) => standing(sessionIds, 'read data'),
  onEnded: (listener) => live.watch('access', listener),
})
