import cluster from 'node:cluster'
import { startInstance } from '../../instance/index.ts'
import { type FromWorker, sendError, type ToWorker } from '../../instance/workers/messages.ts'
import type { WorkerPlace } from '../../plan/instance.ts'
import { faint, green, printOver, printTransient } from '../print.ts'
import { checkSettings, readSettingsOf } from '../settings-of.ts'
import { loadSample } from './load-sample.ts'

/**
 * Runs this process as one of an instance's workers: its parent prints what the start came to, and says when to stop.
 * A worker whose parent is gone ends at once (`node:cluster`).
 */
export async function runWorker(options: Readonly<Record<string, unknown>>, place: WorkerPlace): Promise<number> {
  const stopping = stopMessage()
  const { isFirst } = place
  try {
    const read = await readSettingsOf({ ...options })
    const instance = await startInstance({
      settings: checkSettings(read),
      places: read.places,
      reread: () => readSettingsOf({ ...options }),
      // Their parent looks at them.
      secretFiles: [],
      worker: place,
      report: (line) => (isFirst ? printOver(`  ${green('✓')} ${line}`) : undefined),
      progress: (line) => (isFirst ? printTransient(`  ${faint(line)}`) : undefined),
      onStop: stopping.stop,
    })
    const { shownDbUrl, exampleUrl, missing } = instance
    await send({ kind: 'ready', facts: { shownDbUrl, exampleUrl, missing } })
    const loading = place.number === 1 ? loadSample(instance.loadSample) : Promise.resolve()
    await stopping.promise
    await instance.close()
    await loading
  } catch (error) {
    await send({ kind: 'refused', error: sendError(error) })
  }
  // Its channel would keep the process.
  cluster.worker?.disconnect()
  return 0
}

/** Resolves once the parent can read it. */
const send = (message: FromWorker): Promise<void> =>
  new Promise((resolve) => process.send?.(message, undefined, {}, () => resolve()))

/** Resolves when the parent says so, or at SIGTERM; what a terminal sends to all of its processes is the parent's. */
function stopMessage(): { readonly promise: Promise<void>; readonly stop: () => void } {
  let stop = (): void => undefined
  const promise = new Promise<void>((resolve) => {
    stop = resolve
  })
  process.on('message', ({ kind }: ToWorker) => {
    if (kind === 'stop') stop()
  })
  process.on('SIGTERM', stop)
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined)
  return { promise, stop }
}
