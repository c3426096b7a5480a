import { mkdir } from 'node:fs/promises'
import { instanceError } from '../../errors.ts'
import { ServiceError } from '../../ground/errors/service-error.ts'
import { apiKeyId, opaqueKeyNames } from '../../ground/jwt/api-keys.ts'
import { type SigningAlgorithm, signingAlgorithms } from '../../ground/jwt/keys.ts'
import type { MadeSecretName } from '../../ground/jwt/rotation.ts'
import { askReloadKeys } from '../../instance/control.ts'
import { directoryOf } from '../../instance/directory.ts'
import { configuredKeys, loadKeys } from '../../instance/keys.ts'
import { pinnedKey, pinnedSecret } from '../../instance/rotation.ts'
import {
  revokeApiKey,
  rotateApiKey,
  rotateDatabasePassword,
  rotateIngestToken,
  rotateKeys,
  rotateSecret,
} from '../../instance/secrets/rotate.ts'
import { rotateRoot } from '../../instance/secrets/rotate-root.ts'
import { keptRootKeys } from '../../plan/backups/root-keys.ts'
import { planS3AccessKeys } from '../../plan/storage.ts'
import { webhookSecretOf } from '../../services/net/index.ts'
import { localS3AccessKey } from '../../services/storage/index.ts'
import type { DirectoryOptions } from '../options.ts'
import { print, printTable } from '../print.ts'
import { settingsOf } from '../settings-of.ts'
import { askRetirement, askRootKeys } from './ask-root-keys.ts'

/** Prints the keys of a data directory, and creates them when there are none. */
export async function keys(options: DirectoryOptions & { json?: boolean; production?: boolean }): Promise<number> {
  const { json = false, ...rest } = options
  const settings = await settingsOf(rest)
  const { data, production } = settings.instance
  await mkdir(data, { recursive: true })
  const { api, ingestToken, earlierIngestTokens, roots } = await loadKeys(
    data,
    production,
    () => new Date(),
    configuredKeys(settings),
  )
  const { jwtSecret, anonKey, serviceRoleKey, publishableKey, secretKey } = api
  const [root = ''] = roots.map(({ secret }) => secret)
  const webhookSecret = settings.net.webhookSecret ?? webhookSecretOf(root)
  const s3Keys = planS3AccessKeys({ production }, { roots: () => roots })
  const [s3Key = localS3AccessKey] = s3Keys()
  const { accessKeyId: s3AccessKeyId, secretAccessKey: s3SecretAccessKey } = s3Key
  const apiKeys = { publishableKey, secretKey, anonKey, serviceRoleKey, jwtSecret, ingestToken }
  const all = { ...apiKeys, webhookSecret, s3AccessKeyId, s3SecretAccessKey }
  const earlier = api.earlierKeys.map(({ name, key, replacedAt }) => ({ id: apiKeyId(key), name, key, replacedAt }))
  if (json) print(JSON.stringify({ ...all, ...(earlier.length > 0 && { earlierKeys: earlier }) }, null, 2))
  else
    printTable([
      ...Object.entries(all),
      ...earlier.map(({ id, name, key, replacedAt }): [string, string] => [
        `earlier ${name} key ${id}`,
        `${key}, replaced ${replacedAt.toISOString()}`,
      ]),
      ...earlierIngestTokens.map(({ token, replacedAt }): [string, string] => [
        `earlier ingest token ${apiKeyId(token)}`,
        `${token}, replaced ${replacedAt.toISOString()}`,
      ]),
    ])
  return 0
}

interface RotateOptions extends DirectoryOptions {
  readonly alg?: string
  readonly json?: boolean
  readonly secret?: boolean
  readonly api?: string
  readonly ingest?: boolean
  readonly database?: boolean
  readonly root?: boolean
}

/** Creates a new key or secret, and hands it to a running instance. Those before it stay good. */
export async function rotate({
  secret = false,
  ingest = false,
  database = false,
  root = false,
  api,
  ...options
}: RotateOptions): Promise<number> {
  if (root) return rotateRootKey(options)
  if (ingest) return rotateMade('ingest token', options)
  if (database) return rotateMade('database password', options)
  if (api !== undefined) return rotateKeyOfApi(api, options)
  return secret ? rotateJwtSecret(options) : rotateSigningKey(options)
}

async function rotateRootKey({ json = false, alg: _, ...rest }: RotateOptions): Promise<number> {
  const settings = await settingsOf({ ...rest })
  const { data, production } = settings.instance
  const { control } = directoryOf(data)
  let isTakenOver = false
  const made = await rotateRoot({
    ...{ dataDir: data, production, now: () => new Date(), keep: keptRootKeys(settings) },
    tell: async () => {
      isTakenOver = await reloadKeys(control, null)
    },
  })
  if (isTakenOver) await reloadKeys(control, 'root key')
  if (json) print(JSON.stringify({ ...made, takenOver: isTakenOver }, null, 2))
  else
    printTable([
      [isTakenOver ? 'counts from now on' : 'counts from the next start on', `root key ${made.id}`],
      ['opens and verifies until it is retired', `the one before it: clew keys retire ${made.replacedId}`],
      ['kept in', made.file],
    ])
  return 0
}

/** Prints the root keys of a running instance, and what is kept under each. */
export async function roots({ json = false, ...rest }: DirectoryOptions & { json?: boolean }): Promise<number> {
  const { instance } = await settingsOf(rest)
  const answer = await askRootKeys(instance.data)
  if (json) print(JSON.stringify(answer, null, 2))
  else
    printTable([
      ...answer.rootKeys.flatMap(({ id, isCurrent, replacedAt, contents }): [string, string][] => [
        [`root key ${id}`, isCurrent ? 'current' : replacedAt === null ? 'next' : `replaced ${replacedAt}`],
        ...contents.map(({ name, count, moves }): [string, string] => [
          `  ${name}`,
          isCurrent ? `${count}` : `${count}, ${moves ? 'being moved' : 'moved when they are used'}`,
        ]),
      ]),
      ...answer.lost.map(({ name, count }): [string, string] => [
        `lost: ${name}`,
        `${count}, whose root key is not in keys.json`,
      ]),
    ])
  return 0
}

/** Has a running instance forget an earlier root key. */
export async function retire(
  id: string,
  { json = false, end = false, ...rest }: DirectoryOptions & { json?: boolean; end?: boolean },
): Promise<number> {
  const { instance } = await settingsOf(rest)
  await askRetirement(instance.data, id, end)
  if (json) print(JSON.stringify({ retired: id }, null, 2))
  else printTable([['retired', `root key ${id}`]])
  return 0
}

async function rotateMade(name: MadeSecretName, { json = false, alg: _, ...rest }: RotateOptions): Promise<number> {
  const { instance } = await settingsOf({ ...rest })
  const pinned = pinnedSecret(instance, name)
  if (pinned !== null)
    throw instanceError('CLEW_START_SETTING', {
      message: instance.production ? pinned : `${pinned} Give --production.`,
    })
  await mkdir(instance.data, { recursive: true })
  const now = (): Date => new Date()
  const token = name === 'ingest token' ? await rotateIngestToken(instance.data, now) : null
  const made = token ?? (await rotateDatabasePassword(instance.data, now))
  const isTakenOver = await reloadKeys(directoryOf(instance.data).control, name)
  if (json) print(JSON.stringify({ ...made, takenOver: isTakenOver }, null, 2))
  else
    printTable([
      [`a new ${name}`, isTakenOver ? 'counts from now on' : 'counts from the next start on'],
      ...(token === null
        ? []
        : ([
            ['the token', token.token],
            ['accepted until it is revoked', `the one before it: clew keys revoke ${token.replacedId}`],
          ] as const)),
      ['kept in', made.file],
    ])
  return 0
}

async function rotateKeyOfApi(text: string, { json = false, alg: _, ...rest }: RotateOptions): Promise<number> {
  const refuse = (message: string) => instanceError('CLEW_START_SETTING', { message })
  const name = opaqueKeyNames.find((each) => each === text)
  if (name === undefined) throw refuse(`--api is "${text}"; allowed: ${opaqueKeyNames.join(', ')}`)
  const { instance } = await settingsOf({ ...rest })
  const pinned = pinnedKey(instance, name)
  if (pinned !== null) throw refuse(instance.production ? pinned : `${pinned} Give --production.`)
  await mkdir(instance.data, { recursive: true })
  const { key, replacedId, file } = await rotateApiKey(instance.data, name, () => new Date())
  const isTakenOver = await reloadKeys(directoryOf(instance.data).control, `${name} key`)
  if (json) print(JSON.stringify({ key, replacedId, file, takenOver: isTakenOver }, null, 2))
  else
    printTable([
      [isTakenOver ? 'counts from now on' : 'counts from the next start on', key],
      ['accepted until it is revoked', `the one before it: clew keys revoke ${replacedId}`],
      ['kept in', file],
    ])
  return 0
}

/** Has an earlier key of the API refused, at once where an instance runs. */
export async function revoke(
  id: string,
  { json = false, ...rest }: DirectoryOptions & { json?: boolean },
): Promise<number> {
  const { instance } = await settingsOf(rest)
  if (!(await revokeApiKey(instance.data, id)))
    throw instanceError('CLEW_START_KEYS', { message: `No earlier key or token has the id "${id}".` })
  const isTakenOver = await reloadKeys(directoryOf(instance.data).control, `key ${id}, revoked`)
  if (json) print(JSON.stringify({ revoked: id, takenOver: isTakenOver }, null, 2))
  else printTable([[isTakenOver ? 'refused from now on' : 'refused from the next start on', id]])
  return 0
}

async function rotateSigningKey({ alg = 'ES256', json = false, ...rest }: RotateOptions): Promise<number> {
  if (!isSigningAlgorithm(alg))
    throw instanceError('CLEW_START_SETTING', {
      message: `--alg is "${alg}"; allowed: ${signingAlgorithms.join(', ')}`,
    })
  const { instance, auth } = await settingsOf(rest)
  await mkdir(instance.data, { recursive: true })
  const { kid, retired, file } = await rotateKeys(instance.data, alg, () => new Date(), auth.signingKeysPath)
  const isTakenOver = await reloadKeys(directoryOf(instance.data).control, 'key of tokens')
  if (json) print(JSON.stringify({ kid, alg, retired, file, takenOver: isTakenOver }, null, 2))
  else
    printTable([
      [isTakenOver ? 'signs from now on' : 'signs from the next start on', `${kid} (${alg})`],
      ['only verify', `${retired} key${retired === 1 ? '' : 's'}`],
      ['kept in', file],
    ])
  return 0
}

async function rotateJwtSecret({ json = false, alg: _, ...rest }: RotateOptions): Promise<number> {
  const { instance } = await settingsOf({ ...rest })
  const { data, production, jwtSecret } = instance
  const refuse = (message: string) => instanceError('CLEW_START_SETTING', { message })
  if (!production) throw refuse('The JWT secret of local mode is the published one; give --production.')
  if (jwtSecret !== null)
    throw refuse('jwt_secret is set: change it there, and name the one before in earlier_jwt_secrets.')
  await mkdir(data, { recursive: true })
  const { retired, file } = await rotateSecret(data, () => new Date())
  const isTakenOver = await reloadKeys(directoryOf(data).control, 'JWT secret')
  if (json) print(JSON.stringify({ retired, file, takenOver: isTakenOver }, null, 2))
  else
    printTable([
      ['a new secret', isTakenOver ? 'counts from now on' : 'counts from the next start on'],
      ['only verify', `${retired} secret${retired === 1 ? '' : 's'}`],
      ['kept in', file],
    ])
  return 0
}

/** Makes a running instance reload its keys, and log what was made anew. @returns false when none runs */
async function reloadKeys(socketPath: string, rotated: string | null): Promise<boolean> {
  try {
    await askReloadKeys(socketPath, rotated)
    return true
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'CLEW_NOT_RUNNING') return false
    throw error
  }
}

const isSigningAlgorithm = (text: string): text is SigningAlgorithm => signingAlgorithms.some((name) => name === text)
