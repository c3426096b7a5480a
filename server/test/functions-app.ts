import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { FunctionsClient } from '@supabase/functions-js'
import type { FastifyPluginAsync } from 'fastify'
import { pino } from 'pino'
import { createCallerFinder } from '../src/gateway/index.ts'
import { createTraces } from '../src/ground/http/trace.ts'
import { fixedRootKeys } from '../src/ground/ids/root-keys.ts'
import { uuidv7 } from '../src/ground/ids/uuidv7.ts'
import { createKeySet } from '../src/ground/jwt/keys.ts'
import { signToken } from '../src/ground/jwt/sign.ts'
import { createTokenVerifier } from '../src/ground/jwt/verify.ts'
import type { FunctionLog } from '../src/ground/model/function-log.ts'
import type { RequestRecord } from '../src/ground/model/request.ts'
import { readSettings } from '../src/ground/settings/read.ts'
import {
  createFunctions,
  type Functions,
  type FunctionsDeps,
  functionsService,
} from '../src/services/functions/index.ts'
import { type FunctionsSettings, functionsSettings } from '../src/services/functions/settings.ts'
import { openGateway } from './gateway-app.ts'
import { type OperatorRole, recordedActions } from './operator-actions.ts'

/** Functions of a project folder behind a gateway, on a free port. */
export interface FunctionsApp {
  /** `http://127.0.0.1:<port>`. */
  readonly url: string
  /** The project folder. */
  readonly project: string
  readonly logs: FunctionLog[]
  /** Requests that have ended, oldest first. */
  readonly ended: RequestRecord[]
  /** The official client, with the public key. */
  readonly client: FunctionsClient
  /** A call below `/functions/v1`, with a token of the role; without one where it is null. */
  call(path: string, options?: RequestInit & { readonly as?: string | null }): Promise<Response>
  token(role: string, claims?: object): string
  /** Writes files below `supabase/functions`. */
  write(files: Readonly<Record<string, string | Uint8Array>>): Promise<void>
  /** What operators do with functions; null without a database. */
  readonly management: Functions['management']
  /** The console's routes of functions, on a port of their own, for one operator; `log` has what was done. */
  readonly console: FastifyPluginAsync
  readonly log: readonly { readonly name: string; readonly target: string }[]
  /** Those routes for an operator of another role. */
  readonly consoleAs: (role: OperatorRole) => FastifyPluginAsync
  /** Processes that run. */
  running(): number
  close(): Promise<void>
}

const pagesOf =
  (parts: readonly FastifyPluginAsync[]): FastifyPluginAsync =>
  async (pages) => {
    for (const part of parts) await pages.register(part)
  }

const jwtSecret = 'a secret of thirty-two characters'

/** @param files of `supabase/functions`, by their paths */
export async function openFunctions(
  files: Readonly<Record<string, string>>,
  {
    settings = {},
    ...deps
  }: Partial<Omit<FunctionsDeps, 'settings'>> & { readonly settings?: Partial<FunctionsSettings> } = {},
): Promise<FunctionsApp> {
  // Deno gives its programs no rights below `/dev`, where the tests' other files are.
  const folder = await mkdtemp('/tmp/clew-functions-')
  // Under root functions run as another user, who passes through to their own files.
  await chmod(folder, 0o711)
  const project = join(folder, 'project')
  const write: FunctionsApp['write'] = async (texts) => {
    for (const [path, text] of Object.entries(texts)) {
      const file = join(project, 'supabase', 'functions', path)
      await mkdir(dirname(file), { recursive: true })
      await writeFile(file, text)
    }
  }
  await write(files)
  const keys = createKeySet({ signingKeys: [], secret: jwtSecret })
  const verifyToken = createTokenVerifier({ keys, now: () => new Date(), cacheSize: 100, clockSkewSeconds: 0 })
  const token: FunctionsApp['token'] = (role, claims = {}) => signToken({ role, ...claims }, keys.signing)
  const logs: FunctionLog[] = []
  const ended: RequestRecord[] = []
  // The port is known once the gateway listens, and the environment is read after that.
  let url = 'http://127.0.0.1:1'
  const functions = await createFunctions({
    project,
    folders: { run: join(folder, 'run'), cache: '/tmp/clew-test-deno' },
    environment: () => ({
      apiUrl: url,
      anonKey: token('anon'),
      serviceRoleKey: token('service_role'),
      publishableKey: 'sb_publishable_x',
      secretKey: 'sb_secret_x',
      jwks: JSON.stringify(keys.jwks),
      dbUrl: null,
      project: 'test',
    }),
    deniedHosts: [],
    ipv6: 'all',
    watches: true,
    callers: {
      verify: (text) => verifyToken(text).kind === 'claims',
      tokenOfKey: (key) => (key === 'sb_publishable_x' ? token('anon') : undefined),
    },
    traces: createTraces(Buffer.from('a key of the tests')),
    roots: fixedRootKeys('a pepper'),
    logged: (line) => {
      logs.push(line)
      if (process.env.SHOW_LOG !== undefined) console.log(line)
    },
    now: () => new Date(),
    newId: () => uuidv7(),
    log: pino({ level: process.env.SHOW_LOG === undefined ? 'silent' : 'info' }),
    ...deps,
    settings: { ...readSettings(functionsSettings, []).values, ...settings },
  })
  const { actions, log } = recordedActions('owner')
  const service = functionsService(functions, actions)
  const { app, close } = await openGateway(async () => undefined, {
    mounts: service.mounts,
    findCaller: createCallerFinder({
      verify: verifyToken,
      apiKeys: { publishableKey: 'sb_publishable_x', secretKey: 'sb_secret_x' },
      keyRequired: false,
    }),
    requestEnded: (record) => ended.push(record),
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  url = `http://127.0.0.1:${(app.server.address() as { port: number }).port}`
  return {
    url,
    project,
    logs,
    ended,
    token,
    write,
    client: new FunctionsClient(`${url}/functions/v1`, { headers: { authorization: `Bearer ${token('anon')}` } }),
    call: (path, { as = 'anon', headers, ...init } = {}) =>
      fetch(`${url}/functions/v1${path}`, {
        ...init,
        headers: { ...(as === null ? {} : { authorization: `Bearer ${token(as)}` }), ...headers },
      }),
    management: functions.management,
    console: pagesOf(service.console),
    consoleAs: (role) => pagesOf(functionsService(functions, recordedActions(role).actions).console),
    log,
    running: functions.running,
    async close() {
      await close()
      await functions.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
