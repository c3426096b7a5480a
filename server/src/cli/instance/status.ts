import { isReady } from '../../ground/model/health.ts'
import { askStatus } from '../../instance/control.ts'
import { directoryOf } from '../../instance/directory.ts'
import type { DirectoryOptions } from '../options.ts'
import { green, print, printTable, red } from '../print.ts'
import { settingsOf } from '../settings-of.ts'

/** Prints the addresses and keys of the running instance, and each engine's health. Exit code 1 when an engine is not ready. */
export async function status({ json = false, ...options }: DirectoryOptions & { json?: boolean }): Promise<number> {
  const { instance } = await settingsOf({ ...options })
  const found = await askStatus(directoryOf(instance.data).control)
  const { engines, ...facts } = found
  if (json) {
    print(JSON.stringify(found, null, 2))
  } else {
    printTable(Object.entries(facts).map(([name, value]) => [name, String(value ?? '–')] as const))
    print()
    printTable(
      engines.map(
        ({ name, state, detail }) => [name, `${state === 'up' ? green(state) : red(state)}  ${detail}`] as const,
      ),
    )
  }
  return engines.every(isReady) ? 0 : 1
}
