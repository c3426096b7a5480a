import { readFile } from 'node:fs/promises'
import { instanceError } from '../../errors.ts'
import { parseConfigurationFile, renderRestToml } from '../../services/rest/index.ts'
import { type ImportOptions, importDatabase, renderReport } from '../../transfer/index.ts'
import type { DatabaseOptions } from '../options.ts'
import { print } from '../print.ts'
import { createProgress } from '../progress.ts'
import { planFiles } from '../storage/import-files.ts'
import type { StorageSourceOptions } from '../storage/options.ts'
import { withTarget } from '../target.ts'

export interface ImportCommandOptions extends DatabaseOptions, StorageSourceOptions {
  readonly fromFile?: string
  readonly to?: string
  readonly json?: boolean
  readonly activateJobs?: boolean
  readonly config?: string
}

/** Imports, and prints the report. Exit code 1 where something could not be imported. */
export async function importInto(origin: ImportOptions['origin'], options: ImportCommandOptions): Promise<number> {
  const { dbUrl, fromFile, to, json = false, activateJobs = false, config, project, data } = options
  const directory = { ...(project === undefined ? {} : { project }), ...(data === undefined ? {} : { data }) }
  if ((dbUrl === undefined) === (fromFile === undefined))
    throw instanceError('CLEW_START_SETTING', { message: 'Give either --db-url or --from-file.' })
  const configuration = config === undefined ? [] : await readConfiguration(config)
  const from: ImportOptions['from'] =
    fromFile === undefined ? { kind: 'database', address: dbUrl ?? '' } : { kind: 'file', path: fromFile }
  const progress = createProgress()
  const report = await withTarget({ ...directory, ...(to === undefined ? {} : { dbUrl: to }) }, async (target) => {
    const files = origin === 'supabase' ? await planFiles(options, target) : null
    try {
      const done = await importDatabase({
        origin,
        from,
        targetAddress: target.url,
        activatesJobs: activateJobs,
        files,
        progress,
      })
      await target.settle()
      return done
    } finally {
      files?.source.close()
      files?.target.close()
    }
  })
  progress('')
  if (json) print(JSON.stringify(report, null, 2))
  else for (const line of [...renderReport(report), ...configuration]) print(line)
  return report.failed.length === 0 ? 0 : 1
}

/** What a configuration file of PostgREST means for `clew.toml`. @throws CLEW_START_SETTING where it does not parse */
async function readConfiguration(path: string): Promise<readonly string[]> {
  const parsed = parseConfigurationFile(await readFile(path, 'utf8'), process.env)
  if (parsed.kind === 'problem')
    throw instanceError('CLEW_START_SETTING', {
      message: `${path}:${parsed.problem.line}: expected ${parsed.problem.expected}.`,
    })
  const { lines, others } = renderRestToml(parsed.values)
  return [
    ...(lines.length === 0 ? [] : ['', 'For clew.toml:', '', ...lines]),
    ...(others.length === 0 ? [] : ['', `Set elsewhere, see the guide: ${others.join(', ')}`]),
  ]
}
