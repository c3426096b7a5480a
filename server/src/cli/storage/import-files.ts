import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { instanceError } from '../../errors.ts'
import { messageOf } from '../../ground/errors/message.ts'
import {
  type FileMove,
  type FileSource,
  openExportSource,
  openFolderSource,
  openS3Source,
  openStorageApi,
} from '../../transfer/index.ts'
import type { Target } from '../target.ts'
import { openOwn } from './connect.ts'
import type { StorageSourceOptions } from './options.ts'

const wrong = (message: string) => instanceError('CLEW_START_SETTING', { message })

/** Waits before further attempts of a file: a proxy that starts, a limit of calls. */
const retryDelaysMs = [1000, 5000]

/**
 * Where the files of an import come from and go to; null where no source of them is named.
 *
 * @throws CLEW_START_SETTING, CLEW_NOT_RUNNING
 */
export async function planFiles(options: StorageSourceOptions, target: Target): Promise<FileMove | null> {
  const jobs = Number(options.jobs)
  if (!Number.isInteger(jobs) || jobs < 1 || jobs > 64) throw wrong(`--jobs is "${options.jobs}"; allowed: 1 to 64`)
  const source = await openSource(options)
  if (source === null) return null
  await source.check().catch((cause: unknown) => {
    throw instanceError('CLEW_STORAGE_REFUSED', { message: `The files cannot be read: ${messageOf(cause)}`, cause })
  })
  const { toUrl, toKey } = options
  if (!target.isInstance && (toUrl === undefined || toKey === undefined))
    throw wrong('--to-url and --to-key are missing: the storage service of --to.')
  const api =
    toUrl === undefined || toKey === undefined
      ? await openOwn(target.settings)
      : openStorageApi({ url: addressOf('--to-url', toUrl), key: toKey })
  return { source, target: api, jobs, retryDelaysMs }
}

async function openSource(options: StorageSourceOptions): Promise<FileSource | null> {
  const {
    fromFile,
    storageUrl,
    serviceKey,
    s3Endpoint,
    s3Region = '',
    s3AccessKeyId,
    s3SecretAccessKey,
    files,
  } = options
  if ([storageUrl, s3Endpoint, files].filter((each) => each !== undefined).length > 1)
    throw wrong('Give one of --storage-url, --s3-endpoint and --files.')
  if (storageUrl !== undefined) {
    if (serviceKey === undefined) throw wrong('--service-key is missing: the service key of --storage-url.')
    const api = openStorageApi({ url: addressOf('--storage-url', storageUrl), key: serviceKey })
    return { download: api.download, check: api.buckets, close: api.close }
  }
  if (s3Endpoint !== undefined) {
    if (s3AccessKeyId === undefined || s3SecretAccessKey === undefined)
      throw wrong('--s3-access-key-id and --s3-secret-access-key are missing: those of --s3-endpoint.')
    return openS3Source({
      endpoint: addressOf('--s3-endpoint', s3Endpoint),
      region: s3Region,
      accessKeyId: s3AccessKeyId,
      secretAccessKey: s3SecretAccessKey,
    })
  }
  if (files !== undefined) return openFolderSource(resolve(files))
  const folder = fromFile === undefined ? null : dirname(resolve(fromFile))
  return folder !== null && existsSync(join(folder, 'storage.ndjson')) ? openExportSource(folder) : null
}

function addressOf(option: string, text: string): string {
  if (!URL.canParse(text)) throw wrong(`${option} is "${text}"; allowed: an address`)
  return text
}
