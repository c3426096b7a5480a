import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import { onTestFinished } from 'vitest'
import { createCallerFinder } from '../src/gateway/index.ts'
import { uuidv7 } from '../src/ground/ids/uuidv7.ts'
import { createKeySet } from '../src/ground/jwt/keys.ts'
import { signToken } from '../src/ground/jwt/sign.ts'
import { createTokenVerifier } from '../src/ground/jwt/verify.ts'
import type { RequestRecord } from '../src/ground/model/request.ts'
import { readSettings } from '../src/ground/settings/read.ts'
import { createFolderStore } from '../src/services/storage/files/folder/folder-store.ts'
import {
  createStorage,
  type Storage,
  type StorageDeps,
  storageService,
  storageSettings,
} from '../src/services/storage/index.ts'
import { localS3AccessKey } from '../src/services/storage/s3/keys.ts'
import { startGateway } from './gateway-app.ts'
import type { TestDatabase } from './harness.ts'

/** Object storage behind a gateway, on a free port, until the test ends. */
export interface StorageApp {
  readonly storage: Storage
  readonly files: StorageDeps['files']
  /** The folder of the files. */
  readonly folder: string
  /** `http://127.0.0.1:<port>`. */
  readonly url: string
  /** Requests that have ended, oldest first. */
  readonly ended: RequestRecord[]
  /** Storage of the official client: as the service role without a user, else as the user of this id. */
  client(user?: string | null): SupabaseClient['storage']
  /** A call to the API below `/storage/v1`, as the role or the user of this id; null without a token. */
  call(path: string, options?: RequestInit & { readonly as?: string | null }): Promise<Response>
  /** A token of a role, or of the user of this id. */
  token(who: string, claims?: object): string
  /** Runs SQL as the application's owner; one row's values. */
  sql<Row>(text: string, ...values: unknown[]): Promise<readonly Row[]>
}

export const jwtSecret = 'a secret of thirty-two characters'
/** The public key, with which a user's S3 requests are signed. */
export const anonKey = 'a.public.key'

type Options = Partial<Omit<StorageDeps, 'settings'>> & {
  readonly settings?: Partial<StorageDeps['settings']>
  readonly keyRequired?: boolean
  /** How long a request may pause, or crawl. */
  readonly requestTimeoutMs?: number
}

/** @param options dependencies that differ from those of a new local instance */
export async function openStorage(
  db: Pick<TestDatabase, 'session' | 'admin' | 'owner'>,
  options: Options = {},
): Promise<StorageApp> {
  const { settings = {}, keyRequired = false, requestTimeoutMs, ...more } = options
  const folder = await mkdtemp(join(tmpdir(), 'clew-storage-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const keys = createKeySet({ signingKeys: [], secret: jwtSecret })
  const now = more.now ?? (() => new Date())
  const files = more.files ?? (await createFolderStore(folder))
  const storage = createStorage({
    session: db.session,
    sql: db.admin,
    files,
    keys,
    jsonDepth: 200,
    version: '0.0.1',
    s3Keys: { accessKeys: () => [localS3AccessKey], publicKeys: () => [anonKey] },
    publicUrl: null,
    now,
    newId: () => uuidv7(),
    log: {
      info: () => undefined,
      warn: (facts, line) => console.warn(line, facts),
      error: (facts, line) => console.error(line, facts),
    },
    ...more,
    settings: { ...readSettings(storageSettings, []).values, ...settings },
  })
  const service = storageService(storage)
  const ended: RequestRecord[] = []
  const verify = createTokenVerifier({ keys, now: () => new Date(), cacheSize: 100, clockSkewSeconds: 0 })
  const app = await startGateway(async () => undefined, {
    mounts: service.mounts,
    findCaller: createCallerFinder({
      verify,
      apiKeys: { publishableKey: 'sb_publishable_x', secretKey: 'sb_secret_x' },
      keyRequired,
    }),
    newId: () => uuidv7(),
    requestEnded: (record) => ended.push(record),
    ...(requestTimeoutMs === undefined ? {} : { requestTimeoutMs }),
  })
  onTestFinished(async () => {
    await app.close()
    await storage.close()
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as { port: number }
  const url = `http://127.0.0.1:${port}`
  const token: StorageApp['token'] = (who, claims = {}) =>
    signToken(
      who.includes('-') ? { role: 'authenticated', sub: who, ...claims } : { role: who, ...claims },
      keys.signing,
    )
  return {
    storage,
    files,
    folder,
    url,
    ended,
    token,
    client: (user = null) =>
      createClient(url, token(user ?? 'service_role'), {
        auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
        // Node 20 has no WebSocket, and none is needed.
        realtime: { transport: class {} as never },
      }).storage,
    call: (path, { as = 'service_role', headers, ...init } = {}) =>
      fetch(`${url}/storage/v1${path}`, {
        ...init,
        headers: { ...(as === null ? {} : { authorization: `Bearer ${token(as)}` }), ...headers },
      }),
    sql: async <Row>(text: string, ...values: unknown[]) => (await db.owner.query<Row>({ text, values })).rows,
  }
}

/** Files of the store, finished and not. */
export async function filesOf({ folder }: Pick<StorageApp, 'folder'>): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).length
}
