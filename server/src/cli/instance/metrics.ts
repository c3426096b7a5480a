import { askMetrics } from '../../instance/control.ts'
import { directoryOf } from '../../instance/directory.ts'
import type { DirectoryOptions } from '../options.ts'
import { print } from '../print.ts'
import { settingsOf } from '../settings-of.ts'

/** Prints the running instance's numbers in Prometheus' text format. */
export async function metrics(options: DirectoryOptions): Promise<number> {
  const { instance } = await settingsOf({ ...options })
  print((await askMetrics(directoryOf(instance.data).control)).trimEnd())
  return 0
}
