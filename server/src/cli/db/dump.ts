import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { dataArguments, dumpRoles, renderDataDump, renderSchemaDump, schemaArguments } from '../../database/index.ts'
import { dumpRows, dumpSchema } from '../../engines/postgres/index.ts'
import { instanceError } from '../../errors.ts'
import type { DatabaseOptions } from '../database-address.ts'
import { bold, warn } from '../print.ts'
import { type Target, withTarget } from '../target.ts'

export interface DumpCommandOptions extends DatabaseOptions {
  readonly dataOnly?: boolean
  readonly roleOnly?: boolean
  readonly keepComments?: boolean
  readonly file?: string
  readonly schema: readonly string[]
  readonly exclude: readonly string[]
}

const without = (message: string) => instanceError('CLEW_START_SETTING', { message })

/** Writes definitions, rows or roles of a database as a script. */
export async function dump(options: DumpCommandOptions): Promise<number> {
  const { dataOnly = false, roleOnly = false, keepComments = false, file, schema, exclude, ...place } = options
  if (dataOnly && roleOnly) throw without('--data-only and --role-only exclude one another')
  if (exclude.length > 0 && !dataOnly) throw without('--exclude is for --data-only')
  if (roleOnly && schema.length > 0) throw without('--schema and --role-only exclude one another')
  return withTarget(place, async (target) => {
    const text = await textOf(target, { ...options, dataOnly, roleOnly, keepComments })
    if (file === undefined) process.stdout.write(text)
    else {
      await writeFile(file, text)
      warn(`Dumped to ${bold(resolve(file))}.`)
    }
    return 0
  })
}

async function textOf(
  { url, database }: Target,
  { dataOnly, roleOnly, keepComments = false, schema: schemas, exclude }: DumpCommandOptions,
): Promise<string> {
  if (roleOnly === true) return dumpRoles(database.sql)
  if (dataOnly === true) return renderDataDump(await dumpRows(url, { args: dataArguments({ schemas, exclude }) }))
  return renderSchemaDump(await dumpSchema(url, { args: schemaArguments({ schemas, exclude }) }), keepComments)
}
