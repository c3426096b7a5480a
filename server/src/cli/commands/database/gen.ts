import { instanceError } from '../../../errors.ts'
import type { DefineCommand } from '../../command.ts'
import { type DatabaseOptions, databaseAddress } from '../../database-address.ts'
import { generateTypes, isAccessControl, type TypeLanguage, typeLanguages } from '../../generate-types.ts'
import { directoryOptions } from '../../options.ts'
import { settingsOf } from '../../settings-of.ts'

export const define: DefineCommand = (command, { run }) => {
  directoryOptions(command.command('types'))
    .description('types of the database’s schemas, as the Supabase CLI writes them')
    .argument('[language]', `one of ${typeLanguages.join(', ')}`)
    .option('--lang <language>', 'the language, in place of the argument')
    .option('--local', 'from the running instance (the default)')
    .option('--db-url <url>', 'from another database')
    .option('-s, --schema <names>', 'schemas, separated by commas; may be repeated', collect, [])
    .option('--postgrest-version <version>', 'written into the types, for the client’s newer features')
    .option('--postgrest-v9-compat', 'types as PostgREST 9 and older need them')
    .option('--swift-access-control <access>', 'internal or public', 'internal')
    .action((language: string | undefined, options: GenTypesOptions) => run(() => genTypes(language, options)))
}

const collect = (text: string, before: readonly string[]): readonly string[] => [...before, ...text.split(',')]

interface GenTypesOptions extends DatabaseOptions {
  readonly lang?: string
  readonly local?: boolean
  readonly schema: readonly string[]
  readonly postgrestVersion?: string
  readonly postgrestV9Compat?: boolean
  readonly swiftAccessControl: string
}

/** Prints types; without `--schema` those of `public` and of the schemas that the API shows. */
async function genTypes(argument: string | undefined, options: GenTypesOptions): Promise<number> {
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
