import type { Instance } from '../../instance/index.ts'
import { green, print } from '../print.ts'

/** Loads the sample after the start, which neither waits for it nor fails with it. */
export async function loadSample(load: Instance['loadSample']): Promise<void> {
  const startedAt = performance.now()
  try {
    const loaded = await load()
    if (loaded === null) return
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
    print(`  ${green('✓')} ${loaded.sessions} sessions of yesterday loaded from the sample ${seconds} s`)
  } catch (error) {
    process.stderr.write(`The sample is loaded at the next start: ${String(error)}\n`)
  }
}
