import { askStop } from '../../instance/control.ts'
import { directoryOf } from '../../instance/directory.ts'
import { findHolder } from '../../instance/lock.ts'
import type { DirectoryOptions } from '../options.ts'
import { print } from '../print.ts'
import { settingsOf } from '../settings-of.ts'

const limitMs = 30_000
const stepMs = 50

/** Stops the running instance, and waits until its process has released the data directory. */
export async function stop(options: DirectoryOptions): Promise<number> {
  const { instance } = await settingsOf({ ...options })
  const directory = directoryOf(instance.data)
  const pid = await findHolder(directory.data)
  await askStop(directory.control)
  for (let waitedMs = 0; waitedMs < limitMs; waitedMs += stepMs) {
    if ((await findHolder(directory.data)) === null) {
      print(`Stopped process ${pid ?? ''}.`)
      return 0
    }
    await new Promise((resolve) => setTimeout(resolve, stepMs))
  }
  print(`Process ${pid ?? ''} was told to stop but still runs after ${limitMs / 1000} s.`)
  return 1
}
