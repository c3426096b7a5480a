import { networkInterfaces } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { createOpaqueKeyFinder } from '../../ground/jwt/api-keys.ts'
import type { TrustedIssuers } from '../../ground/jwt/verify.ts'
import { createTokenVerifier } from '../../ground/jwt/verify.ts'
import { withValues } from '../../ground/settings/live.ts'
import { deniedHosts, type FunctionsDeps } from '../../services/functions/index.ts'
import type { Settings } from '../../settings/index.ts'
import type { Addresses } from '../addresses.ts'
import { projectName } from '../facts.ts'
import type { ComposeInput } from '../instance.ts'

/** What functions take of the instance. */
export function planFunctions(
  { settings, folders, keys }: Pick<ComposeInput, 'settings' | 'folders' | 'keys'>,
  addresses: Addresses,
  {
    dbUrl,
    issuers,
    now,
  }: { readonly dbUrl: () => string | null; readonly issuers: TrustedIssuers | null; readonly now: () => Date },
): Pick<
  FunctionsDeps,
  'settings' | 'project' | 'folders' | 'environment' | 'deniedHosts' | 'ipv6' | 'watches' | 'callers' | 'roots'
> {
  const { instance, functions } = settings
  const { api, tokens, roots } = keys
  const verifyToken = createTokenVerifier({
    keys: tokens,
    now,
    cacheSize: instance.tokenCacheEntries,
    clockSkewSeconds: 0,
    ...(issuers === null ? {} : { issuers }),
  })
  const roleOfKey = createOpaqueKeyFinder(api)
  return {
    settings: instance.production ? withValues(functions, { inspect: 'off' as const }) : withTimeToDebug(functions),
    // Without a project folder there are no functions.
    project: instance.project ?? folders.data,
    folders: { run: join(runFolder(folders.run), 'functions'), cache: join(folders.data, 'deno') },
    environment: () => ({
      apiUrl: addresses.apiUrl,
      anonKey: api.anonKey,
      serviceRoleKey: api.serviceRoleKey,
      publishableKey: api.publishableKey,
      secretKey: api.secretKey,
      jwks: JSON.stringify(tokens.jwks),
      dbUrl: dbUrl(),
      project: projectName(instance),
    }),
    deniedHosts: deniedAddresses(settings, addresses),
    ipv6: instance.production && !functions.ipv6 ? functions.allowedHosts.filter((host) => host.includes(':')) : 'all',
    watches: !instance.production,
    callers: {
      verify: (token) => verifyToken(token).kind === 'claims',
      tokenOfKey: (key) => {
        const role = roleOfKey(key)
        return role && { anon: api.anonKey, service_role: api.serviceRoleKey }[role]
      },
    },
    roots,
  }
}

const daySeconds = 86_400

/** A function that halts in a debugger reaches none of its limits. */
const withTimeToDebug = (functions: Settings['functions']): Settings['functions'] =>
  functions.inspect === 'off'
    ? functions
    : withValues(functions, {
        cpuMs: 0,
        bootSeconds: daySeconds,
        headSeconds: daySeconds,
        wallSeconds: 2 * daySeconds,
        idleSeconds: daySeconds,
        memoryMib: Math.max(functions.memoryMib, 2048),
      })

/** Deno gives its programs no rights below `/dev`, where some machines keep their temporary files. */
const runFolder = (run: string): string =>
  run.startsWith('/dev/') ? join('/tmp', basename(dirname(run)), basename(run)) : run

/** A local instance's functions reach its machine, but not the console; in production no private address. */
function deniedAddresses({ instance, functions }: Settings, { console }: Addresses): readonly string[] {
  const loopback = instance.production ? [] : ['127.0.0.0/8', '::1']
  const own = Object.values(networkInterfaces()).flatMap((found) => found?.map(({ address }) => address) ?? [])
  return deniedHosts([...loopback, ...functions.allowedHosts], instance.production ? own : [], [console.port])
}
