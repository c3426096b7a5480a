import type { DefineCommand } from '../../command.ts'
import type { GenTypesOptions } from '../../db/gen.ts'
import { directoryOptions } from '../../options.ts'
import { typeLanguages } from '../../type-languages.ts'

const collect = (text: string, before: readonly string[]): readonly string[] => [...before, ...text.split(',')]

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
    .action((language: string | undefined, options: GenTypesOptions) =>
      run(async () => (await import('../../db/gen.ts')).genTypes(language, options)),
    )
}
