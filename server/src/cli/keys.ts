import { mkdir } from 'node:fs/promises'
import { loadKeys } from '../instance/keys.ts'
import { type PlaceOptions, settingsOf } from './options.ts'
import { print, printTable } from './print.ts'

/** Prints the keys of a data directory, making them when there are none yet. */
export async function keys(options: PlaceOptions & { json?: boolean; production?: boolean }): Promise<number> {
  const { json = false, ...rest } = options
  const { instance } = settingsOf(rest)
  await mkdir(instance.data, { recursive: true })
  const { api, ingestToken } = await loadKeys(instance.data, instance.production, () => new Date())
  const { jwtSecret, anonKey, serviceRoleKey, publishableKey, secretKey } = api
  const all = { publishableKey, secretKey, anonKey, serviceRoleKey, jwtSecret, ingestToken }
  if (json) print(JSON.stringify(all, null, 2))
  else printTable(Object.entries(all))
  return 0
}
