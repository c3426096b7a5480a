import { createWriteStream } from 'node:fs'
import { resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import {
  copyRows,
  dataArguments,
  dumpRoles,
  renderDataDump,
  renderSchemaDump,
  schemaArguments,
} from '../../database/index.ts'
import { dumpRows, dumpSchema } from '../../engines/postgres/index.ts'
import { instanceError } from '../../errors.ts'
import type { DatabaseOptions } from '../options.ts'
import { bold, print, warn } from '../print.ts'
import { type Target, withTarget } from '../target.ts'

export interface DumpCommandOptions extends DatabaseOptions {
  readonly dataOnly?: boolean
  readonly roleOnly?: boolean
  readonly keepComments?: boolean
  readonly useCopy?: boolean
  readonly dryRun?: boolean
  readonly file?: string
  readonly schema: readonly string[]
  readonly exclude: readonly string[]
}

const without = (message: string) => instanceError('CLEW_START_SETTING', { message })

/** Writes definitions, rows or roles of a database as a script. */
export async function dump(options: DumpCommandOptions): Promise<number> {
  const {
    dataOnly = false,
    roleOnly = false,
    useCopy = false,
    dryRun = false,
    file,
    schema,
    exclude,
    ...place
  } = options
  if (dataOnly && roleOnly) throw without('--data-only and --role-only exclude one another')
  if (exclude.length > 0 && !dataOnly) throw without('--exclude is for --data-only')
  if (roleOnly && schema.length > 0) throw without('--schema and --role-only exclude one another')
  if (useCopy && !dataOnly) throw without('--use-copy is for --data-only')
  if (dryRun) {
    warn('DRY RUN: *only* printing how pg_dump would be called.')
    print(describe(options))
    return 0
  }
  return withTarget(place, async (target) => {
    const pieces = useCopy ? copyRows(target.url, { schemas: schema, exclude }) : [await textOf(target, options)]
    const script = Readable.from(pieces, { objectMode: false })
    if (file === undefined) await pipeline(script, process.stdout, { end: false })
    else {
      await pipeline(script, createWriteStream(file))
      warn(`Dumped to ${bold(resolve(file))}.`)
    }
    return 0
  })
}

/** The call without its connection; roles and COPY are read by statements of Clew’s own. */
function describe({ dataOnly, roleOnly, useCopy, schema: schemas, exclude }: DumpCommandOptions): string {
  if (roleOnly === true) return 'Roles are read from pg_catalog.pg_roles; pg_dump is not called.'
  if (useCopy === true) return 'Rows are read by COPY … TO STDOUT, table by table; pg_dump is not called.'
  const [kind, args] =
    dataOnly === true
      ? ['--data-only', dataArguments({ schemas, exclude })]
      : ['--schema-only', schemaArguments({ schemas, exclude })]
  return ['pg_dump', kind, ...args.map((arg) => `'${arg.replaceAll("'", String.raw`'\''`)}'`)].join(' \\\n  ')
}

async function textOf(
  { url, database }: Target,
  { dataOnly, roleOnly, keepComments = false, schema: schemas, exclude }: DumpCommandOptions,
): Promise<string> {
  if (roleOnly === true) return dumpRoles(database.sql)
  if (dataOnly === true) return renderDataDump(await dumpRows(url, { args: dataArguments({ schemas, exclude }) }))
  return renderSchemaDump(await dumpSchema(url, { args: schemaArguments({ schemas, exclude }) }), keepComments)
}
