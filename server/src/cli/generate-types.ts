import type { GeneratorMetadata } from '@supabase/postgrest-typegen'
import {
  generateGo,
  generatePython,
  generateSwift,
  generateTypescript,
  sortGeneratorMetadata,
} from '@supabase/postgrest-typegen/generation'
import { introspect } from '@supabase/postgrest-typegen/introspection'
import { connectStandalone } from '../engines/postgres/index.ts'
import type { TypeLanguage } from './type-languages.ts'

const accessControls = ['internal', 'public'] as const
export type AccessControl = (typeof accessControls)[number]
export const isAccessControl = (text: string): text is AccessControl => accessControls.some((name) => name === text)

/** What is generated. */
export interface TypesOptions {
  readonly language: TypeLanguage
  readonly schemas: readonly string[]
  /** Written as `__InternalSupabase.PostgrestVersion`, by which postgrest-js chooses the types of newer features. */
  readonly postgrestVersion?: string | undefined
  /** False for the types of PostgREST 9 and older, where a one-to-one relationship is an array. */
  readonly hasOneToOne: boolean
  readonly accessControl: AccessControl
}

/**
 * Types of a database's schemas, by the generator of the Supabase CLI.
 *
 * @param address a connection string of a role that sees the schemas
 */
export async function generateTypes(address: string, options: TypesOptions): Promise<string> {
  const database = connectStandalone({
    address,
    poolSize: 1,
    acquireTimeoutMs: 10_000,
    idleTimeoutMs: 0,
    maxLifetimeSeconds: 0,
    preparesStatements: false,
    applicationName: 'clew gen types',
  })
  try {
    const metadata = await introspect(
      {
        async query(text) {
          const { rows } = await database.sql.query({ text, values: [] })
          return { rows: [...rows] }
        },
      },
      { includedSchemas: [...options.schemas] },
    )
    return await renderTypes(sortGeneratorMetadata(metadata), options)
  } finally {
    await database.close()
  }
}

async function renderTypes(
  metadata: GeneratorMetadata,
  { language, postgrestVersion, hasOneToOne, accessControl }: TypesOptions,
): Promise<string> {
  switch (language) {
    case 'typescript':
      return generateTypescript(metadata, {
        detectOneToOneRelationships: hasOneToOne,
        defaultSchema: 'public',
        ...(postgrestVersion === undefined ? {} : { postgrestVersion }),
      })
    case 'go':
      return generateGo(metadata)
    case 'swift':
      return generateSwift(metadata, { accessControl })
    case 'python':
      return generatePython(metadata)
  }
}
