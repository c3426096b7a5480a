import { instanceError } from '../../errors.ts'
import { databaseAddress } from '../database-address.ts'
import { generateTypes, isAccessControl } from '../generate-types.ts'
import type { DatabaseOptions } from '../options.ts'
import { settingsOf } from '../settings-of.ts'
import { type TypeLanguage, typeLanguages } from '../type-languages.ts'

export interface GenTypesOptions extends DatabaseOptions {
  readonly lang?: string
  readonly local?: boolean
  readonly schema: readonly string[]
  readonly postgrestVersion?: string
  readonly postgrestV9Compat?: boolean
  readonly swiftAccessControl: string
}

/** Prints types; without `--schema` those of `public` and of the schemas that the API shows. */
export async function genTypes(argument: string | undefined, options: GenTypesOptions): Promise<number> {
  const { lang, local, schema, postgrestVersion, postgrestV9Compat = false, swiftAccessControl, ...database } = options
  const language = argument ?? lang ?? 'typescript'
  if (!isLanguage(language)) throw wrong(`"${language}" is no language; allowed: ${typeLanguages.join(', ')}`)
  if (!isAccessControl(swiftAccessControl))
    throw wrong(`--swift-access-control is "${swiftAccessControl}"; allowed: internal, public`)
  if (local === true && database.dbUrl !== undefined) throw wrong('--local and --db-url exclude one another')
  const { dbUrl: _, ...directory } = database
  const named = schema.map((name) => name.trim())
  const schemas = named.length > 0 ? named : ['public', ...(await settingsOf({ ...directory })).rest.schemas]
  const text = await generateTypes(await databaseAddress(database), {
    language,
    schemas: [...new Set(schemas)],
    postgrestVersion,
    hasOneToOne: !postgrestV9Compat,
    accessControl: swiftAccessControl,
  })
  process.stdout.write(`${text}\n`)
  return 0
}

const isLanguage = (text: string): text is TypeLanguage => typeLanguages.some((name) => name === text)

const wrong = (message: string) => instanceError('CLEW_START_SETTING', { message })
