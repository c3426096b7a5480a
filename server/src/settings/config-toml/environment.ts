import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseEnv } from 'node:util'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * The environment that `env()` reads: the process's own, then the project's `.env` files in `supabase/` and beside it, the
 * first definition of a name first (project-folder §1).
 */
export function projectEnvironment(folder: string, environment: Environment): Environment {
  const name = environment.SUPABASE_ENV || 'development'
  const files = [`.env.${name}.local`, ...(name === 'test' ? [] : ['.env.local']), `.env.${name}`, '.env']
  const found = [folder, dirname(folder)].flatMap((place) => files.map((file) => readVariables(join(place, file))))
  return Object.assign({}, ...found.reverse(), environment)
}

function readVariables(path: string): Environment {
  try {
    return parseEnv(readFileSync(path, 'utf8'))
  } catch {
    return {}
  }
}
