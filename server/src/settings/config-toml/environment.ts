import { readFileSync } from 'node:fs'
import { dirname, isAbsolute, join, relative } from 'node:path'
import { parseEnv } from 'node:util'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * The environment that `env()` reads: the process's own, then the project's `.env` files in `supabase/`, beside it, and in the
 * folders above up to the working directory, the first definition of a name first (project-folder §1).
 *
 * @param folder `supabase/` of the project
 */
export function projectEnvironment(folder: string, environment: Environment, workingDirectory: string): Environment {
  const name = environment.SUPABASE_ENV || 'development'
  const files = [`.env.${name}.local`, ...(name === 'test' ? [] : ['.env.local']), `.env.${name}`, '.env']
  const places = [folder, ...foldersUpTo(dirname(folder), workingDirectory)]
  const found = places.flatMap((place) => files.map((file) => readVariables(join(place, file))))
  return Object.assign({}, ...found.reverse(), environment)
}

/** A folder and those above it up to another one; the folder alone where it is not inside of that one. */
function foldersUpTo(folder: string, last: string): readonly string[] {
  const above = relative(last, folder)
  if (above === '' || above.startsWith('..') || isAbsolute(above)) return [folder]
  return [folder, ...foldersUpTo(dirname(folder), last)]
}

function readVariables(path: string): Environment {
  try {
    return parseEnv(readFileSync(path, 'utf8'))
  } catch {
    return {}
  }
}
