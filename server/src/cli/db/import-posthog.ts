import { importPosthog, renderPosthogReport } from '../../transfer/index.ts'
import { print } from '../print.ts'
import { createProgress } from '../progress.ts'
import { withConsole } from '../remote/connect.ts'
import type { RemoteOptions } from '../remote/options.ts'

export interface PosthogOptions extends RemoteOptions {
  readonly dryRun?: boolean
  readonly checkpoint: string
  readonly json?: boolean
}

/** Seconds for a batch that the instance has no room for, minutes in all for one that is busy for long. */
const retryDelaysMs = [500, 1000, 2000, 5000, 10_000, 20_000, 30_000, 60_000]

/** Imports files of PostHog’s, and prints the report. Exit code 1 where a row or a file was left out. */
export async function importFromPosthog(
  paths: readonly string[],
  { dryRun = false, checkpoint, json = false, ...options }: PosthogOptions,
): Promise<number> {
  return withConsole(options, async (target) => {
    const progress = createProgress()
    const report = await importPosthog({
      ...{ paths, target, isDryRun: dryRun, checkpointPath: checkpoint, retryDelaysMs },
      progress,
      nowMs: () => performance.now(),
    })
    progress('')
    if (json) print(JSON.stringify(report, null, 2))
    else for (const line of renderPosthogReport(report, dryRun)) print(line)
    return report.rejects.length + report.resumedRejects + report.unknown.length === 0 ? 0 : 1
  })
}
