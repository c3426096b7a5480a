import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { instanceError } from '../../errors.ts'
import { functionsFolder, isFunctionName } from '../../services/functions/index.ts'
import type { DirectoryOptions } from '../options.ts'
import { bold, print } from '../print.ts'
import { settingsOf } from '../settings-of.ts'
import { projectOf } from '../target.ts'

const template = `Deno.serve(async (request) => {
  const { name = 'world' } = await request.json()
  return Response.json({ message: \`Hello \${name}\` })
})
`

/** Writes a function's file. @throws CLEW_FUNCTION_NAME, CLEW_FUNCTION_EXISTS */
export async function create(name: string, options: DirectoryOptions): Promise<number> {
  const project = projectOf(await settingsOf({ ...options }))
  if (!isFunctionName(name)) throw instanceError('CLEW_FUNCTION_NAME', { details: name })
  const path = join(functionsFolder, name, 'index.ts')
  await mkdir(dirname(join(project, path)), { recursive: true })
  await writeFile(join(project, path), template, { flag: 'wx' }).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'EEXIST') throw cause
    throw instanceError('CLEW_FUNCTION_EXISTS', { details: path, cause })
  })
  print(`Created new function at ${bold(path)}`)
  print(`Call it: supabase.functions.invoke('${name}', { body: { name: 'Ana' } })`)
  return 0
}
