import { mkdir } from 'node:fs/promises'
import { instanceError } from '../../errors.ts'
import { ServiceError } from '../../ground/errors/service-error.ts'
import { type SigningAlgorithm, signingAlgorithms } from '../../ground/jwt/keys.ts'
import { askReloadKeys } from '../../instance/control.ts'
import { directoryOf } from '../../instance/directory.ts'
import { configuredKeys, loadKeys, rotateKeys, rotateSecret } from '../../instance/keys.ts'
import { planS3AccessKey } from '../../plan/storage.ts'
import { webhookSecretOf } from '../../services/net/index.ts'
import type { DirectoryOptions } from '../options.ts'
import { print, printTable } from '../print.ts'
import { settingsOf } from '../settings-of.ts'

/** Prints the keys of a data directory, and creates them when there are none. */
export async function keys(options: DirectoryOptions & { json?: boolean; production?: boolean }): Promise<number> {
  const { json = false, ...rest } = options
  const settings = await settingsOf(rest)
  const { data, production } = settings.instance
  await mkdir(data, { recursive: true })
  const { api, ingestToken, pepper } = await loadKeys(data, production, () => new Date(), configuredKeys(settings))
  const { jwtSecret, anonKey, serviceRoleKey, publishableKey, secretKey } = api
  const webhookSecret = settings.net.webhookSecret ?? webhookSecretOf(pepper)
  const { accessKeyId: s3AccessKeyId, secretAccessKey: s3SecretAccessKey } = planS3AccessKey({ production }, { pepper })
  const apiKeys = { publishableKey, secretKey, anonKey, serviceRoleKey, jwtSecret, ingestToken }
  const all = { ...apiKeys, webhookSecret, s3AccessKeyId, s3SecretAccessKey }
  if (json) print(JSON.stringify(all, null, 2))
  else printTable(Object.entries(all))
  return 0
}

interface RotateOptions extends DirectoryOptions {
  readonly alg?: string
  readonly json?: boolean
  readonly secret?: boolean
}

/** Creates a new signing key, or a new JWT secret, and hands it to a running instance. Earlier keys still verify. */
export async function rotate({ secret = false, ...options }: RotateOptions): Promise<number> {
  return secret ? rotateJwtSecret(options) : rotateSigningKey(options)
}

async function rotateSigningKey({ alg = 'ES256', json = false, ...rest }: RotateOptions): Promise<number> {
  if (!isSigningAlgorithm(alg))
    throw instanceError('CLEW_START_SETTING', {
      message: `--alg is "${alg}"; allowed: ${signingAlgorithms.join(', ')}`,
    })
  const { instance, auth } = await settingsOf(rest)
  await mkdir(instance.data, { recursive: true })
  const { kid, retired, file } = await rotateKeys(instance.data, alg, () => new Date(), auth.signingKeysPath)
  const isTakenOver = await reloadKeys(directoryOf(instance.data).control)
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
  const isTakenOver = await reloadKeys(directoryOf(data).control)
  if (json) print(JSON.stringify({ retired, file, takenOver: isTakenOver }, null, 2))
  else
    printTable([
      ['a new secret', isTakenOver ? 'counts from now on' : 'counts from the next start on'],
      ['only verify', `${retired} secret${retired === 1 ? '' : 's'}`],
      ['kept in', file],
    ])
  return 0
}

/** Makes a running instance reload its keys. @returns false when none runs */
async function reloadKeys(socketPath: string): Promise<boolean> {
  try {
    await askReloadKeys(socketPath)
    return true
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'CLEW_NOT_RUNNING') return false
    throw error
  }
}

const isSigningAlgorithm = (text: string): text is SigningAlgorithm => signingAlgorithms.some((name) => name === text)
