import { instanceError } from '../../errors.ts'
import { askStatus } from '../../instance/control.ts'
import { directoryOf } from '../../instance/directory.ts'
import type { Settings } from '../../settings/index.ts'
import { openStorageApi, type StorageApi, StorageRefusal } from '../../transfer/index.ts'
import { settingsOf } from '../settings-of.ts'
import type { StorageOptions } from './options.ts'

/**
 * Opens the storage service of the running instance or of `--url`, and closes it after `body`.
 *
 * @throws CLEW_NOT_RUNNING, CLEW_START_SETTING, CLEW_STORAGE_REFUSED for what the service refuses and `body` does not expect
 */
export async function withStorage<T>(
  { url, key, linked = false, project, data }: StorageOptions,
  body: (api: StorageApi, settings: Settings) => Promise<T>,
): Promise<T> {
  const settings = await settingsOf({ project, data })
  if (url === undefined && linked)
    throw instanceError('CLEW_START_SETTING', {
      message: 'No project is linked here: name it with --url, and its service key with --key.',
    })
  if (url !== undefined && (!URL.canParse(url) || key === undefined))
    throw instanceError('CLEW_START_SETTING', {
      message: URL.canParse(url)
        ? '--key is missing: the service key of --url.'
        : `--url is "${url}"; allowed: an address`,
    })
  const api = url === undefined ? await openOwn(settings) : openStorageApi({ url, key: key ?? '' })
  try {
    return await body(api, settings)
  } catch (error) {
    if (!(error instanceof StorageRefusal)) throw error
    throw instanceError('CLEW_STORAGE_REFUSED', { message: error.message, cause: error })
  } finally {
    api.close()
  }
}

/** The storage service of the running instance. @throws CLEW_NOT_RUNNING */
export async function openOwn({ instance }: Settings): Promise<StorageApi> {
  const { listenUrl, serviceRoleKey } = await askStatus(directoryOf(instance.data).control)
  return openStorageApi({ url: listenUrl, key: serviceRoleKey, isOwn: true })
}
