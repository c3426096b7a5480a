import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { randomToken } from '../ground/ids/tokens.ts'
import {
  type ApiKeySecrets,
  type ApiKeys,
  createApiKeySecrets,
  localApiKeys,
  productionApiKeys,
} from '../ground/jwt/api-keys.ts'
import { createEs256Key, createKeySet, type Jwk, type KeySet } from '../ground/jwt/keys.ts'

/** Everything secret that an instance is made with. */
export interface InstanceKeys {
  readonly api: ApiKeys
  readonly tokens: KeySet
  /** What posthog-js is initialised with, `phc_…`; public. */
  readonly ingestToken: string
  /** The embedded database's password for `postgres`. */
  readonly databasePassword: string
}

/** The ingest token of local mode: public like its other keys, so that an example can carry it. */
export const localIngestToken = 'phc_clewLocalDevelopmentOnly'

interface KeyFile {
  readonly signingKey: Jwk
  readonly ingestToken: string
  readonly production: (Omit<ApiKeySecrets, 'createdAt'> & { readonly createdAt: string }) | null
  readonly databasePassword: string
}

/**
 * The keys of a data directory, made on its first start and kept in `keys.json`, readable by its owner only. Local mode
 * has the development keys that everybody knows; production makes its own and never accepts those.
 */
export async function loadKeys(dataDir: string, production: boolean, now: () => Date): Promise<InstanceKeys> {
  const path = join(dataDir, 'keys.json')
  const found = await read(path)
  const file = found ?? (await create(path, null, now))
  const complete = production && file.production === null ? await create(path, file, now) : file
  const secrets = complete.production
  const api =
    production && secrets !== null
      ? productionApiKeys({ ...secrets, createdAt: new Date(secrets.createdAt) })
      : localApiKeys()
  return {
    api,
    tokens: createKeySet({ signingKeys: [complete.signingKey], secret: api.jwtSecret }),
    ingestToken: production ? complete.ingestToken : localIngestToken,
    databasePassword: production ? complete.databasePassword : 'postgres',
  }
}

async function read(path: string): Promise<KeyFile | null> {
  const text = await readFile(path, 'utf8').catch((error: { code?: unknown }) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  // Written by `create` below, into a file that only its owner may read or write.
  return text === null ? null : (JSON.parse(text) as KeyFile)
}

async function create(path: string, before: KeyFile | null, now: () => Date): Promise<KeyFile> {
  const { createdAt, ...secrets } = createApiKeySecrets(now)
  const file: KeyFile = {
    signingKey: before?.signingKey ?? createEs256Key(),
    ingestToken: before?.ingestToken ?? `phc_${randomToken(32).replaceAll(/[-_]/g, 'x')}`,
    databasePassword: before?.databasePassword ?? randomToken(18),
    production: before === null ? null : { ...secrets, createdAt: createdAt.toISOString() },
  }
  // On the disk before it is renamed into place: neither a kill nor a power cut leaves half of a key.
  await writeFile(`${path}.new`, `${JSON.stringify(file, null, 2)}\n`, { mode: 0o600, flush: true })
  await rename(`${path}.new`, path)
  return file
}
