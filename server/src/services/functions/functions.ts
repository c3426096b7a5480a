import { join } from 'node:path'
import type { FastifyPluginAsync } from 'fastify'
import type { Sql } from '../../engines/postgres/index.ts'
import type { Traces } from '../../ground/http/trace.ts'
import type { RootKeys } from '../../ground/ids/root-keys.ts'
import { createLimiter } from '../../ground/limits/limiter.ts'
import type { FunctionLog } from '../../ground/model/function-log.ts'
import { type LiveNotices, unwatched } from '../../ground/model/live.ts'
import { noOthers, type OpenTopic } from '../../ground/model/topic.ts'
import { functionsError, manageError } from './errors.ts'
import type { CallerKeys } from './http/authorize.ts'
import { functionsPlugin } from './http/plugin.ts'
import { openInspector } from './inspector/server.ts'
import { openKeptVersions } from './kept/kept-versions.ts'
import { createManagement, type Management } from './management/management.ts'
import type { UploadLimits } from './management/upload.ts'
import { createPool, type Pool } from './pool/pool.ts'
import { openRegistry, type Registry } from './registry/registry.ts'
import { createMask } from './secrets/mask.ts'
import { openFunctionSecrets } from './secrets/secrets.ts'
import type { FunctionsSettings } from './settings.ts'
import type { Variables } from './source/environment.ts'
import { findFreePort } from './worker/free-port.ts'
import { type FunctionFolders, installDeno, versionsFolder, workersFolder } from './worker/installation.ts'
import type { Inspect } from './worker/launch.ts'
import type { DenoInstallation } from './worker/process.ts'

/** What functions find in their environment (functions §5). */
export interface FunctionEnvironment {
  readonly apiUrl: string
  readonly anonKey: string
  readonly serviceRoleKey: string
  readonly publishableKey: string
  readonly secretKey: string
  /** JSON of the public keys. */
  readonly jwks: string
  readonly dbUrl: string | null
  /** The project's name. */
  readonly project: string
}

/** What functions need of the instance. */
export interface FunctionsDeps {
  readonly settings: FunctionsSettings
  /** The folder that holds `supabase/functions`. */
  readonly project: string
  readonly folders: FunctionFolders
  /** Keeps versions and secrets; without it there is what the project folder has. */
  readonly sql?: Sql
  /** As it is now: keys may be rotated. */
  readonly environment: () => FunctionEnvironment
  /** Addresses and networks that functions must not reach. */
  readonly deniedHosts: readonly string[]
  /** Whether functions connect over IPv6: to all hosts, or to these addresses only. */
  readonly ipv6: 'all' | readonly string[]
  /** Whether saved files are taken at once, and callers told why a function does not start: in local mode. */
  readonly watches: boolean
  readonly callers: CallerKeys
  readonly traces: Traces
  /** The keys of secrets are derived of them. */
  readonly roots: RootKeys
  readonly logged: (line: FunctionLog) => void
  /** Joins the processes, whichever of them deploys; this one is alone where nothing is given. */
  readonly topic?: OpenTopic
  /** Is told when another version of a function answers. */
  readonly live?: LiveNotices
  readonly now: () => Date
  readonly newId: () => string
  readonly log: { info(details: object, message: string): void; error(details: object, message: string): void }
}

/** Functions, each in processes of its own. */
export interface Functions {
  readonly plugin: FastifyPluginAsync
  readonly registry: Pick<Registry, 'find' | 'list'>
  /** What operators do with functions; null where nothing is kept, or nothing can run. */
  readonly management: Management | null
  /** The largest deployment. */
  readonly uploadLimits: UploadLimits
  /** Processes that run. */
  running(): number
  /** To be called when secrets of the settings are others: functions have them from their next start on. */
  secretsChanged(): void
  close(): Promise<void>
}

const mib = 1024 * 1024
const deploymentsWaiting = 100

/** Opens the service; no function is started before it is called. */
export async function createFunctions(input: FunctionsDeps): Promise<Functions> {
  const mask = createMask()
  const deps = { ...input, logged: (line: FunctionLog) => input.logged({ ...line, text: mask.hide(line.text) }) }
  const installation = await installDeno(deps.folders)
  if (installation === null) return withoutRuntime(deps)
  const inspect = await inspectOf(deps.settings)
  const pool = openPool(deps, installation, inspect)
  const inspector = inspect && (await openInspector(inspect.port, pool.debugged))
  const { registry, management } = await openProject(deps, installation, pool, mask.know)
  const { settings, traces, callers, log } = deps
  return {
    plugin: functionsPlugin({
      registry,
      pool,
      traces,
      callers,
      headMs: settings.headSeconds * 1000,
      responseBytes: settings.responseBytes,
      isLocal: deps.watches,
      log,
    }),
    registry,
    management,
    uploadLimits: uploadLimitsOf(settings),
    running: pool.running,
    secretsChanged: registry.refreshEnvironments,
    async close() {
      await registry.close()
      await inspector?.close()
      await pool.close()
    },
  }
}

const uploadLimitsOf = ({ bundleMib, bundleFiles }: FunctionsSettings): UploadLimits => ({
  maxBytes: bundleMib * mib,
  maxFiles: bundleFiles,
})

/** Another program, or another process of this instance, may have the port. */
const inspectOf = async ({ inspect: mode, inspectorPort }: FunctionsSettings): Promise<Inspect | null> =>
  mode === 'off' ? null : { mode, port: await findFreePort(inspectorPort) }

function openPool(
  { settings, folders, environment, deniedHosts, ipv6, traces, now, newId, logged }: FunctionsDeps,
  installation: DenoInstallation,
  inspect: Inspect | null,
): Pool {
  const { memoryMib, cpuMs, wallSeconds, bootSeconds, logLineChars, logLines } = settings
  return createPool({
    host: {
      ...installation,
      runFolder: join(folders.run, workersFolder),
      deniedHosts,
      ipv6,
      inspect,
      origin: new URL(environment().apiUrl).origin,
      limits: {
        memoryMib,
        cpuMs,
        wallMs: wallSeconds * 1000,
        bootMs: bootSeconds * 1000,
        lineChars: logLineChars,
        lines: logLines,
      },
      newId,
      now,
      requestOf: traces.requestOf,
      log: logged,
    },
    limits: {
      workers: settings.workers,
      sharesProcesses: settings.policy === 'per_worker',
      concurrentCalls: settings.concurrentCalls,
      queueMs: settings.queueSeconds * 1000,
      idleMs: settings.idleSeconds * 1000,
    },
  })
}

/** What another process has changed: the version of a function, or, for null, the secrets. */
interface Changed {
  readonly function: string | null
}

/** Joins the project folder, the kept versions and the secrets. */
async function openProject(
  deps: FunctionsDeps,
  installation: DenoInstallation,
  pool: Pool,
  secretsRead: (values: Variables) => void,
): Promise<{ readonly registry: Registry; readonly management: Management | null }> {
  const { settings, project, folders, environment, watches, log, sql, roots, now, newId } = deps
  const version = {
    project,
    folder: join(folders.run, versionsFolder),
    tool: { ...installation, timeoutMs: settings.installSeconds * 1000, remoteModules: settings.remoteModules },
    maxBytes: settings.bundleMib * mib,
  }
  const others = (deps.topic ?? noOthers)<Changed>('functions.changed')
  const { live = unwatched } = deps
  const tellOthers = (name: string): void => {
    others.tell({ function: name })
    live.announce('functions')
  }
  const kept =
    sql === undefined
      ? null
      : await openKeptVersions({ sql, kept: settings.keptVersions, now, newId, changed: tellOthers })
  // A secret that changes is asked of the registry, which is opened after the secrets.
  let changed = (): void => undefined
  const secrets =
    sql === undefined
      ? null
      : await openFunctionSecrets({
          ...{ sql, roots, settings, now, log },
          changed: () => changed(),
          tellOthers: () => others.tell({ function: null }),
        })
  const registry = openRegistry({
    ...version,
    settings,
    kept,
    secrets: () => secrets?.values() ?? {},
    secretsRead,
    environment: (name, hash) => variablesOf(environment(), name, hash),
    watches,
    replace: pool.replace,
    logged: deps.logged,
    now,
    log,
  })
  changed = registry.refreshEnvironments
  if (kept === null || secrets === null) return { registry, management: null }
  const limiter = createLimiter({
    concurrency: settings.deployments,
    queue: deploymentsWaiting,
    refuse: () => manageError('CLEW_FUNCTIONS_BUSY'),
  })
  const follow = async (name: string | null): Promise<void> => {
    if (name === null) await secrets.refresh()
    else if (await registry.follow(name)) pool.retire(name)
  }
  others.hear((change) => {
    follow(change.function).catch((error: unknown) =>
      log.error({ err: error, ...change }, 'A change of another process could not be followed'),
    )
  })
  const memoryLimitBytes = settings.memoryMib * mib
  const management = createManagement({ registry, kept, secrets, version, limiter, pool, memoryLimitBytes })
  return { registry, management }
}

/** The variables that say where the instance is (functions §5). */
function variablesOf(
  environment: FunctionEnvironment,
  name: string,
  version: string,
): Readonly<Record<string, string>> {
  const { apiUrl, anonKey, serviceRoleKey, publishableKey, secretKey, jwks, dbUrl, project } = environment
  return {
    SUPABASE_URL: apiUrl,
    SUPABASE_ANON_KEY: anonKey,
    SUPABASE_SERVICE_ROLE_KEY: serviceRoleKey,
    SUPABASE_PUBLISHABLE_KEYS: JSON.stringify({ default: publishableKey }),
    SUPABASE_SECRET_KEYS: JSON.stringify({ default: secretKey }),
    SUPABASE_JWKS: jwks,
    ...(dbUrl === null ? {} : { SUPABASE_DB_URL: dbUrl }),
    SB_REGION: 'local',
    DENO_DEPLOYMENT_ID: `${project}_${name}_${version}`,
  }
}

/** Where Deno has no binary: every call says so. */
const withoutRuntime = ({ settings }: FunctionsDeps): Functions => ({
  plugin: async (app) => {
    app.all('/*', async (_request, reply) => {
      const { status, code, message } = functionsError('NO_RUNTIME')
      return reply
        .code(status)
        .headers({ 'x-relay-error': 'true', 'access-control-allow-origin': '*' })
        .send({ code, message })
    })
  },
  registry: { find: async () => null, list: async () => [] },
  management: null,
  uploadLimits: uploadLimitsOf(settings),
  running: () => 0,
  secretsChanged: () => undefined,
  close: async () => undefined,
})
